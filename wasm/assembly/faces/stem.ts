/**
 * First layer of the networks: a 3 × 3 convolution with stride 2 from an RGB picture to STEM_CHANNELS
 * channels, and ReLU. Channels are interleaved (NHWC), 16-bit integers.
 */

/** Channels of the outputs: two vectors. */
const STEM_CHANNELS = 16;

/** Steps per unit of a colour of 0 to 255. */
const STEPS: f32 = 64;
const STEP_BITS = 6;

/** A float plus 1.5 · 2^23 has the float, rounded to the nearest integer, in its lowest bits. */
const ROUNDING: f32 = 12_582_912;
const ROUNDING_BITS = 0x4b400000;

/**
 * Spreads a row of interleaved RGB, a byte per colour, over three planes of 32-bit floats.
 * @param to red values; green and blue ones follow, each `plane` bytes further
 */
export function faceSpreadRow(from: usize, to: usize, plane: usize, pixels: i32): void {
  // Picks the bytes of one colour from four pixels; 64 gives a zero.
  const reds = i8x16(0, 64, 64, 64, 3, 64, 64, 64, 6, 64, 64, 64, 9, 64, 64, 64);
  const greens = i8x16.add(reds, i8x16.splat(1));
  const blues = i8x16.add(reds, i8x16.splat(2));
  const end = to + ((<usize>pixels) << 2);
  for (const inFours = to + ((<usize>pixels & ~3) << 2); to < inFours; to += 16) {
    const colours = v128.load32_lane(from, v128.load64_zero(from), 2, 8);
    const red = i8x16.swizzle(colours, reds);
    const green = i8x16.swizzle(colours, greens);
    const blue = i8x16.swizzle(colours, blues);
    v128.store(to, f32x4.convert_i32x4_s(red));
    v128.store(to + plane, f32x4.convert_i32x4_s(green));
    v128.store(to + plane + plane, f32x4.convert_i32x4_s(blue));
    from += 12;
  }
  for (; to < end; to += 4) {
    store<f32>(to, <f32>load<u8>(from));
    store<f32>(to + plane, <f32>load<u8>(from, 1));
    store<f32>(to + plane + plane, <f32>load<u8>(from, 2));
    from += 3;
  }
}

/**
 * Subtracts the mean from a row of planar RGB, 32-bit floats, and interleaves the colours, in steps.
 * @param from red values of the row, 0 to 255; green and blue ones follow, each `plane` bytes further
 * @param width a multiple of 4
 */
export function faceNormaliseRow(from: usize, plane: usize, to: usize, width: i32, mean: f32): void {
  const offset = f32x4.splat(ROUNDING - mean * STEPS);
  for (const end = from + ((<usize>width) << 2); from < end; from += 16) {
    const red = stepsOf(v128.load(from), offset);
    const green = stepsOf(v128.load(from + plane), offset);
    const blue = stepsOf(v128.load(from + plane + plane), offset);
    const two = i16x8.narrow_i32x4_s(red, green);
    const third = i16x8.narrow_i32x4_s(blue, blue);
    v128.store(to, v128.shuffle<i16>(two, third, 0, 4, 8, 1, 5, 9, 2, 6));
    v128.store64_lane(to, v128.shuffle<i16>(two, third, 10, 3, 7, 11, 0, 0, 0, 0), 0, 16);
    to += 24;
  }
}

/**
 * As `faceNormaliseRow`, for interleaved colours, a byte each.
 * @param count number of colours, a multiple of 8
 * @param mean a multiple of 1/64
 */
export function faceNormaliseBytes(from: usize, to: usize, count: i32, mean: f32): void {
  const offset = i16x8.splat(<i16>(mean * STEPS));
  for (const end = to + ((<usize>count) << 1); to < end; to += 16) {
    const colours = i16x8.extend_low_i8x16_u(v128.load64_zero(from));
    v128.store(to, i16x8.sub(i16x8.shl(colours, STEP_BITS), offset));
    from += 8;
  }
}

