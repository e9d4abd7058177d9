import type { Size } from '../codecs/types.ts';
import { inputSize } from '../faces/tensor.ts';

/** Long side of pictures that are shown whole, as they are. */
const wholeSide = 960;

/** Of others, that of the view of the whole, which shows letters that are too large for the other. */
const shrunkSide = 640;

/** Long side of the view after that, for letters and plates that are too large there. */
const smallSide = 320;

/** Pictures without so many times its pixels a side do without it. */
const leastReduction = 1.5;

/** Pictures of up to so many pixels are shown as they are, */
const ownPixels = 6e6;
/** and larger ones no smaller than this: letters 10 pixels high are 8 then, which the network still knows. */
const leastScale = 0.8;

/** Most pixels that are shown of a picture: of 50 megapixels there are 32 million; strips take more, */
const mostPixels = 60e6;
/** and most of them in a row, of which the network holds about two kilobytes each. */
const mostAcross = 16_000;

/** What is looked at: a picture as finely as it is worth it, shrunk, and once more, smaller. */
export interface ReadingPlan {
  /** Absent: `whole` shows it as it is. */
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
