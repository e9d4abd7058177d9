/**
 * Depthwise 3 × 3 convolutions: each channel by itself. Channels are interleaved (NHWC), 16-bit integers.
 * Sums of products are exact, and the same in every engine.
 *
 * One instruction multiplies and adds two inputs of a channel that lie side by side in a vector: from the two
 * upper rows, those of one column; from the row below, those of two neighbouring columns.
 */

/** Bytes of the weights of eight channels. */
const BLOCK = 208;

/** Pixels computed for eight channels before the next eight, so that their inputs stay in the cache. */
const RUN = 32;

/**
 * Computes one row of outputs.
 * @param above three rows of inputs, each with a pixel of zeros at both ends: `above`, `row`, `below`
 * @param weights for every eight channels: eight biases and a shift, 32 bits each; padding up to 48 bytes;
 * then five times eight pairs of weights, a pair per channel: the three columns of the upper two rows, the
 * lower row's first and second tap, and 0 with its third; sums stay within 32 bits
 * @param width number of outputs
 * @param channels a multiple of 8
 * @param stride 1 or 2
 * @param least the least output: 0 is ReLU
 */
export function faceDepthwiseRow(
  above: usize,
  row: usize,
  below: usize,
  to: usize,
  weights: usize,
  width: i32,
  channels: i32,
  stride: i32,
  least: i32,
): void {
  const pixel = (<usize>channels) << 1;
  const end = to + pixel * <usize>width;
  const run = pixel * RUN;
  const floor = i16x8.splat(<i16>least);
  while (to < end) {
    const runEnd = min(to + run, end);
    let block = weights;
    for (let at: usize = 0; at < pixel; at += 16) {
      if (stride === 1)
        nextPixels(above + at, row + at, below + at, to + at, runEnd + at, block, pixel, floor);
      else everySecond(above + at, row + at, below + at, to + at, runEnd + at, block, pixel, floor);
      block += BLOCK;
    }
    to = runEnd;
    above += run * <usize>stride;
    row += run * <usize>stride;
    below += run * <usize>stride;
  }
}

/** Eight channels of a run of outputs, with stride 1. */
function nextPixels(
  above: usize,
  row: usize,
  below: usize,
  to: usize,
  end: usize,
  weights: usize,
  pixel: usize,
  least: v128,
): void {
  const shift = load<i32>(weights, 32);
  nextFour(above, row, below, to, end, weights, shift, pixel, least);
  nextFour(above + 8, row + 8, below + 8, to + 8, end + 8, weights + 16, shift, pixel, least);
}

/**
 * Four channels of a run of outputs, with stride 1: each output reads only one new column of inputs, and the
 * weights stay in registers.
 * @param weights address of these channels' biases; their pairs of weights follow at the offsets of a block
 */
function nextFour(
  above: usize,
  row: usize,
  below: usize,
  to: usize,
  end: usize,
  weights: usize,
  shift: i32,
  pixel: usize,
  least: v128,
): void {
  const bias = v128.load(weights);
  const weights0 = v128.load(weights, 48);
  const weights1 = v128.load(weights, 80);
  const weights2 = v128.load(weights, 112);
  const lowerWeights1 = v128.load(weights, 144);
  const lowerWeights2 = v128.load(weights, 176);
  let upper0 = fourPairs(above, row);
  let upper1 = fourPairs(above + pixel, row + pixel);
  const first = v128.load64_zero(below);
  let last = v128.load64_zero(below + pixel);
  let lower1 = lowPairs(first, last);
  above += pixel;
  row += pixel;
  below += pixel;
  // Two outputs at a time share the instructions that narrow them.
  for (const inTwos = to + ((end - to) / (pixel << 1)) * (pixel << 1); to < inTwos; to += pixel) {
    above += pixel;
    row += pixel;
    below += pixel;
    const upper2 = fourPairs(above, row);
    const middle = v128.load64_zero(below);
    const lower2 = lowPairs(last, middle);
    let one = i32x4.add(bias, i32x4.dot_i16x8_s(upper0, weights0));
    one = i32x4.add(one, i32x4.dot_i16x8_s(upper1, weights1));
    one = i32x4.add(one, i32x4.dot_i16x8_s(upper2, weights2));
    one = i32x4.add(one, i32x4.dot_i16x8_s(lower1, lowerWeights1));
    one = i32x4.add(one, i32x4.dot_i16x8_s(lower2, lowerWeights2));
    above += pixel;
    row += pixel;
    below += pixel;
    const upper3 = fourPairs(above, row);
    last = v128.load64_zero(below);
    lower1 = lowPairs(middle, last);
    let other = i32x4.add(bias, i32x4.dot_i16x8_s(upper1, weights0));
    other = i32x4.add(other, i32x4.dot_i16x8_s(upper2, weights1));
    other = i32x4.add(other, i32x4.dot_i16x8_s(upper3, weights2));
    other = i32x4.add(other, i32x4.dot_i16x8_s(lower2, lowerWeights1));
    other = i32x4.add(other, i32x4.dot_i16x8_s(lower1, lowerWeights2));
    upper0 = upper2;
    upper1 = upper3;
    const values = narrowed(one, other, shift, least);
    v128.store64_lane(to, values, 0);
    to += pixel;
    v128.store64_lane(to, values, 1);
  }
  if (to >= end) return;
  const lower2 = lowPairs(last, v128.load64_zero(below + pixel));
  let sum = i32x4.add(bias, i32x4.dot_i16x8_s(upper0, weights0));
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(upper1, weights1));
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(fourPairs(above + pixel, row + pixel), weights2));
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(lower1, lowerWeights1));
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(lower2, lowerWeights2));
  v128.store64_lane(to, narrowed(sum, sum, shift, least), 0);
}

