import type { Raster, Size } from '../codecs/types.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import { type TimeSlice, uninterrupted } from '../time_slice.ts';
import { moveBox, type QuarterTurns, rotateBox, type ScoredBox, scaleBox } from './boxes.ts';
import { type DetectionPlan, passSide, type Tiling } from './detection_plan.ts';
import { DetectorMemory } from './detector_memory.ts';
import { type FusedBox, fuse, withoutCovered } from './fusion.ts';
import { planMemory } from './memory_plan.ts';
import { calibrated, leastLogit, scoreOf } from './model.ts';
import { candidateBytes } from './network/candidates.ts';
import type { FaceModel } from './network/network.ts';
import type { FaceVerifier } from './network/verifier_network.ts';
import { isCut } from './parts.ts';
import { readPassInputs, shrinkPicture } from './pass_inputs.ts';
import { PassRunner } from './pass_runner.ts';
import type { Proposal, View } from './proposals.ts';
import {
  brighten,
  fillEnlarged,
  fillPart,
  fillRotated,
  inputSize,
  meanLuma,
  type Picture,
  rotatedSize,
} from './tensor.ts';
import { fillTilted, tiltedSize, untiltBox } from './tilt.ts';
import { verify, withVerdicts } from './verifier.ts';
import { zoomAtlases } from './zoom_pass.ts';

/** Faces of fewer pixels than this in a model's input are left to finer views. */
const leastSide = 10;

/**
 * The small whole-image pass is for faces that fill the picture: smaller ones are detected better by the
 * other passes.
 */
const leastSideInSmall = 40;

/** The finest view counts twice: it shows most. A zoom pass shows more still. */
const fineWeight = 2;
const zoomWeight = 4;

/** So many small boxes are a crowd; small is a longer side below this, in pixels of the finest view. */
const crowd = 10;
const smallInCrowd = 32;

/** Pictures of a lower mean luma are looked at with their shadows lifted, too. */
const darkBelow = 70;

/** Angles of tilted views, clockwise: what is tilted less, or lies, is seen without. */
const tilts = [35, -35];

/**
 * Taken off the logit of a face that is seen only tilted: a third of the wrong boxes otherwise, for it is one
 * view's alone (docs/faces.md: how it was chosen).
 */
const tiltPenalty = 2;

/**
 * One search for faces: its passes, which detector.ts orders, and what they have detected so far, in pixels
 * of the raster.
 */
export class Search implements Disposable {
  readonly #source: Raster;
  readonly #slice: TimeSlice;
  /** Upright looks at all of the picture, and zoom passes. */
  readonly #views: View[] = [];
  readonly #detections: Proposal[] = [];
  /** What only turned and tilted views see. */
  readonly #others: FusedBox[] = [];
  readonly #memory: DetectorMemory;
  readonly #runner: PassRunner;
  /**
   * The last answer of `found`, and how many detections, views and others it was made of: these only grow.
   */
  #found: { readonly boxes: readonly FusedBox[]; readonly seen: number } | undefined;
  #whole: Picture | undefined;
  #half: Picture | undefined;
  #finestScale = 1;
  /**
   * @param plan of the picture, or more than is made of it: what may be made reserves its memory
   * @param slice lets other jobs run between passes and while the raster is read
   * @throws Fault 'limit' when there is no memory for it
   */
  constructor(model: FaceModel, source: Raster, plan: DetectionPlan, slice: TimeSlice = uninterrupted) {
    const { workspace, total } = planMemory(model, source, plan);
    this.#source = source;
    this.#slice = slice;
    this.#memory = DetectorMemory.open(total);
    this.#runner = new PassRunner(model, this.#memory, workspace, slice);
  }

  /** As `FaceDetector.cost`. */
  static cost(model: FaceModel, source: Size, plan: DetectionPlan): MemoryCost {
    return {
      inCores: DetectorMemory.heldBytes(planMemory(model, source, plan).total),
      elsewhere: candidateBytes(passSide * passSide),
    };
  }

  /** Runs of the model so far. */
  get passes(): number {
    return this.#runner.passes;
  }

  /** Gives its memory back. No pass may be running. */
  [Symbol.dispose](): void {
    this.#memory[Symbol.dispose]();
  }

