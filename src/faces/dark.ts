import { arraysCost, type BumpAllocator } from './bump_allocator.ts';
import { lumaAt, type Picture } from './tensor.ts';

/** Pictures with a lower mean luma than this are shown once more, with their shadows lifted. */
export const darkBelow = 70;

/**
 * Below this mean luma they are shown at full size, too, brighter and with less noise. A face that only this
 * view shows counts (docs/faces.md: how it was chosen).
 */
export const nightBelow = 40;

/**
 * So are lighter ones whose darker half has a lower mean luma than this: faces before light are dark
 * (docs/faces.md: how it was chosen).
 */
const shadowsBelow = 12;

/** Subtracted from the logit of a face in that view, as no other view has a say. */
export const nightPenalty = 0.25;

/** Shadows are lifted until the mean luma is this, or gamma is at its least. */
const wantedLuma = 110;
const leastGamma = 0.25;

/**
 * The luma that `liftShadows` is to lift a picture by: its mean at night, in deep shadow twice the mean of
 * its darker half. Absent: it is not dark enough.
 * @param luma the picture's mean luma, 0 to 255
 */
export function lumaToLift(picture: Picture, luma: number): number | undefined {
  if (luma < nightBelow) return luma;
  const shadows = meanOfDarkerHalf(picture);
  return shadows < shadowsBelow ? 2 * shadows : undefined;
}

function meanOfDarkerHalf({ width, height, pixels }: Picture): number {
  const counts = new Uint32Array(256);
  for (let i = 0; i < pixels.length; i += 3) counts[Math.round(lumaAt(pixels, i))]!++;
  const half = (width * height) / 2;
  let [sum, counted] = [0, 0];
  for (let luma = 0; counted < half; luma++) {
    const darkest = Math.min(counts[luma]!, half - counted);
    sum += darkest * luma;
    counted += darkest;
  }
  return sum / half;
}

/** Each pixel becomes the mean of this many, because lifting shadows also lifts their noise. */
const MEAN_OF = 9;
/** The largest sum of that many values. */
const MOST_SUM = MEAN_OF * 255;

/** Values in a row of sums, with one more pixel at both ends. */
const sumsOf = (width: number) => (width + 2) * 3;

/**
 * The same picture (all rows held) with its shadows lifted by gamma and its noise smoothed: each pixel is
 * the mean of 3 × 3. Black and white stay.
 * @param luma the picture's mean luma, 0 to 255
 */
export function liftShadows(picture: Picture, luma: number, memory: BumpAllocator): Picture {
  const { width, height, pixels } = picture;
  const lifted = memory.bytes(pixels.length);
  using _region = memory.region();
  const bySum = memory.bytes(MOST_SUM + 1);
  const exact = Math.log(wantedLuma / 255) / Math.log(Math.max(luma, 1) / 255);
  const gamma = Math.max(leastGamma, Math.min(1, exact));
  for (let sum = 0; sum <= MOST_SUM; sum++) bySum[sum] = Math.round(255 * (sum / MOST_SUM) ** gamma);
  // Sums of three values in a column; the first and last pixels are repeated at the ends.
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

/** Bytes that `liftShadows` takes besides its result. */
export const liftingCost = (width: number): number =>
  arraysCost(MOST_SUM + 1, sumsOf(width) * Int32Array.BYTES_PER_ELEMENT);