/** Eight channels of outputs whose inputs are two columns apart. */
function everySecond(
  above: usize,
  row: usize,
  below: usize,
  to: usize,
  end: usize,
  weights: usize,
  pixel: usize,
  least: v128,
): void {
  const shift = load<i32>(weights, 32);
  const next = pixel << 1;
  for (; to < end; to += pixel) {
    const upper0 = v128.load(above);
    const upper1 = v128.load(above + pixel);
    const upper2 = v128.load(above + next);
    const middle0 = v128.load(row);
    const middle1 = v128.load(row + pixel);
    const middle2 = v128.load(row + next);
    put(
      to,
      weights,
      shift,
      lowPairs(upper0, middle0),
      highPairs(upper0, middle0),
      lowPairs(upper1, middle1),
      highPairs(upper1, middle1),
      lowPairs(upper2, middle2),
      highPairs(upper2, middle2),
      v128.load(below),
      v128.load(below + pixel),
      v128.load(below + next),
      least,
    );
    above += next;
    row += next;
    below += next;
  }
}

// @inline
function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @inline
function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Pairs of four channels. */
// @inline
function fourPairs(above: usize, row: usize): v128 {
  return lowPairs(v128.load64_zero(above), v128.load64_zero(row));
}

// @inline
function narrowed(low: v128, high: v128, shift: i32, least: v128): v128 {
  return i16x8.max_s(i16x8.narrow_i32x4_s(i32x4.shr_s(low, shift), i32x4.shr_s(high, shift)), least);
}

/** Eight channels of one output: of `low` and `high` pairs of the upper rows, of `lower` single inputs. */
// @inline
function put(
  to: usize,
  weights: usize,
  shift: i32,
  low0: v128,
  high0: v128,
  low1: v128,
  high1: v128,
  low2: v128,
  high2: v128,
  lower0: v128,
  lower1: v128,
  lower2: v128,
  least: v128,
): void {
  let low = i32x4.add(v128.load(weights), i32x4.dot_i16x8_s(low0, v128.load(weights, 48)));
  let high = i32x4.add(v128.load(weights, 16), i32x4.dot_i16x8_s(high0, v128.load(weights, 64)));
  low = i32x4.add(low, i32x4.dot_i16x8_s(low1, v128.load(weights, 80)));
  high = i32x4.add(high, i32x4.dot_i16x8_s(high1, v128.load(weights, 96)));
  low = i32x4.add(low, i32x4.dot_i16x8_s(low2, v128.load(weights, 112)));
  high = i32x4.add(high, i32x4.dot_i16x8_s(high2, v128.load(weights, 128)));
  low = i32x4.add(low, i32x4.dot_i16x8_s(lowPairs(lower0, lower1), v128.load(weights, 144)));
  high = i32x4.add(high, i32x4.dot_i16x8_s(highPairs(lower0, lower1), v128.load(weights, 160)));
  low = i32x4.add(low, i32x4.dot_i16x8_s(lowPairs(lower1, lower2), v128.load(weights, 176)));
  high = i32x4.add(high, i32x4.dot_i16x8_s(highPairs(lower1, lower2), v128.load(weights, 192)));
  v128.store(to, narrowed(low, high, shift, least));
}

/**
 * One row of outputs: of every 2 × 2 pixels the largest value of each channel.
 * @param upper two rows of inputs, twice as many pixels as outputs: `upper` and `lower`
 * @param channels a multiple of 8
 */
export function faceMaxPoolRow(upper: usize, lower: usize, to: usize, width: i32, channels: i32): void {
  const pixel = (<usize>channels) << 1;
  for (const end = to + pixel * <usize>width; to < end; ) {
    for (const pixelEnd = to + pixel; to < pixelEnd; to += 16) {
      const above = i16x8.max_s(v128.load(upper), v128.load(upper + pixel));
      const below = i16x8.max_s(v128.load(lower), v128.load(lower + pixel));
      v128.store(to, i16x8.max_s(above, below));
      upper += 16;
      lower += 16;
    }
    upper += pixel;
    lower += pixel;
  }
}