// @inline
function stepsOf(values: v128, offset: v128): v128 {
  const rounded = f32x4.add(f32x4.mul(values, f32x4.splat(STEPS)), offset);
  return i32x4.sub(rounded, i32x4.splat(ROUNDING_BITS));
}

/**
 * Computes one row of outputs.
 * @param above three rows of pixels, each with a pixel of zeros at both ends: `above`, `row`, `below`
 * @param weights 16 biases and a shift, 32 bits each; padding up to 80 bytes; then for every row five times
 * 16 pairs of weights: nine inputs, three colours per pixel, and a 0; sums stay within 32 bits
 * @param width number of outputs; half of the picture's width, which is even
 */
export function faceStemRow(
  above: usize,
  row: usize,
  below: usize,
  to: usize,
  weights: usize,
  width: i32,
): void {
  const shift = load<i32>(weights, 64);
  const pixel: usize = STEM_CHANNELS << 1;
  const end = to + pixel * <usize>width;
  // Two pixels at a time share the weights.
  for (const inTwos = to + pixel * <usize>(width & ~1); to < inTwos; to += pixel << 1) {
    let a0 = v128.load(weights);
    let b0 = v128.load(weights, 16);
    let c0 = v128.load(weights, 32);
    let d0 = v128.load(weights, 48);
    let a1 = a0;
    let b1 = b0;
    let c1 = c0;
    let d1 = d0;
    let weight = weights + 80;
    for (let line = 0; line < 3; line++) {
      let at = line === 0 ? above : line === 1 ? row : below;
      for (const lineEnd = at + 20; at < lineEnd; at += 4) {
        const first = v128.load32_splat(at);
        const second = v128.load32_splat(at, 12);
        const a = v128.load(weight);
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(first, a));
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(second, a));
        const b = v128.load(weight, 16);
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(first, b));
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(second, b));
        const c = v128.load(weight, 32);
        c0 = i32x4.add(c0, i32x4.dot_i16x8_s(first, c));
        c1 = i32x4.add(c1, i32x4.dot_i16x8_s(second, c));
        const d = v128.load(weight, 48);
        d0 = i32x4.add(d0, i32x4.dot_i16x8_s(first, d));
        d1 = i32x4.add(d1, i32x4.dot_i16x8_s(second, d));
        weight += 64;
      }
    }
    putStem(to, a0, b0, c0, d0, shift);
    putStem(to + pixel, a1, b1, c1, d1, shift);
    above += 24;
    row += 24;
    below += 24;
  }
  if (to === end) return;
  let a = v128.load(weights);
  let b = v128.load(weights, 16);
  let c = v128.load(weights, 32);
  let d = v128.load(weights, 48);
  let weight = weights + 80;
  for (let line = 0; line < 3; line++) {
    let at = line === 0 ? above : line === 1 ? row : below;
    for (const lineEnd = at + 20; at < lineEnd; at += 4) {
      const values = v128.load32_splat(at);
      a = i32x4.add(a, i32x4.dot_i16x8_s(values, v128.load(weight)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(values, v128.load(weight, 16)));
      c = i32x4.add(c, i32x4.dot_i16x8_s(values, v128.load(weight, 32)));
      d = i32x4.add(d, i32x4.dot_i16x8_s(values, v128.load(weight, 48)));
      weight += 64;
    }
  }
  putStem(to, a, b, c, d, shift);
}

// @inline
function putStem(to: usize, a: v128, b: v128, c: v128, d: v128, shift: i32): void {
  const zero = i16x8.splat(0);
  const left = i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift));
  const right = i16x8.narrow_i32x4_s(i32x4.shr_s(c, shift), i32x4.shr_s(d, shift));
  v128.store(to, i16x8.max_s(zero, left));
  v128.store(to, i16x8.max_s(zero, right), 16);
}
