import type { Raster, Size } from '../codecs/types.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import { type TimeSlice, uninterrupted } from '../scheduling/time_slice.ts';
import { moveBox, overlap, type QuarterTurns, rotateBox, type ScoredBox, scaleBox } from './boxes.ts';
import { darkBelow, liftShadows, nightBelow, nightPenalty } from './dark.ts';
import { type DetectionPlan, passSide, type Tiling } from './detection_plan.ts';
import { DetectorMemory } from './detector_memory.ts';
import { alignTilted, type FusedBox, fuse, withoutCovered } from './fusion.ts';
import { planMemory } from './memory_plan.ts';
import { calibrated, leastLogit, scoreOf } from './model.ts';
import { candidateBytes } from './network/candidates.ts';
import type { FaceModel } from './network/network.ts';
import type { FaceVerifier } from './network/verifier_network.ts';
import { isCut } from './parts.ts';
import { readPassInputs, shrinkPicture } from './pass_inputs.ts';
import { PassRunner } from './pass_runner.ts';
import { type Proposal, Sightings, type View } from './proposals.ts';
import type { SearchModels } from './search_models.ts';
import {
  brighten,
  fillEnlarged,
  fillPart,
  inputSize,
  meanLuma,
  type Picture,
  rotatedSize,
} from './tensor.ts';
import { fillTilted, tiltedSize, untiltBox } from './tilt.ts';
import { verify, withVerdicts } from './verifier.ts';
import { zoomAtlases } from './zoom_pass.ts';

/** Faces with fewer pixels than this in a model's input are left to finer views. */
const leastSide = 10;

/** Small views of the whole are for faces that fill the picture: other views show smaller faces better. */
const leastSideInSmall = 40;

/** Larger faces, in pixels of a model's input, are left to views that do not enlarge them. */
const mostSideEnlarged = 96;

/**
 * The smallest view is shown again with so many black pixels around it, for faces that the picture's border
 * cuts (docs/faces.md: how it was chosen).
 */
const tinyMargin = 40;

/** A face seen in a turn is new if its logit is this much above every upright one at the same place. */
const newBy = 0.5;

/** Boxes that overlap by this lie in the same place, whatever way up the face is. */
const samePlace = 0.2;

/** The finest view counts twice: it shows most. A zoom pass shows more still. */
const fineWeight = 2;
const zoomWeight = 4;

/** This many small boxes are a crowd. A box is small if its longer side is below this, in the finest view. */
const crowd = 10;
const smallInCrowd = 32;

/** Angles of tilted views, degrees clockwise. Upright views and quarter turns show all other tilts. */
const tilts = [35, -35];

/** Subtracted from the logit of a face that only one tilted view shows (docs/faces.md: how it was chosen). */
const tiltPenalty = 0.8;

/**
 * One search for faces: its passes, whose order detector.ts decides, and what they have detected so far, in
 * pixels of the raster.
 */
export class Search implements Disposable {
  readonly #source: Raster;
  readonly #slice: TimeSlice;
  readonly #models: SearchModels;
  /** What upright views and zoom passes see. */
  readonly #upright = new Sightings();
  /** What only turned and tilted views see. */
  readonly #others: FusedBox[] = [];
  /** What tilted views see, with their own logits. */
  readonly #tilted: FusedBox[] = [];
  readonly #memory: DetectorMemory;
  readonly #runner: PassRunner;
  /** The last answer of `found`, and how many proposals, views and others it used: these only grow. */
  #found: { readonly boxes: readonly FusedBox[]; readonly seen: number } | undefined;
  #whole: Picture | undefined;
  #half: Picture | undefined;
  #finestScale = 1;
  /**
   * @param plan all passes that the search may make; memory is reserved for all of them
   * @param slice lets other jobs run between passes and while the raster is read
   * @throws Fault 'limit' when there is no memory for it
   */
  constructor(models: SearchModels, source: Raster, plan: DetectionPlan, slice: TimeSlice = uninterrupted) {
    const { workspace, total } = planMemory(models, source, plan);
    this.#models = models;
    this.#source = source;
    this.#slice = slice;
    this.#memory = DetectorMemory.open(total);
    this.#runner = new PassRunner(this.#memory, workspace, slice);
  }

