import type { Raster, Size } from '../codecs/types.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import { type TimeSlice, uninterrupted } from '../time_slice.ts';
import {
  byConfidence,
  moveBox,
  type QuarterTurns,
  rotateBox,
  type ScoredBox,
  scaleBox,
  suppress,
} from './boxes.ts';
import { type DetectionPlan, passSide, type Tiling } from './detection_plan.ts';
import { arraysCost, DetectorMemory } from './detector_memory.ts';
import { type FusedBox, fuse, withoutCovered } from './fusion.ts';
import type { Look, LookDetection } from './look.ts';
import { calibrated, leastLogit, sameFace, scoreOf } from './model.ts';
import { candidateBytes } from './network/candidates.ts';
import type { FaceModel, Workspace } from './network/network.ts';
import type { FaceVerifier } from './network/verifier_network.ts';
import { isCut } from './parts.ts';
import { passInputsCost, pictureCost, readPassInputs, shrinkingCost, shrinkPicture } from './pass_inputs.ts';
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
import { verifierCost, verify, withVerdicts } from './verifier.ts';
import { zoomPassCost, zoomSheets } from './zoom_pass.ts';

/**
 * Most candidates of one pass, the most confident ones: bounds the time of hostile pictures.
 */
const maxCandidates = 500;

/** A score below that of a look without a box says nothing. */
const leastScore = scoreOf(leastLogit);

/** Faces of fewer pixels than this in a model's input are left to finer looks. */
const leastSide = 10;

/**
 * The small whole-image pass is for faces that fill the picture: smaller ones are detected better by the
 * other passes.
 */
const leastSideInSmall = 40;

/** The finest look counts twice: it shows most. A zoom pass shows more still. */
const fineWeight = 2;
const zoomWeight = 4;

/** So many small boxes are a crowd; small is a longer side below this, in pixels of the finest look. */
const crowd = 10;
const smallInCrowd = 32;

/** Pictures of a lower mean luma are looked at with their shadows lifted, too. */
const darkBelow = 70;

/** Angles of tilted looks, clockwise: what is tilted less, or lies, is seen without. */
const tilts = [35, -35];

/**
 * Taken off the logit of a face that is seen only tilted: a third of the wrong boxes otherwise, for it is one
 * look's opinion (docs/faces.md: how it was chosen).
 */
const tiltPenalty = 2;

/** The model's largest input. */
const TENSOR_FLOATS = passSide * passSide * 3;

/** Bytes that the model takes for any pass of a plan: inputs are squares at most, or tiles. */
function workspaceBytes(model: FaceModel, { fine, crowd, enlarged }: DetectionPlan): number {
  const tiles = [fine, crowd, enlarged].flatMap((tiling) => (tiling ? [tiling.tile] : []));
  const inputs = [{ width: passSide, height: passSide }, ...tiles];
  return Math.max(...inputs.map(({ width, height }) => model.workspaceBytes(width, height)));
}

/** Bytes of all that a search may have in its memory at one time. */
function memoryBytes(model: FaceModel, source: Size, plan: DetectionPlan): number {
  const { whole, small, half, crowd } = plan;
  const { kept, reading } = passInputsCost(source, plan);
  const crowded = crowd ? passInputsCost(source, { whole, fine: crowd }) : { kept: 0, reading: 0 };
  const halved = half ? pictureCost(half) : 0;
  const most = Math.max(
    reading,
    small ? shrinkingCost(whole, small) : 0,
    half ? shrinkingCost(whole, half) : 0,
    // Beside the half-size picture: that brightened, the tiles of a crowd with the whole once more, sheets.
    2 * halved,
    halved + crowded.kept + crowded.reading,
    halved + zoomPassCost(source),
    halved + verifierCost(whole),
  );
  const input = TENSOR_FLOATS * Float32Array.BYTES_PER_ELEMENT;
  return arraysCost(input, workspaceBytes(model, plan)) + kept + most;
}

/**
 * One search for faces: its passes, which detector.ts orders, and what they have detected so far, in pixels
 * of the raster.
 */
export class Search implements Disposable {
  readonly #model: FaceModel;
  readonly #source: Raster;
  readonly #slice: TimeSlice;
  /** Upright looks at all of the picture, and zoom passes. */
  readonly #looks: Look[] = [];
  readonly #detections: LookDetection[] = [];
  /** What only turned and tilted looks see. */
  readonly #others: FusedBox[] = [];
  readonly #memory: DetectorMemory;
  readonly #tensor: Float32Array;
  readonly #workspace: Workspace;
  /**
   * The last answer of `found`, and how many detections, looks and others it was made of: these only grow.
   */
  #found: { readonly boxes: readonly FusedBox[]; readonly seen: number } | undefined;
  #whole: Picture | undefined;
  #half: Picture | undefined;
  #finestScale = 1;
  /** Runs of the model so far. */
  passes = 0;

