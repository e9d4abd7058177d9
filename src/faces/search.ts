import type { Raster, Size } from '../codecs/types.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import { type TimeSlice, uninterrupted } from '../scheduling/time_slice.ts';
import { overlap } from './boxes.ts';
import { darkBelow, liftShadows, lumaToLift, nightBelow, nightPenalty } from './dark.ts';
import { type DetectionPlan, passSide } from './detection_plan.ts';
import { DetectorMemory } from './detector_memory.ts';
import { enlargedParts } from './enlarged_parts.ts';
import { alignTilted, type FusedBox, fuse, withoutCovered } from './fusion.ts';
import { planMemory } from './memory_plan.ts';
import { calibrated, leastLogit, scoreOf } from './model.ts';
import { candidateBytes } from './network/candidates.ts';
import type { FaceModel } from './network/network.ts';
import type { FaceVerifier } from './network/verifier_network.ts';
import { readPassInputs, shrinkPicture } from './pass_inputs.ts';
import { PassRunner } from './pass_runner.ts';
import { type Proposal, Sightings, type View } from './proposals.ts';
import type { SearchModels } from './search_models.ts';
import { brighten, fillPart, inputSize, meanLuma, type Picture } from './tensor.ts';
import { fillTilted, tiltedSize, untiltBox } from './tilt.ts';
import { verify, withVerdicts } from './verifier.ts';
import { Viewer } from './viewer.ts';
import { zoomAtlases } from './zoom_pass.ts';

/** Small views of the whole are for faces that fill the picture: other views show smaller faces better. */
const leastSideInSmall = 40;

/**
 * The smallest view is shown again with so many black pixels around it, for faces that the picture's border
 * cuts (docs/faces.md: how it was chosen).
 */
const tinyMargin = 40;

/** A face seen in a turn is new if its logit is this much above every upright one at the same place. */
const newBy = 0.5;

/** Boxes that overlap by this lie in the same place, whatever way up the face is. */
const samePlace = 0.2;

/** A zoom pass counts four times, twice as much as tiles: it shows most. */
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
  readonly #viewer: Viewer;
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
    this.#viewer = new Viewer(source, this.#runner);
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
    this.#whole = await this.#readTiles(plan, this.#upright, this.#models.tiles, true);
    if (!half) return;
    this.#half = shrinkPicture(this.#whole, half, this.#memory);
    using _region = this.#memory.region();
    const luma = meanLuma(this.#half);
    const lift = lumaToLift(this.#half, luma);
    if (lift !== undefined) await this.#night(lift);
    if (luma >= darkBelow) return;
    const lifted = brighten(this.#half, this.#memory);
    await this.#viewer.showWhole(lifted, this.#upright, this.#viewer.viewOf(half), this.#models.whole);
  }

  /** Shows a dark picture with its shadows lifted. A face that our model alone sees there counts. */
  async #night(luma: number): Promise<void> {
    using _region = this.#memory.region();
    const lifted = liftShadows(this.#whole!, luma, this.#memory);
    const seen = new Sightings();
    const { whole: own, tiles: other } = this.#models;
    await this.#viewer.showWhole(lifted, seen, this.#viewer.viewOf(lifted), own);
    for (const box of fuse(seen.proposals, seen.views))
      this.#others.push({ ...box, logit: box.logit - nightPenalty });
    if (other !== own) await this.#viewer.showWhole(lifted, seen, this.#viewer.viewOf(lifted), other);
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
    await this.#readTiles({ whole: plan.whole, fine: plan.crowd! }, this.#upright, this.#models.whole, false);
  }

  /**
   * Shows the picture turned by 90°, 180° and 270°, at half size, and takes the turn with the most confident
   * face. If it shows a new face with a logit above `least`, all planned passes are made in that turn, even
   * if another face is surely upright. Up to a logit of `sure` the other model has to agree.
   */
  async turned(plan: DetectionPlan, least: number, sure: number): Promise<void> {
    const half = this.#half!;
    const halfView = () => this.#viewer.viewOf(half);
    let best: { turn: Sightings; boxes: FusedBox[] } | undefined;
    for (const rotation of [1, 2, 3] as const) {
      const turn = new Sightings(rotation);
      await this.#viewer.showWhole(half, turn, halfView(), this.#models.whole);
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
      await this.#viewer.showWhole(half, turn, halfView(), this.#models.tiles);
      if (!fuse(turn.proposals, turn.views).some(isNew)) return;
    }
    const scale = this.#finestScale;
    using _region = this.#memory.region();
    if (plan.fine) await this.#readTiles(plan, turn, this.#models.tiles, true);
    else await this.#wholeViews(plan, turn, this.#whole!, this.#whole!);
    this.#finestScale = scale;
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
      const view = this.#viewer.viewOf(half);
      const detections: Proposal[] = [];
      for (const box of await this.#runner.run(this.#models.whole, size))
        detections.push(this.#viewer.proposal(untiltBox(box, degrees, half), half, view));
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

  /**
   * Reads the raster once and makes the passes over tiles.
   * @param others whether all other planned views are made, too
   * @returns the whole picture, shrunk
   */
  async #readTiles(plan: DetectionPlan, to: Sightings, model: FaceModel, others: boolean): Promise<Picture> {
    const { fine } = plan;
    const show = fine && this.#viewer.tileShower(fine, to, model);
    const onTiles = async (band: Picture, top: number) => {
      for (const left of fine!.lefts) await show!(band, left, top);
    };
    const onAll = async (whole: Picture, finest: Picture) => {
      this.#finestScale = (fine?.size ?? whole).width / this.#source.width;
      if (others) await this.#wholeViews(plan, to, whole, finest);
    };
    const whole = await readPassInputs(this.#source, plan, { onTiles, onAll }, this.#memory, this.#slice);
    const pause = this.#slice.end();
    if (pause) await pause;
    return whole;
  }

  /**
   * Views of the whole picture, shrunk, and parts of it enlarged.
   * @param finest what is enlarged, all of its rows held
   */
  async #wholeViews(plan: DetectionPlan, to: Sightings, whole: Picture, finest: Picture): Promise<void> {
    const { byBoth, small, tiny, enlarged } = plan;
    const { whole: own, tiles: other } = this.#models;
    const viewer = this.#viewer;
    await viewer.showWhole(whole, to, viewer.viewOf(whole), own);
    // Faces that are tilted or fill the picture count even if the other model misses or doubts them.
    if (byBoth && other !== own)
      await viewer.showWhole(whole, to, { ...viewer.viewOf(whole), onlyRaises: true }, other);
    for (const [size, model, margins] of [
      [small, own, [0]],
      [tiny, other, [0, tinyMargin]],
    ] as const) {
      if (!size) continue;
      using _region = this.#memory.region();
      const picture = shrinkPicture(whole, size, this.#memory);
      for (const margin of margins)
        await viewer.showWhole(picture, to, viewer.viewOf(size, 1, leastSideInSmall), model, margin);
    }
    // At night noise would be enlarged.
    if (!enlarged || meanLuma(whole) < nightBelow) return;
    const parts = enlargedParts(fuse(to.proposals, to.views), enlarged, this.#source.width);
    await viewer.showEnlarged(finest, parts, to, other);
  }
}

const highest = (boxes: readonly FusedBox[]): number =>
  boxes.reduce((most, { logit }) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
