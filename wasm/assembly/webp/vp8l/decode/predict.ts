/**
 * The inverse predictor transform (WebP lossless bitstream specification, section 4.1): a pixel is its
 * residual plus a prediction from its neighbours to the left and above, each channel modulo 256.
 *
 * Rows are ARGB words. Up to 16 bytes are read and written beyond a row's end.
 */

const BLACK: u32 = 0xff00_0000;
const lowBits = memory.data<u8>([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 16);

/**
 * Reconstructs row `y` of `width` pixels from the residuals at `from` into `out`.
 * @param modes this row of blocks' modes: a byte per block of 2^bits pixels
 * @param above the reconstructed previous row, for y > 0; one more pixel is written after it
 */
export function predictRow(
  modes: usize,
  bits: u32,
  width: i32,
  y: i32,
  from: usize,
  above: usize,
  out: usize,
): void {
  const end = out + ((<usize>width) << 2);
  // At the borders the mode does not matter. First row: black, then the pixel to the left; first column:
  // above.
  if (y === 0) {
    v128.store32_lane(out, i8x16.add(v128.load32_zero(from), i32x4.splat(BLACK)), 0);
    byLeft(from + 4, out + 4, end);
    return;
  }
  v128.store32_lane(out, i8x16.add(v128.load32_zero(from), v128.load32_zero(above)), 0);
  // Above right of the last pixel counts the first pixel of this row.
  store<u32>(above + ((<usize>width) << 2), load<u32>(out));
  for (let x = 1; x < width; ) {
    const blockEnd = min(width, ((x >> bits) + 1) << bits);
    const at = (<usize>x) << 2;
    predictBlock(
      <i32>load<u8>(modes + (x >> bits)),
      from + at,
      above + at,
      out + at,
      out + ((<usize>blockEnd) << 2),
    );
    x = blockEnd;
  }
}

function predictBlock(mode: i32, from: usize, above: usize, out: usize, end: usize): void {
  switch (mode) {
    case 1:
      byLeft(from, out, end);
      return;
    case 2:
      byAbove(from, above, out, end);
      return;
    case 3:
      byAbove(from, above + 4, out, end);
      return;
    case 4:
      byAbove(from, above - 4, out, end);
      return;
    case 5:
      byLeftRightAbove(from, above, out, end);
      return;
    case 6:
      byLeftMean(from, above - 4, out, end);
      return;
    case 7:
      byLeftMean(from, above, out, end);
      return;
    case 8:
      byAboveMean(from, above - 4, above, out, end);
      return;
    case 9:
      byAboveMean(from, above, above + 4, out, end);
      return;
    case 10:
      byFour(from, above, out, end);
      return;
    case 11:
      bySelection(from, above, out, end);
      return;
    case 12:
      byGradient(from, above, out, end);
      return;
    case 13:
      byHalfGradient(from, above, out, end);
      return;
    default:
      byBlack(from, out, end);
  }
}

/** floor((a + b) / 2): the instruction rounds up, so take back the bit it added. */
// @inline
function mean(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), v128.load(lowBits)));
}

/** 0; and 14 and 15, which an encoder must not write. */
function byBlack(from: usize, out: usize, end: usize): void {
  const black = i32x4.splat(BLACK);
  for (; out < end; out += 16, from += 16) v128.store(out, i8x16.add(v128.load(from), black));
}

/** 1: sums of all residuals so far, four pixels at a time. */
function byLeft(from: usize, out: usize, end: usize): void {
  let left = v128.load32_splat(out - 4);
  const none = i32x4.splat(0);
  for (; out < end; out += 16, from += 16) {
    let sums = v128.load(from);
    sums = i8x16.add(sums, v128.shuffle<u32>(none, sums, 0, 4, 5, 6));
    sums = i8x16.add(sums, v128.shuffle<u32>(none, sums, 0, 0, 4, 5));
    sums = i8x16.add(sums, left);
    v128.store(out, sums);
    left = v128.shuffle<u32>(sums, sums, 3, 3, 3, 3);
  }
}

/** 2, 3 and 4: a pixel of the row above. */
function byAbove(from: usize, above: usize, out: usize, end: usize): void {
  for (; out < end; out += 16, from += 16, above += 16) {
    v128.store(out, i8x16.add(v128.load(from), v128.load(above)));
  }
}

