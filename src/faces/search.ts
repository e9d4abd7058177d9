import type { Raster, Size } from '../codecs/types.ts';
import { PASS_WORK, type TimeSlice, uninterrupted } from '../time_slice.ts';
import { byConfidence, moveBox, type ScoredBox, scaleBox, suppress, type Turn, turnBox } from './boxes.ts';
import { type DetectionPlan, passSide, smallSide, type Tiling } from './detection_plan.ts';
import { isCut, mergeDetections, type PassDetection } from './merge.ts';
import { leastConfidence, sameFace } from './model.ts';
import { readPassInputs, shrinkPicture } from './pass_inputs.ts';
import type { FaceSession } from './session.ts';
import { fillPart, fillTurned, inputSize, type Picture, turnedSize } from './tensor.ts';
import { openZoomPass } from './zoom_pass.ts';

/**
 * Of one pass, the most confident are considered: keeps hostile pictures from costing more than crowds do.
 */
const mostCandidates = 500;

/**
 * The small whole-image pass is for faces that fill the picture: what is smaller there the other passes see
 * better.
 */
const leastInSmall = smallSide / 4;

/**
 * One search for faces under way: what has been seen so far, in the raster's pixels. Its steps are for
 * detector.ts to order.
 */
export class Search {
  readonly #session: FaceSession;
  readonly #source: Raster;
  readonly #slice: TimeSlice;
  readonly #seen: PassDetection[] = [];
  readonly #tensor = new Float32Array(passSide * passSide * 3);
  #wholes: Picture[] = [];
  #finestScale = 1;
  /** Runs of the model so far. */
  passes = 0;

  /** @param slice lets others run between passes and while the raster is read */
  constructor(session: FaceSession, source: Raster, slice: TimeSlice = uninterrupted) {
    this.#session = session;
    this.#source = source;
    this.#slice = slice;
  }

  /** Bytes of the tensor every pass is put into. */
  static readonly tensorBytes = passSide * passSide * 3 * Float32Array.BYTES_PER_ELEMENT;

  /** Reads the raster once and looks at all that is planned, upright. */
  async upright(looks: DetectionPlan): Promise<void> {
    const lookAtTiles = async (band: Picture, top: number) => {
      for (const left of looks.fine!.lefts) await this.#lookAtTile(looks.fine!, band, left, top);
    };
    const whole = await readPassInputs(this.#source, looks, lookAtTiles, this.#slice);
    this.#wholes = looks.small ? [whole, shrinkPicture(whole, looks.small)] : [whole];
    this.#finestScale = (looks.fine?.size ?? whole).width / this.#source.width;
    this.#seen.push(...(await this.#lookAtWholes(0)));
  }

  /**
   * DetectionPlan at the whole picture in the other three turns. What is seen in one of them, the one with
   * the surest face, counts if that face is surer than any seen so far and sure enough by itself: most of
   * what is seen in a wrong turn is not there.
   */
  async otherTurns(sureEnough: number): Promise<void> {
    let best: PassDetection[] = [];
    for (const turn of [1, 2, 3] as const) {
      const seen = await this.#lookAtWholes(turn);
      if (surest(seen) > surest(best)) best = seen;
    }
    if (surest(best) > Math.max(sureEnough, surest(this.#seen))) this.#seen.push(...best);
  }

  /**
   * Reads the raster again for small faces seen with less than this confidence, and looks at them in more
   * detail.
   */
  async again(confidence: number): Promise<void> {
    const doubted = this.merged().filter((box) => box.confidence < confidence);
    const sheets = await openZoomPass(this.#source, doubted, this.#finestScale, this.#slice);
    for (const [index, sheet] of sheets?.pictures.entries() ?? []) {
      fillPart(this.#tensor, sheet, 0, 0, sheet);
      for (const box of await this.#look(sheet)) {
        const located = sheets?.locate(box, index);
        if (located) this.#seen.push({ ...located, pass: this.passes, cut: false });
      }
    }
  }

  /** Confidence of the surest face seen so far, 0 if none. */
  get surest(): number {
    return surest(this.#seen);
  }

  /** One box a face, most confident first, from confidence 0.05 up. */
  merged(): ScoredBox[] {
    return mergeDetections(this.#seen);
  }

  /** DetectionPlan at the whole picture, turned clockwise, at both sizes. */
  async #lookAtWholes(turn: Turn): Promise<PassDetection[]> {
    const back = ((4 - turn) % 4) as Turn;
    const seen: PassDetection[] = [];
    for (const [index, whole] of this.#wholes.entries()) {
      const turned = turnedSize(whole, turn);
      const size = inputSize(turned);
      fillTurned(this.#tensor, whole, turn, size);
      for (const box of await this.#look(size)) {
        if (index > 0 && Math.max(box.w, box.h) < leastInSmall) continue;
        seen.push(this.#sighting(turnBox(box, back, turned), whole, false));
      }
    }
    return seen;
  }

  async #lookAtTile(tiling: Tiling, band: Picture, left: number, top: number): Promise<void> {
    fillPart(this.#tensor, band, left, top, tiling.tile);
    const tile = { x: left, y: top, w: tiling.tile.width, h: tiling.tile.height };
    for (const box of await this.#look(tiling.tile)) {
      const placed = moveBox(box, left, top);
      this.#seen.push(this.#sighting(placed, band, isCut(placed, tile, band)));
    }
  }

  /** One run of the model on what the tensor holds: its candidates after suppression, in input pixels. */
  async #look(size: Size): Promise<ScoredBox[]> {
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
    const turn = this.#slice.spend(PASS_WORK);
    if (turn) await turn;
    return suppress(candidates.sort(byConfidence).slice(0, mostCandidates), sameFace);
  }

  /** @param seenIn the shrunk picture in whose pixels the box is */
  #sighting(box: ScoredBox, seenIn: Size, cut: boolean): PassDetection {
    const inRaster = scaleBox(box, this.#source.width / seenIn.width, this.#source.height / seenIn.height);
    return { ...inRaster, pass: this.passes, cut };
  }
}

const surest = (seen: readonly ScoredBox[]): number =>
  seen.reduce((most, { confidence }) => Math.max(most, confidence), 0);