  /** As `FaceDetector.cost`. */
  static cost(models: SearchModels, source: Size, plan: DetectionPlan): MemoryCost {
    return {
      inCores: DetectorMemory.heldBytes(planMemory(models, source, plan).total),
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
    const { half } = plan;
    this.#whole = await this.#readTiles(plan, this.#upright);
    await this.#wholeViews(plan, this.#upright);
    if (!half) return;
    this.#half = shrinkPicture(this.#whole, half, this.#memory);
    using _region = this.#memory.region();
    const luma = meanLuma(this.#half);
    if (luma < nightBelow) await this.#night(luma);
    if (luma >= darkBelow) return;
    const lifted = brighten(this.#half, this.#memory);
    await this.#showWhole(lifted, this.#upright, this.#view(half, 1, leastSide), this.#models.whole);
  }

  /** Shows a picture of the night with its shadows lifted. A face that our model alone sees there counts. */
  async #night(luma: number): Promise<void> {
    using _region = this.#memory.region();
    const lifted = liftShadows(this.#whole!, luma, this.#memory);
    const seen = new Sightings();
    const { whole: own, tiles: other } = this.#models;
    await this.#showWhole(lifted, seen, this.#view(lifted, 1, leastSide), own);
    for (const box of fuse(seen.proposals, seen.views))
      this.#others.push({ ...box, logit: box.logit - nightPenalty });
    if (other !== own) await this.#showWhole(lifted, seen, this.#view(lifted, 1, leastSide), other);
    this.#upright.views.push(...seen.views);
    this.#upright.proposals.push(...seen.proposals);
  }

  /** Whether so many small boxes of this confidence have been found that finer tiles are worth their time. */
  isCrowd(confidence: number): boolean {
    const isSmall = ({ w, h }: FusedBox) => Math.max(w, h) * this.#finestScale < smallInCrowd;
    return this.found().filter((box) => calibrated(box.logit) >= confidence && isSmall(box)).length >= crowd;
  }

  /** Reads the raster again and makes passes over finer tiles. */
  async crowd(plan: DetectionPlan): Promise<void> {
    using _region = this.#memory.region();
    // This model sees more of the smallest faces in large pictures (docs/faces.md).
    await this.#readTiles({ whole: plan.whole, fine: plan.crowd! }, this.#upright, this.#models.whole);
  }

  /**
   * Shows the picture turned by 90°, 180° and 270°, at half size, and takes the turn with the most confident
   * face. If it shows a new face with a logit above `least`, all planned passes are made in that turn, even
   * if another face is surely upright. Up to a logit of `sure` the other model has to agree.
   */
  async turned(plan: DetectionPlan, least: number, sure: number): Promise<void> {
    const half = this.#half!;
    const halfView = () => this.#view(half, 1, leastSide);
    let best: { turn: Sightings; boxes: FusedBox[] } | undefined;
    for (const rotation of [1, 2, 3] as const) {
      const turn = new Sightings(rotation);
      await this.#showWhole(half, turn, halfView(), this.#models.whole);
      const boxes = fuse(turn.proposals, turn.views);
      if (!best || highest(boxes) > highest(best.boxes)) best = { turn, boxes };
    }
    const { turn, boxes } = best!;
    const upright = this.found();
    const isNew = (box: FusedBox) =>
      box.logit > least &&
      upright.every((other) => overlap(other, box) < samePlace || other.logit < box.logit - newBy);
    const fresh = boxes.filter(isNew);
    if (fresh.length === 0) return;
    if (highest(fresh) <= sure) {
      await this.#showWhole(half, turn, halfView(), this.#models.tiles);
      if (!fuse(turn.proposals, turn.views).some(isNew)) return;
    }
    const scale = this.#finestScale;
    using _region = this.#memory.region();
    if (plan.fine) await this.#readTiles(plan, turn);
    this.#finestScale = scale;
    await this.#wholeViews(plan, turn);
    const turned = turn.rotation * 90;
    this.#others.push(...fuse(turn.proposals, turn.views).map((box) => ({ ...box, turned })));
  }

  /** Whether a box with a logit between these has a side of `least` pixels or more at half size. */
  hasBetween(from: number, below: number, least: number): boolean {
    const scale = this.#half!.width / this.#source.width;
    return this.found().some(
      ({ logit, w, h }) => logit > from && logit < below && Math.max(w, h) * scale >= least,
    );
  }

  /** Shows the picture tilted by 35° to both sides, at half size. */
  async tilted(): Promise<void> {
    const half = this.#half!;
    for (const degrees of tilts) {
      const size = inputSize(tiltedSize(half, degrees));
      fillTilted(this.#runner.input, half, degrees, size);
      const view = this.#view(half, 1, leastSide);
      const detections: Proposal[] = [];
      for (const box of await this.#runner.run(this.#models.whole, size))
        detections.push(this.#proposal(untiltBox(box, degrees, half), half, view));
      const seen = fuse(detections, [view]);
      this.#tilted.push(...seen);
      this.#others.push(...seen.map((box) => ({ ...box, logit: box.logit - tiltPenalty, turned: degrees })));
    }
  }

  /**
   * Reads the raster again for faces with a confidence in [from, below), and runs zoom passes over them.
   * @param atlases the most zoom passes
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
      fillPart(this.#runner, atlas, 0, 0, atlas, size);
      const seen = new Set<unknown>();
      for (const box of await this.#runner.run(this.#models.whole, size)) {
        const located = locate(box);
        if (!located) continue;
        seen.add(located.face);
        this.#upright.proposals.push({ ...located.box, view, pass: this.passes, cut: false });
      }
      // A box in which the zoom pass sees nothing is less likely a face.
      for (const { x, y, w, h } of faces.filter((face) => !seen.has(face))) {
        const confidence = scoreOf(leastLogit);
        this.#upright.proposals.push({ x, y, w, h, confidence, view, pass: this.passes, cut: false });
      }
    }
    if (!this.#upright.views.includes(view)) this.#upright.views.push(view);
  }

  /** One box a face, most confident first. */
  found(): readonly FusedBox[] {
    const { proposals, views } = this.#upright;
    const seen = proposals.length + views.length + this.#others.length;
    if (this.#found?.seen === seen) return this.#found.boxes;
    const tilted = this.#tilted;
    const upright = fuse(proposals, views).map((box) => alignTilted(box, tilted));
    const boxes = this.#others.length === 0 ? upright : withoutCovered([...upright, ...this.#others]);
    this.#found = { boxes, seen };
    return boxes;
  }

  /**
   * As `found`, with the verifier's verdict on the surest boxes.
   * @param from the least confidence of a box that the verifier judges
   * @param most the most boxes that it judges
   */
  async verified(verifier: FaceVerifier, from: number, most: number): Promise<readonly FusedBox[]> {
    const found = this.found();
    const asked = found.filter(({ logit }) => calibrated(logit) >= from).slice(0, most);
    using _region = this.#memory.region();
    const scale = this.#whole!.width / this.#source.width;
    const verdicts = await verify(
      this.#whole!,
      asked,
      scale,
      (crops, count) => verifier.verify(this.#runner.workspace, crops, count),
      this.#runner.input,
      this.#memory,
      this.#slice,
    );
    return withVerdicts(found, verdicts, scale);
  }

  /** Reads the raster once and makes the passes over tiles; returns the whole picture, shrunk. */
  async #readTiles(plan: DetectionPlan, to: Sightings, model = this.#models.tiles): Promise<Picture> {
    const { fine, enlarged } = plan;
    const show = fine && this.#tileShower(fine, to, model);
    const onTiles = async (band: Picture, top: number) => {
      for (const left of fine!.lefts)
        await show!(left, top, (part, size) =>
          fillPart(this.#runner, band, left, top, part, size, to.rotation),
        );
      if (enlarged && top === fine!.tops.at(-1)) await this.#enlargedTiles(band, enlarged, to);
    };
    const whole = await readPassInputs(this.#source, plan, onTiles, this.#memory, this.#slice);
    this.#finestScale = (fine?.size ?? whole).width / this.#source.width;
    const pause = this.#slice.end();
    if (pause) await pause;
    return whole;
  }

  /** Views of the whole picture, shrunk, and tiles of it enlarged where there are no finer ones. */
  async #wholeViews(plan: DetectionPlan, to: Sightings): Promise<void> {
    const { byBoth, small, tiny, fine, enlarged } = plan;
    const whole = this.#whole!;
    const { whole: own, tiles: other } = this.#models;
    await this.#showWhole(whole, to, this.#view(whole, 1, leastSide), own);
    // Faces that are tilted or fill the picture count even if the other model misses or doubts them.
    if (byBoth && other !== own)
      await this.#showWhole(whole, to, { ...this.#view(whole, 1, leastSide), onlyRaises: true }, other);
    for (const [size, model, margins] of [
      [small, this.#models.whole, [0]],
      [tiny, this.#models.tiles, [0, tinyMargin]],
    ] as const) {
      if (!size) continue;
      using _region = this.#memory.region();
      const picture = shrinkPicture(whole, size, this.#memory);
      for (const margin of margins)
        await this.#showWhole(picture, to, this.#view(size, 1, leastSideInSmall), model, margin);
    }
    if (enlarged && !fine) await this.#enlargedTiles(whole, enlarged, to);
  }

  /** Of a picture with all of its rows held; none at night, when noise would be enlarged. */
  async #enlargedTiles(picture: Picture, tiling: Tiling, to: Sightings): Promise<void> {
    if (meanLuma(picture) < nightBelow) return;
    const show = this.#tileShower(tiling, to, this.#models.tiles, mostSideEnlarged);
    for (const top of tiling.tops) {
      for (const left of tiling.lefts)
        await show(left, top, (part, size) =>
          fillEnlarged(this.#runner.input, picture, tiling.size, left, top, part, size, to.rotation),
        );
    }
  }

  #view(picture: Size, weight: number, least: number): View {
    return { weight, scale: picture.width / this.#source.width, leastSide: least };
  }

  /** One pass over the whole picture, with a black margin of this many pixels on all sides. */
  async #showWhole(picture: Picture, to: Sightings, view: View, model: FaceModel, margin = 0): Promise<void> {
    to.views.push(view);
    const fill = (size: Size) => fillPart(this.#runner, picture, 0, 0, picture, size, to.rotation, margin);
    for (const box of await this.#show(picture, to.rotation, fill, model, margin))
      to.proposals.push(this.#proposal(box, picture, view));
  }

  /** Makes the passes over tiles, which are one view; `fill` puts a part of the picture into an input. */
  #tileShower({ size, tile }: Tiling, to: Sightings, model: FaceModel, mostSide?: number) {
    const view: View = { ...this.#view(size, fineWeight, leastSide), ...(mostSide && { mostSide }) };
    to.views.push(view);
    return async (left: number, top: number, fill: (part: Size, input: Size) => void): Promise<void> => {
      const part = {
        width: Math.min(tile.width, size.width - left),
        height: Math.min(tile.height, size.height - top),
      };
      const area = { x: left, y: top, w: tile.width, h: tile.height };
      const boxes = await this.#show(part, to.rotation, (input) => fill(part, input), model);
      for (const box of boxes) {
        const placed = moveBox(box, left, top);
        to.proposals.push(this.#proposal(placed, size, view, isCut(placed, area, size)));
      }
    };
  }

  /** One pass over a rotated part, which `fill` puts into an input. @returns boxes in pixels of the part */
  async #show(
    part: Size,
    rotation: QuarterTurns,
    fill: (input: Size) => void,
    model: FaceModel,
    margin = 0,
  ): Promise<ScoredBox[]> {
    const rotated = rotatedSize(part, rotation);
    const size = inputSize({ width: rotated.width + 2 * margin, height: rotated.height + 2 * margin });
    fill(size);
    const back = ((4 - rotation) % 4) as QuarterTurns;
    return (await this.#runner.run(model, size)).map((box) =>
      rotateBox(moveBox(box, -margin, -margin), back, rotated),
    );
  }

  /** @param picture the shrunk picture in whose pixels the box is */
  #proposal(box: ScoredBox, picture: Size, view: View, cut = false): Proposal {
    const inRaster = scaleBox(box, this.#source.width / picture.width, this.#source.height / picture.height);
    return { ...inRaster, view, pass: this.passes, cut };
  }
}

const highest = (boxes: readonly FusedBox[]): number =>
  boxes.reduce((most, { logit }) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
