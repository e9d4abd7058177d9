/**
 * First layer of the networks: a 3 × 3 convolution with stride 2 of an RGB picture into STEM_CHANNELS
 * channels, and ReLU. Channels lie beside each other (NHWC), 16-bit integers.
 */

/** Channels that it makes: two vectors. */
const STEM_CHANNELS = 16;

/** Steps of a colour of 0 to 255. */
const STEPS: f32 = 64;
const STEP_BITS = 6;

/** A float of 1.5 · 2^23 plus an integer has the integer in its lowest bits, rounded to the nearest. */
const ROUNDING: f32 = 12_582_912;
const ROUNDING_BITS = 0x4b400000;

/**
 * Takes the mean from a row of planar RGB, 32-bit floats, and lays the colours beside each other.
 * @param from red values of the row, 0 to 255; green ones and blue ones are `plane` bytes further each
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
 * As `faceNormaliseRow`, of colours that lie beside each other already, a byte each.
 * @param count of colours, a multiple of 8
 * @param mean a multiple of a half
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
 * One row of outputs.
 * @param above three rows of pixels with a pixel of zeros before and behind them: `above`, `row`, `below`
 * @param weights 16 biases and a shift of 32 bits, padding up to 80 bytes, then of each row five times 16
 * pairs of weights: nine inputs, three colours a pixel, and one that is 0; sums stay within 32 bits
 * @param width outputs; half of the picture's, which is even
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
  const zero = i16x8.splat(0);
  for (const end = to + ((<usize>width * STEM_CHANNELS) << 1); to < end; to += STEM_CHANNELS << 1) {
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
    const left = i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift));
    const right = i16x8.narrow_i32x4_s(i32x4.shr_s(c, shift), i32x4.shr_s(d, shift));
    v128.store(to, i16x8.max_s(zero, left));
    v128.store(to, i16x8.max_s(zero, right), 16);
    above += 12;
    row += 12;
    below += 12;
  }
}
