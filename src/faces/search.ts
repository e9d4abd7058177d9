import type { Raster, Size } from '../codecs/types.ts';
import { PASS_WORK, type TimeSlice, uninterrupted } from '../time_slice.ts';
import {
  byConfidence,
  moveBox,
  type QuarterTurns,
  rotateBox,
  type ScoredBox,
  scaleBox,
  suppress,
} from './boxes.ts';
import { type DetectionPlan, passSide, smallSide, type Tiling } from './detection_plan.ts';
import { isCut, mergeDetections, type PassDetection } from './merge.ts';
import { leastConfidence, sameFace } from './model.ts';
import { readPassInputs, shrinkPicture } from './pass_inputs.ts';
import type { FaceSession } from './session.ts';
import { fillPart, fillRotated, inputSize, type Picture, rotatedSize } from './tensor.ts';
import { openZoomPass } from './zoom_pass.ts';

/**
 * Most candidates of one pass, the most confident ones: bounds the time of hostile pictures.
 */
const maxCandidates = 500;

/**
 * The small whole-image pass is for faces that fill the picture: smaller ones are detected better by the
 * other passes.
 */
const minSideInSmall = smallSide / 4;

/**
 * One search for faces: its passes, which detector.ts orders, and what they have detected so far, in pixels
 * of the raster.
 */
export class Search {
  readonly #session: FaceSession;
  readonly #source: Raster;
  readonly #slice: TimeSlice;
  readonly #detections: PassDetection[] = [];
  readonly #tensor = new Float32Array(passSide * passSide * 3);
  #wholes: Picture[] = [];
  #finestScale = 1;
  /** Runs of the model so far. */
  passes = 0;

  /** @param slice lets other jobs run between passes and while the raster is read */
  constructor(session: FaceSession, source: Raster, slice: TimeSlice = uninterrupted) {
    this.#session = session;
    this.#source = source;
    this.#slice = slice;
  }

  /** Bytes of the tensor every pass is put into. */
  static readonly tensorBytes = passSide * passSide * 3 * Float32Array.BYTES_PER_ELEMENT;

  /** Reads the raster once and makes all planned passes, upright. */
  async upright(plan: DetectionPlan): Promise<void> {
    const detectInTiles = async (band: Picture, top: number) => {
      for (const left of plan.fine!.lefts) await this.#detectInTile(plan.fine!, band, left, top);
    };
    const whole = await readPassInputs(this.#source, plan, detectInTiles, this.#slice);
    this.#wholes = plan.small ? [whole, shrinkPicture(whole, plan.small)] : [whole];
    this.#finestScale = (plan.fine?.size ?? whole).width / this.#source.width;
    this.#detections.push(...(await this.#detectInWholes(0)));
  }

  /**
   * Detects faces in the whole picture rotated by 90°, 180° and 270°. The detections of the rotation with the
   * most confident face count if that face exceeds `minConfidence` and all faces so far: most detections in a
   * wrong rotation are false.
   */
  async otherRotations(minConfidence: number): Promise<void> {
    let best: PassDetection[] = [];
    for (const rotation of [1, 2, 3] as const) {
      const detections = await this.#detectInWholes(rotation);
      if (highestConfidence(detections) > highestConfidence(best)) best = detections;
    }
    if (highestConfidence(best) > Math.max(minConfidence, highestConfidence(this.#detections)))
      this.#detections.push(...best);
  }

  /**
   * Reads the raster again for small faces detected with less than this confidence, and runs a zoom pass over
   * them.
   */
  async zoom(confidence: number): Promise<void> {
    const uncertain = this.merged().filter((box) => box.confidence < confidence);
    const zoomPass = await openZoomPass(this.#source, uncertain, this.#finestScale, this.#slice);
    for (const [index, sheet] of zoomPass?.sheets.entries() ?? []) {
      fillPart(this.#tensor, sheet, 0, 0, sheet);
      for (const box of await this.#runPass(sheet)) {
        const located = zoomPass?.locate(box, index);
        if (located) this.#detections.push({ ...located, pass: this.passes, cut: false });
      }
    }
  }

  /** Highest confidence of a face so far, 0 if none. */
  get highestConfidence(): number {
    return highestConfidence(this.#detections);
  }

  /** One box a face, most confident first, from confidence 0.05 up. */
  merged(): ScoredBox[] {
    return mergeDetections(this.#detections);
  }

  /** Passes over the whole picture, rotated clockwise, at both sizes. */
  async #detectInWholes(rotation: QuarterTurns): Promise<PassDetection[]> {
    const back = ((4 - rotation) % 4) as QuarterTurns;
    const detections: PassDetection[] = [];
    for (const [index, whole] of this.#wholes.entries()) {
      const rotated = rotatedSize(whole, rotation);
      const size = inputSize(rotated);
      fillRotated(this.#tensor, whole, rotation, size);
      for (const box of await this.#runPass(size)) {
        if (index > 0 && Math.max(box.w, box.h) < minSideInSmall) continue;
        detections.push(this.#passDetection(rotateBox(box, back, rotated), whole, false));
      }
    }
    return detections;
  }

  async #detectInTile(tiling: Tiling, band: Picture, left: number, top: number): Promise<void> {
    fillPart(this.#tensor, band, left, top, tiling.tile);
    const tile = { x: left, y: top, w: tiling.tile.width, h: tiling.tile.height };
    for (const box of await this.#runPass(tiling.tile)) {
      const placed = moveBox(box, left, top);
      this.#detections.push(this.#passDetection(placed, band, isCut(placed, tile, band)));
    }
  }

  /** One run of the model on what the tensor holds: its candidates after suppression, in input pixels. */
  async #runPass(size: Size): Promise<ScoredBox[]> {
    this.passes++;
    const input = this.#tensor.subarray(0, 3 * size.width * size.height);
    const { boxes, scores } = await this.#session.run(input, size.width, size.height);
    const candidates: ScoredBox[] = [];
    for (let i = 0; i < scores.length; i++) {
      const confidence = scores[i]!;
      if (!(confidence >= leastConfidence)) continue;
      const x = boxes[4 * i]!;
      const y = boxes[4 * i + 1]!;
      const w = boxes[4 * i + 2]! - x;
      const h = boxes[4 * i + 3]! - y;
      if (w > 0 && h > 0) candidates.push({ x, y, w, h, confidence });
    }
    const pause = this.#slice.spend(PASS_WORK);
    if (pause) await pause;
    return suppress(candidates.sort(byConfidence).slice(0, maxCandidates), sameFace);
  }

  /** @param picture the shrunk picture in whose pixels the box is */
  #passDetection(box: ScoredBox, picture: Size, cut: boolean): PassDetection {
    const inRaster = scaleBox(box, this.#source.width / picture.width, this.#source.height / picture.height);
    return { ...inRaster, pass: this.passes, cut };
  }
}

const highestConfidence = (detections: readonly ScoredBox[]): number =>
  detections.reduce((most, { confidence }) => Math.max(most, confidence), 0);
