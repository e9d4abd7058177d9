/** A picture, or a part of one, as given to a detector: opaque, upright, in the colours of its file. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** Interleaved 8-bit RGBA, width × height × 4 bytes as in an `ImageData`; reused after the call. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** A box found by a detector, in pixels of the view; may extend outside of it. */
export interface DetectedBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** One of the detector's `kinds`. */
  readonly kind: string;
}

/** The whole picture, shrunk until its longer side has at most this many pixels; never enlarged. */
export interface WholeView {
  /** 32 to 4,096. */
  readonly whole: number;
}

/** Square tiles that overlap and together cover the picture. */
export interface TiledView {
  /** Side of a tile in pixels, 32 to 2,048. */
  readonly tiles: number;
  /** Pixels of the tiled picture per pixel of the original, above 0 to 1. Default 1. */
  readonly scale?: number | undefined;
  /** Pixels that neighbours share, under half a tile. Default: a tenth of a tile. */
  readonly overlap?: number | undefined;
}

/** Where a detector looks. */
export type ViewPlan = WholeView | TiledView;

/**
 * Anything that finds things in pictures: a network, a service, another library. Where it looks is decided by
 * the search (search.ts): a detector answers for one view at a time.
 */
export interface Detector {
  /** A word used in ops and reports: lower-case letters, digits and hyphens, at most 32. */
  readonly name: string;
  /** The possible kinds of its boxes: `face`, `plate`, `text`, `person` or any other word. */
  readonly kinds: readonly string[];
  /** Least confidence of boxes that count if the ops state none, 0 to 1. Default 0.5. */
  readonly confidence?: number | undefined;
  /** Default: the whole picture, its longer side at most 640 pixels. */
  readonly views?: readonly ViewPlan[] | undefined;
  /** Bytes that it holds during detection, besides the view; counted in a job's memory. Default 0. */
  readonly memory?: number | undefined;
  /** Boxes of one kind whose intersection over union is larger than this are one, 0 to 1. Default 0.45. */
  readonly sameBox?: number | undefined;
  /** @param signal aborted when nobody waits for the answer any more */
  detect(view: View, signal?: AbortSignal): Promise<readonly DetectedBox[]> | readonly DetectedBox[];
}

/** The form of detector names; the schema of ops has the same. */
const DETECTOR_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** The views of a detector that names none. */
export const DEFAULT_VIEWS: readonly ViewPlan[] = [{ whole: 640 }];
export const DEFAULT_CONFIDENCE = 0.5;
export const DEFAULT_SAME_BOX = 0.45;

/** A manifest or a model that can't be used, or a detector whose answer is not a list of valid boxes. */
export class DetectorError extends Error {
  override readonly name = 'DetectorError';
  /** Everything that is wrong, one line each. */
  readonly problems: readonly string[];

  /** @param label name of the detector, or of its file */
  constructor(label: string, problems: readonly string[]) {
    super(`Detector ${label}: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/**
 * Checks detectors passed by a caller: they may come from anybody's code.
 * @throws DetectorError with everything that is wrong
 */
export function checkedDetectors(detectors: readonly Detector[]): readonly Detector[] {
  const names = new Set<string>();
  for (const [at, detector] of [...detectors].entries()) {
    const {
      name,
      kinds,
      views = DEFAULT_VIEWS,
      confidence = 0,
      sameBox = 0,
      memory = 0,
      detect,
    } = detector ?? {};
    const rules: readonly (readonly [boolean, string])[] = [
      [
        typeof name === 'string' && DETECTOR_NAME.test(name),
        'name: Expected small letters, digits and hyphens',
      ],
      [!names.has(name), 'name: Expected another than of a detector before it'],
      [
        isFilledList(kinds) && kinds.every((kind) => typeof kind === 'string'),
        'kinds: Expected a list of words',
      ],
      [isFilledList(views) && views.every(isPlan), 'views: Expected plans of whole or tiles'],
      [isShare(confidence), 'confidence: Expected 0 to 1'],
      [isShare(sameBox), 'sameBox: Expected 0 to 1'],
      [Number.isSafeInteger(memory) && memory >= 0, 'memory: Expected a whole number of bytes'],
      [typeof detect === 'function', 'detect: Expected a function'],
    ];
    const problems = rules.flatMap(([holds, problem]) => (holds ? [] : [problem]));
    if (problems.length > 0) throw new DetectorError(String(name ?? `number ${at + 1}`), problems);
    names.add(name);
  }
  return detectors;
}

const isFilledList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0;
const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
const isSide = (value: unknown, most: number) =>
  Number.isInteger(value) && Number(value) >= 32 && Number(value) <= most;

function isPlan(value: unknown): boolean {
  const { whole, tiles, scale = 1, overlap = 0 } = (value ?? {}) as Partial<WholeView & TiledView>;
  if (tiles === undefined) return isSide(whole, 4096);
  return whole === undefined && isSide(tiles, 2048) && scale > 0 && scale <= 1 && overlap >= 0;
}