/** 8 and 9: the mean of two pixels of the row above. */
function byAboveMean(from: usize, one: usize, other: usize, out: usize, end: usize): void {
  for (; out < end; out += 16, from += 16, one += 16, other += 16) {
    v128.store(out, i8x16.add(v128.load(from), mean(v128.load(one), v128.load(other))));
  }
}

/** 6 and 7: the mean of left and a pixel of the row above. */
function byLeftMean(from: usize, above: usize, out: usize, end: usize): void {
  let left = v128.load32_zero(out - 4);
  for (; out < end; out += 4, from += 4, above += 4) {
    left = i8x16.add(mean(left, v128.load32_zero(above)), v128.load32_zero(from));
    v128.store32_lane(out, left, 0);
  }
}

/** 5: the mean of above and the mean of left and above right. */
function byLeftRightAbove(from: usize, above: usize, out: usize, end: usize): void {
  let left = v128.load32_zero(out - 4);
  for (; out < end; out += 4, from += 4, above += 4) {
    const predicted = mean(mean(left, v128.load32_zero(above, 4)), v128.load32_zero(above));
    left = i8x16.add(predicted, v128.load32_zero(from));
    v128.store32_lane(out, left, 0);
  }
}

/** 10: the mean of the means of left and above left, above and above right. */
function byFour(from: usize, above: usize, out: usize, end: usize): void {
  let left = v128.load32_zero(out - 4);
  for (; out < end; out += 4, from += 4, above += 4) {
    const right = mean(v128.load32_zero(above), v128.load32_zero(above, 4));
    left = i8x16.add(mean(mean(left, v128.load32_zero(above - 4)), right), v128.load32_zero(from));
    v128.store32_lane(out, left, 0);
  }
}

// @inline
function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

/** 11: left or above, whichever is nearer to left + above - above left; above where neither is. */
function bySelection(from: usize, above: usize, out: usize, end: usize): void {
  let left = v128.load32_zero(out - 4);
  let corner = v128.load32_zero(above - 4);
  for (; out < end; out += 4, from += 4, above += 4) {
    const over = v128.load32_zero(above);
    // The estimate is as far from left as above is from above left, and vice versa.
    const toLeft = sumOfFour(difference(over, corner));
    const toAbove = sumOfFour(difference(left, corner));
    const predicted = v128.bitselect(left, over, i32x4.lt_s(toLeft, toAbove));
    left = i8x16.add(predicted, v128.load32_zero(from));
    v128.store32_lane(out, left, 0);
    corner = over;
  }
}

/** In each 32-bit lane the sum of its bytes. */
// @inline
function sumOfFour(bytes: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
}

/** 12: left + above - above left, clamped. */
function byGradient(from: usize, above: usize, out: usize, end: usize): void {
  let left = i16x8.extend_low_i8x16_u(v128.load32_zero(out - 4));
  let corner = i16x8.extend_low_i8x16_u(v128.load32_zero(above - 4));
  for (; out < end; out += 4, from += 4, above += 4) {
    const over = i16x8.extend_low_i8x16_u(v128.load32_zero(above));
    const sum = i16x8.add(left, i16x8.sub(over, corner));
    const pixel = i8x16.add(i8x16.narrow_i16x8_u(sum, sum), v128.load32_zero(from));
    v128.store32_lane(out, pixel, 0);
    left = i16x8.extend_low_i8x16_u(pixel);
    corner = over;
  }
}

/**
 * 13: the mean m of left and above, plus half of its difference to above left; halves are rounded towards
 * zero.
 */
function byHalfGradient(from: usize, above: usize, out: usize, end: usize): void {
  let left = i16x8.extend_low_i8x16_u(v128.load32_zero(out - 4));
  let corner = i16x8.extend_low_i8x16_u(v128.load32_zero(above - 4));
  for (; out < end; out += 4, from += 4, above += 4) {
    const over = i16x8.extend_low_i8x16_u(v128.load32_zero(above));
    const middle = i16x8.shr_u(i16x8.add(left, over), 1);
    const excess = i16x8.sub(middle, corner);
    const half = i16x8.shr_s(i16x8.add(excess, i16x8.shr_u(excess, 15)), 1);
    const sum = i16x8.add(middle, half);
    const pixel = i8x16.add(i8x16.narrow_i16x8_u(sum, sum), v128.load32_zero(from));
    v128.store32_lane(out, pixel, 0);
    left = i16x8.extend_low_i8x16_u(pixel);
    corner = over;
  }
}