  /** Reads the raster once and makes all planned passes, upright. */
  async upright(plan: DetectionPlan): Promise<void> {
    const { enlarged, small, half } = plan;
    const whole = await this.#readTiles(plan);
    this.#whole = whole;
    await this.#detectInWhole(whole, this.#addView(whole, 1, leastSide));
    if (small) {
      using _region = this.#memory.region();
      const view = this.#addView(small, 1, leastSideInSmall);
      await this.#detectInWhole(shrinkPicture(whole, small, this.#memory), view);
    }
    if (half) {
      this.#half = shrinkPicture(whole, half, this.#memory);
      using _region = this.#memory.region();
      if (meanLuma(this.#half) < darkBelow)
        await this.#detectInWhole(brighten(this.#half, this.#memory), this.#addView(half, 1, leastSide));
    }
    if (enlarged) await this.#detectEnlarged(whole, enlarged);
  }

  /** Whether so many small boxes of this confidence have been found that finer tiles are worth their time. */
  isCrowd(confidence: number): boolean {
    const isSmall = ({ w, h }: FusedBox) => Math.max(w, h) * this.#finestScale < smallInCrowd;
    return this.found().filter((box) => calibrated(box.logit) >= confidence && isSmall(box)).length >= crowd;
  }

  /** Reads the raster again and makes passes over finer tiles. */
  async crowd(plan: DetectionPlan): Promise<void> {
    using _region = this.#memory.region();
    await this.#readTiles({ whole: plan.whole, fine: plan.crowd! });
  }

  /**
   * Shows the picture turned by 90°, 180° and 270°, at half size, and once more whole in the turn with the
   * most confident face. Its faces count if that one reaches `leastLogit` and is surer than all so far: most
   * detections in a wrong turn are false.
   */
  async turned(least: number): Promise<void> {
    const [whole, half] = [this.#whole!, this.#half!];
    const halfView = this.#view(half, 1, leastSide);
    let best: { rotation: QuarterTurns; detections: Proposal[]; top: number } | undefined;
    for (const rotation of [1, 2, 3] as const) {
      const detections = await this.#detectTurned(half, rotation, halfView);
      const top = highest(fuse(detections, [halfView]));
      if (!best || top > best.top) best = { rotation, detections, top };
    }
    if (!best || best.top <= Math.max(least, this.highestLogit)) return;
    const views = [halfView];
    if (whole.width > half.width) {
      const wholeView = this.#view(whole, 1, leastSide);
      views.push(wholeView);
      best.detections.push(...(await this.#detectTurned(whole, best.rotation, wholeView)));
    }
    const turned = best.rotation * 90;
    this.#others.push(...fuse(best.detections, views).map((box) => ({ ...box, turned })));
  }

  /** Shows the picture tilted by 35° to both sides, at half size. */
  async tilted(): Promise<void> {
    const half = this.#half!;
    for (const degrees of tilts) {
      const size = inputSize(tiltedSize(half, degrees));
      fillTilted(this.#runner.input, half, degrees, size);
      const view = this.#view(half, 1, leastSide);
      const detections: Proposal[] = [];
      for (const box of await this.#runner.run(size))
        detections.push(this.#detection(untiltBox(box, degrees, half), half, view));
      const seen = fuse(detections, [view]);
      this.#others.push(...seen.map((box) => ({ ...box, logit: box.logit - tiltPenalty, turned: degrees })));
    }
  }

  /**
   * Reads the raster again for small faces of these confidences, and runs zoom passes over them.
   * @param atlases at most
   */
  async zoom(from: number, below: number, atlases: number): Promise<void> {
    const uncertain = this.found().filter(
      ({ logit }) => calibrated(logit) >= from && calibrated(logit) < below,
    );
    const view: View = { weight: zoomWeight, scale: 1, leastSide: 0, partial: true };
    for await (const { atlas, faces, locate } of zoomAtlases(
      this.#source,
      uncertain,
      this.#finestScale,
      atlases,
      this.#memory,
      this.#slice,
    )) {
      const size = inputSize(atlas);
      fillPart(this.#runner.input, atlas, 0, 0, size);
      const seen = new Set<unknown>();
      for (const box of await this.#runner.run(size)) {
        const located = locate(box);
        if (!located) continue;
        seen.add(located.face);
        this.#detections.push({ ...located.box, view, pass: this.passes, cut: false });
      }
      // What is not seen from near is the less likely a face.
      for (const { x, y, w, h } of faces.filter((face) => !seen.has(face))) {
        const confidence = scoreOf(leastLogit);
        this.#detections.push({ x, y, w, h, confidence, view, pass: this.passes, cut: false });
      }
    }
    if (!this.#views.includes(view)) this.#views.push(view);
  }

  /** Logit of the surest face so far. */
  get highestLogit(): number {
    return highest(this.found());
  }

  /** One box a face, most confident first. */
  found(): readonly FusedBox[] {
    const seen = this.#detections.length + this.#views.length + this.#others.length;
    if (this.#found?.seen === seen) return this.#found.boxes;
    const upright = fuse(this.#detections, this.#views);
    const boxes = this.#others.length === 0 ? upright : withoutCovered([...upright, ...this.#others]);
    this.#found = { boxes, seen };
    return boxes;
  }

  /**
   * As `found`, with the verifier's verdict on the surest.
   * @param from the least confidence of what it is asked about
   * @param most of these
   */
  async verified(verifier: FaceVerifier, from: number, most: number): Promise<readonly FusedBox[]> {
    const found = this.found();
    const asked = found.filter(({ logit }) => calibrated(logit) >= from).slice(0, most);
    using _region = this.#memory.region();
    const verdicts = await verify(
      this.#whole!,
      asked,
      this.#whole!.width / this.#source.width,
      (crops, count) => verifier.verify(this.#runner.workspace, crops, count),
      this.#runner.input,
      this.#memory,
      this.#slice,
    );
    return withVerdicts(found, verdicts);
  }

  /** Reads the raster once and makes the passes over tiles; returns the whole picture, shrunk. */
  async #readTiles(plan: DetectionPlan): Promise<Picture> {
    const { fine } = plan;
    const view = fine && this.#addView(fine.size, fineWeight, leastSide);
    const onTiles = async (band: Picture, top: number) => {
      for (const left of fine!.lefts) {
        fillPart(this.#runner.input, band, left, top, fine!.tile);
        await this.#detectInTile(fine!, left, top, view!);
      }
    };
    const whole = await readPassInputs(this.#source, plan, onTiles, this.#memory, this.#slice);
    this.#finestScale = (fine?.size ?? whole).width / this.#source.width;
    const pause = this.#slice.end();
    if (pause) await pause;
    return whole;
  }

  #addView(picture: Size, weight: number, least: number): View {
    const view = this.#view(picture, weight, least);
    this.#views.push(view);
    return view;
  }

  #view(picture: Size, weight: number, least: number): View {
    return { weight, scale: picture.width / this.#source.width, leastSide: least };
  }

  /** One pass over the whole picture. */
  async #detectInWhole(picture: Picture, view: View): Promise<void> {
    this.#detections.push(...(await this.#detectTurned(picture, 0, view)));
  }

  /** One pass over the whole picture, rotated clockwise. */
  async #detectTurned(picture: Picture, rotation: QuarterTurns, view: View): Promise<Proposal[]> {
    const back = ((4 - rotation) % 4) as QuarterTurns;
    const rotated = rotatedSize(picture, rotation);
    const size = inputSize(rotated);
    fillRotated(this.#runner.input, picture, rotation, size);
    const detections: Proposal[] = [];
    for (const box of await this.#runner.run(size)) {
      detections.push(this.#detection(rotateBox(box, back, rotated), picture, view));
    }
    return detections;
  }

  async #detectEnlarged(whole: Picture, tiling: Tiling): Promise<void> {
    const view = this.#addView(tiling.size, fineWeight, leastSide);
    for (const top of tiling.tops) {
      for (const left of tiling.lefts) {
        fillEnlarged(this.#runner.input, whole, tiling.size, left, top, tiling.tile);
        await this.#detectInTile(tiling, left, top, view);
      }
    }
  }

  async #detectInTile({ size, tile: side }: Tiling, left: number, top: number, view: View): Promise<void> {
    const tile = { x: left, y: top, w: side.width, h: side.height };
    for (const box of await this.#runner.run(side)) {
      const placed = moveBox(box, left, top);
      this.#detections.push(this.#detection(placed, size, view, isCut(placed, tile, size)));
    }
  }

  /** @param picture the shrunk picture in whose pixels the box is */
  #detection(box: ScoredBox, picture: Size, view: View, cut = false): Proposal {
    const inRaster = scaleBox(box, this.#source.width / picture.width, this.#source.height / picture.height);
    return { ...inRaster, view, pass: this.passes, cut };
  }
}

const highest = (boxes: readonly FusedBox[]): number =>
  boxes.reduce((most, { logit }) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
