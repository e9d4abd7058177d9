import { arraysCost, type BumpAllocator } from './bump_allocator.ts';
import type { Picture } from './tensor.ts';

/** Pictures of a lower mean luma are looked at with their shadows lifted, too. */
export const darkBelow = 70;

/**
 * Of a still lower one: at full size, too, with more light and less noise, and a face counts that is seen
 * there alone (docs/faces.md: how it was chosen).
 */
export const nightBelow = 40;

/** Taken off the logit of a face that is seen in that view: it is one view's alone. */
export const nightPenalty = 0.75;

/** The mean luma that shadows are lifted to, as far as the least gamma does. */
const wantedLuma = 110;
const leastGamma = 0.25;

/** Pixels whose mean takes the place of one: noise is lifted with the shadows. */
const MEAN_OF = 9;
/** Their sum is 0 to this. */
const MOST_SUM = MEAN_OF * 255;

/** Values of a row of sums, with a pixel more at both ends. */
const sumsOf = (width: number) => (width + 2) * 3;

/**
 * The same picture (all of its rows held) with its shadows lifted and its noise evened out: each pixel is the
 * mean of 3 × 3, black and white stay.
 * @param luma its mean
 */
export function liftShadows(picture: Picture, luma: number, memory: BumpAllocator): Picture {
  const { width, height, pixels } = picture;
  const lifted = memory.bytes(pixels.length);
  using _region = memory.region();
  const bySum = memory.bytes(MOST_SUM + 1);
  const exact = Math.log(wantedLuma / 255) / Math.log(Math.max(luma, 1) / 255);
  const gamma = Math.max(leastGamma, Math.min(1, exact));
  for (let sum = 0; sum <= MOST_SUM; sum++) bySum[sum] = Math.round(255 * (sum / MOST_SUM) ** gamma);
  // Sums of three values below each other, with the pixels at both ends once more.
  const sums = memory.integers(sumsOf(width));
  const row = width * 3;
  for (let y = 0; y < height; y++) {
    const at = y * row;
    const [above, below] = [y > 0 ? at - row : at, y + 1 < height ? at + row : at];
    for (let i = 0; i < row; i++) sums[i + 3] = pixels[above + i]! + pixels[at + i]! + pixels[below + i]!;
    sums.copyWithin(0, 3, 6);
    sums.copyWithin(row + 3, row, row + 3);
    for (let i = 0; i < row; i++) lifted[at + i] = bySum[sums[i]! + sums[i + 3]! + sums[i + 6]!]!;
  }
  return { ...picture, pixels: lifted };
}

/** Bytes that `liftShadows` takes beside its picture. */
export const liftingCost = (width: number): number =>
  arraysCost(MOST_SUM + 1, sumsOf(width) * Int32Array.BYTES_PER_ELEMENT);
