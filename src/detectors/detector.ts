/** A picture, or a part of one, as a detector is shown it: opaque, upright, in the colours of its file. */
export interface View {
  readonly width: number;
  readonly height: number;
  /** Interleaved 8-bit RGBA, width × height × 4 bytes as in an `ImageData`; used again after the call. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** What a detector has found, in pixels of the view; it may reach outside. */
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

/** What a detector may be called; the schema of ops says the same. */
const DETECTOR_NAME = /^[a-z][a-z0-9-]{0,31}$/;

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

/**
 * What a caller passes as detectors, checked: anybody's code may have made them.
 * @throws DetectorError with all that is wrong in one
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
