import type { Size } from '../codecs/types.ts';
import { inputSize } from '../faces/tensor.ts';

/** Longest long side of pictures that are shown whole and unscaled. */
const wholeSide = 960;

/**
 * Long side of the view of the whole for other pictures; it shows letters that are too large for the fine
 * view.
 */
const shrunkSide = 640;

/** Long side of the next smaller view, for letters and plates that are too large even there. */
const smallSide = 320;

/** Pictures whose long side is less than this times that view's do without it. */
const leastReduction = 1.5;

/** Pictures of up to this many pixels are shown unscaled, */
const ownPixels = 6e6;
/**
 * and larger ones at no smaller scale than this: letters 10 pixels high are then 8, which the network still
 * recognises.
 */
const leastScale = 0.8;

/** Most pixels shown of a picture: 50 megapixels give 32 million; strips give more, */
const mostPixels = 60e6;
/** and most of them in a row; the network holds about two kilobytes for each. */
const mostAcross = 16_000;

/** The views: the picture as fine as is worth the time, shrunk, and once more, smaller. */
export interface ReadingPlan {
  /** Absent if `whole` shows the picture unscaled. */
  readonly fine?: Size;
  readonly whole: Size;
  readonly small?: Size;
}

const scaled = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

/** The views of a picture of this size. */
export function planReading(size: Size): ReadingPlan {
  const longest = Math.max(size.width, size.height);
  const isWhole = longest <= wholeSide;
  const whole = scaled(size, isWhole ? 1 : shrunkSide / longest);
  const small = longest >= smallSide * leastReduction && { small: scaled(size, smallSide / longest) };
  if (isWhole) return { whole, ...small };
  const finest = Math.min(1, Math.max(leastScale, Math.sqrt(ownPixels / (size.width * size.height))));
  let fine = scaled(size, finest);
  for (let scale = finest; !fits(fine); scale *= 0.95) fine = scaled(size, scale);
  return { whole, ...small, fine };
}

function fits(fine: Size): boolean {
  const { width, height } = inputSize(fine);
  return width <= mostAcross && width * height <= mostPixels;
}
