import type { ScoredBox } from '../faces/boxes.ts';

/** A picture, or a part of one, as a detector is shown it: opaque, upright, in the colours of its file. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** Interleaved 8-bit RGBA of width × height pixels, as in an `ImageData`. It is used again after the call. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** What a detector has found, in pixels of the view; it may reach outside. */
export interface DetectedBox extends ScoredBox {
  /** One of the detector's `kinds`. */
  readonly kind: string;
}

/** The whole picture, shrunk until its longer side has at most so many pixels; it is never enlarged. */
export interface WholeView {
  /** 32 to 4,096. */
  readonly whole: number;
}

/** Square tiles that overlap and together cover the picture. */
export interface TiledView {
  /** Side of a tile in pixels, 32 to 2,048. */
  readonly tiles: number;
  /** Pixels of the tiled picture for one of the picture, above 0 to 1. Default 1. */
  readonly scale?: number | undefined;
  /** Pixels that neighbours share, under half a tile. Default: a tenth of a tile. */
  readonly overlap?: number | undefined;
}

/** Where a detector looks. */
export type ViewPlan = WholeView | TiledView;

/**
 * Whatever finds things in pictures: a network, a service, another library. Where it looks is the search's
 * business (search.ts): a detector answers for one view at a time.
 */
export interface Detector {
  /** A word that ops and reports use: small letters, digits and hyphens, at most 32. */
  readonly name: string;
  /** What its boxes may be: `face`, `plate`, `text`, `person` or a word of one's own. */
  readonly kinds: readonly string[];
  /** Least confidence of what counts where the ops name none, 0 to 1. Default 0.5. */
  readonly confidence?: number | undefined;
  /** Default: the whole, at most 640 pixels long. */
  readonly views?: readonly ViewPlan[] | undefined;
  /** Bytes that it holds while it looks, beside the view: they count in a job's memory. Default 0. */
  readonly memory?: number | undefined;
  /** Boxes of one kind that overlap by more (intersection over union) are one, 0 to 1. Default 0.45. */
  readonly sameBox?: number | undefined;
  /** @param signal aborted when nobody waits for the answer any longer */
  detect(view: View, signal?: AbortSignal): Promise<readonly DetectedBox[]> | readonly DetectedBox[];
}

/** What is looked at where a detector names no views. */
export const DEFAULT_VIEWS: readonly ViewPlan[] = [{ whole: 640 }];
export const DEFAULT_CONFIDENCE = 0.5;
export const DEFAULT_SAME_BOX = 0.45;

/** A manifest or a model that can't be used, or a detector that answered what no box can be. */
export class DetectorError extends Error {
  override readonly name = 'DetectorError';
  /** All that is wrong, one line each. */
  readonly problems: readonly string[];

  /** @param of the detector's name, or its file's */
  constructor(of: string, problems: readonly string[]) {
    super(`Detector ${of}: ${problems.join('; ')}`);
    this.problems = problems;
  }
}