  /**
   * @param plan of the picture, or more than is made of it: what may be made reserves its memory
   * @param slice lets other jobs run between passes and while the raster is read
   * @throws Fault 'limit' when there is no memory for it
   */
  constructor(model: FaceModel, source: Raster, plan: DetectionPlan, slice: TimeSlice = uninterrupted) {
    this.#model = model;
    this.#source = source;
    this.#slice = slice;
    this.#memory = DetectorMemory.open(memoryBytes(model, source, plan));
    this.#tensor = this.#memory.floats(TENSOR_FLOATS);
    this.#workspace = this.#memory.place(workspaceBytes(model, plan));
  }

  /** As `FaceDetector.cost`. */
  static cost(model: FaceModel, source: Size, plan: DetectionPlan): MemoryCost {
    return {
      inCores: DetectorMemory.heldBytes(memoryBytes(model, source, plan)),
      elsewhere: candidateBytes(passSide * passSide),
    };
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
    await this.#detectInWhole(whole, this.#addLook(whole, 1, leastSide));
    if (small) {
      using _region = this.#memory.region();
      const look = this.#addLook(small, 1, leastSideInSmall);
      await this.#detectInWhole(shrinkPicture(whole, small, this.#memory), look);
    }
    if (half) {
      this.#half = shrinkPicture(whole, half, this.#memory);
      using _region = this.#memory.region();
      if (meanLuma(this.#half) < darkBelow)
        await this.#detectInWhole(brighten(this.#half, this.#memory), this.#addLook(half, 1, leastSide));
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
    const halfLook = this.#look(half, 1, leastSide);
    let best: { rotation: QuarterTurns; detections: LookDetection[]; top: number } | undefined;
    for (const rotation of [1, 2, 3] as const) {
      const detections = await this.#detectTurned(half, rotation, halfLook);
      const top = highest(fuse(detections, [halfLook]));
      if (!best || top > best.top) best = { rotation, detections, top };
    }
    if (!best || best.top <= Math.max(least, this.highestLogit)) return;
    const looks = [halfLook];
    if (whole.width > half.width) {
      const wholeLook = this.#look(whole, 1, leastSide);
      looks.push(wholeLook);
      best.detections.push(...(await this.#detectTurned(whole, best.rotation, wholeLook)));
    }
    const turned = best.rotation * 90;
    this.#others.push(...fuse(best.detections, looks).map((box) => ({ ...box, turned })));
  }

  /** Shows the picture tilted by 35° to both sides, at half size. */
  async tilted(): Promise<void> {
    const half = this.#half!;
    for (const degrees of tilts) {
      const size = inputSize(tiltedSize(half, degrees));
      fillTilted(this.#tensor, half, degrees, size);
      const look = this.#look(half, 1, leastSide);
      const detections: LookDetection[] = [];
      for (const box of await this.#runPass(size))
        detections.push(this.#detection(untiltBox(box, degrees, half), half, look));
      const seen = fuse(detections, [look]);
      this.#others.push(...seen.map((box) => ({ ...box, logit: box.logit - tiltPenalty, turned: degrees })));
    }
  }

  /**
   * Reads the raster again for small faces of these confidences, and runs zoom passes over them.
   * @param sheets at most
   */
  async zoom(from: number, below: number, sheets: number): Promise<void> {
    const uncertain = this.found().filter(
      ({ logit }) => calibrated(logit) >= from && calibrated(logit) < below,
    );
    const look: Look = { weight: zoomWeight, scale: 1, leastSide: 0, partial: true };
    for await (const { sheet, faces, locate } of zoomSheets(
      this.#source,
      uncertain,
      this.#finestScale,
      sheets,
      this.#memory,
      this.#slice,
    )) {
      const size = inputSize(sheet);
      fillPart(this.#tensor, sheet, 0, 0, size);
      const seen = new Set<unknown>();
      for (const box of await this.#runPass(size)) {
        const located = locate(box);
        if (!located) continue;
        seen.add(located.face);
        this.#detections.push({ ...located.box, look, pass: this.passes, cut: false });
      }
      // What is not seen from near is the less likely a face.
      for (const { x, y, w, h } of faces.filter((face) => !seen.has(face))) {
        const confidence = scoreOf(leastLogit);
        this.#detections.push({ x, y, w, h, confidence, look, pass: this.passes, cut: false });
      }
    }
    if (!this.#looks.includes(look)) this.#looks.push(look);
  }

  /** Logit of the surest face so far. */
  get highestLogit(): number {
    return highest(this.found());
  }

  /** One box a face, most confident first. */
  found(): readonly FusedBox[] {
    const seen = this.#detections.length + this.#looks.length + this.#others.length;
    if (this.#found?.seen === seen) return this.#found.boxes;
    const upright = fuse(this.#detections, this.#looks);
    const boxes = this.#others.length === 0 ? upright : withoutCovered([...upright, ...this.#others]);
    this.#found = { boxes, seen };
    return boxes;
  }

  /**
   * As `found`, with the verifier's opinion of the surest.
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
      (crops, count) => verifier.verify(this.#workspace, crops, count),
      this.#tensor,
      this.#memory,
      this.#slice,
    );
    return withVerdicts(found, verdicts);
  }

  /** Reads the raster once and makes the passes over tiles; returns the whole picture, shrunk. */
  async #readTiles(plan: DetectionPlan): Promise<Picture> {
    const { fine } = plan;
    const look = fine && this.#addLook(fine.size, fineWeight, leastSide);
    const onTiles = async (band: Picture, top: number) => {
      for (const left of fine!.lefts) {
        fillPart(this.#tensor, band, left, top, fine!.tile);
        await this.#detectInTile(fine!, left, top, look!);
      }
    };
    const whole = await readPassInputs(this.#source, plan, onTiles, this.#memory, this.#slice);
    this.#finestScale = (fine?.size ?? whole).width / this.#source.width;
    const pause = this.#slice.end();
    if (pause) await pause;
    return whole;
  }

  #addLook(picture: Size, weight: number, least: number): Look {
    const look = this.#look(picture, weight, least);
    this.#looks.push(look);
    return look;
  }

  #look(picture: Size, weight: number, least: number): Look {
    return { weight, scale: picture.width / this.#source.width, leastSide: least };
  }

  /** One pass over the whole picture. */
  async #detectInWhole(picture: Picture, look: Look): Promise<void> {
    this.#detections.push(...(await this.#detectTurned(picture, 0, look)));
  }

  /** One pass over the whole picture, rotated clockwise. */
  async #detectTurned(picture: Picture, rotation: QuarterTurns, look: Look): Promise<LookDetection[]> {
    const back = ((4 - rotation) % 4) as QuarterTurns;
    const rotated = rotatedSize(picture, rotation);
    const size = inputSize(rotated);
    fillRotated(this.#tensor, picture, rotation, size);
    const detections: LookDetection[] = [];
    for (const box of await this.#runPass(size)) {
      detections.push(this.#detection(rotateBox(box, back, rotated), picture, look));
    }
    return detections;
  }

  async #detectEnlarged(whole: Picture, tiling: Tiling): Promise<void> {
    const look = this.#addLook(tiling.size, fineWeight, leastSide);
    for (const top of tiling.tops) {
      for (const left of tiling.lefts) {
        fillEnlarged(this.#tensor, whole, tiling.size, left, top, tiling.tile);
        await this.#detectInTile(tiling, left, top, look);
      }
    }
  }

  async #detectInTile({ size, tile: side }: Tiling, left: number, top: number, look: Look): Promise<void> {
    const tile = { x: left, y: top, w: side.width, h: side.height };
    for (const box of await this.#runPass(side)) {
      const placed = moveBox(box, left, top);
      this.#detections.push(this.#detection(placed, size, look, isCut(placed, tile, size)));
    }
  }

  /** One run of the model on what the tensor holds: its candidates after suppression, in input pixels. */
  async #runPass(size: Size): Promise<ScoredBox[]> {
    this.passes++;
    const input = this.#tensor.subarray(0, 3 * size.width * size.height);
    const pauseWithin = () => this.#slice.end();
    const { boxes, scores } = await this.#model.run(
      this.#workspace,
      input,
      size.width,
      size.height,
      pauseWithin,
    );
    const candidates: ScoredBox[] = [];
    for (let i = 0; i < scores.length; i++) {
      const confidence = scores[i]!;
      if (!(confidence >= leastScore)) continue;
      const x = boxes[4 * i]!;
      const y = boxes[4 * i + 1]!;
      const w = boxes[4 * i + 2]! - x;
      const h = boxes[4 * i + 3]! - y;
      if (w > 0 && h > 0) candidates.push({ x, y, w, h, confidence });
    }
    const pause = this.#slice.end();
    if (pause) await pause;
    return suppress(candidates.sort(byConfidence).slice(0, maxCandidates), sameFace);
  }

  /** @param picture the shrunk picture in whose pixels the box is */
  #detection(box: ScoredBox, picture: Size, look: Look, cut = false): LookDetection {
    const inRaster = scaleBox(box, this.#source.width / picture.width, this.#source.height / picture.height);
    return { ...inRaster, look, pass: this.passes, cut };
  }
}

const highest = (boxes: readonly FusedBox[]): number =>
  boxes.reduce((most, { logit }) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
