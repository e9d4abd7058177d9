/**
 * Pointwise (1 × 1) convolutions: a row of pixels times a matrix. Channels are interleaved (NHWC), 16-bit
 * integers. Sums of products are exact, and the same in every engine.
 */

/** Bytes of a block's biases and shift, before its weights. */
const HEAD = 48;

/** Pixels computed for eight outputs before the next eight, so that their inputs stay in the cache. */
const RUN = 16;

/**
 * Computes one row of pixels.
 * @param from pixels of `inputs` channels, a multiple of 8
 * @param to pixels of `outputs` channels, a multiple of 8
 * @param residual pixels of `outputs` channels that are added; 0: none
 * @param weights for every eight outputs: eight biases and a shift, 32 bits each; padding up to 48 bytes;
 * then for every two inputs eight pairs of weights; sums stay within 32 bits
 * @param least the least output: 0 is ReLU
 */
export function facePointwiseRow(
  from: usize,
  to: usize,
  residual: usize,
  weights: usize,
  pixels: i32,
  inputs: i32,
  outputs: i32,
  least: i32,
): void {
  const inputPixel = (<usize>inputs) << 1;
  const outputPixel = (<usize>outputs) << 1;
  const addedPixel = residual === 0 ? 0 : outputPixel;
  const block = (inputPixel << 3) + HEAD;
  const floor = i16x8.splat(<i16>least);
  for (let done = 0; done < pixels; done += RUN) {
    const run = min(RUN, pixels - done);
    const end = from + inputPixel * <usize>run;
    const inFours = from + inputPixel * <usize>(run & ~3);
    let blockWeights = weights;
    for (let output: usize = 0; output < outputPixel; output += 16) {
      let in0 = from;
      let out = to + output;
      let added = residual === 0 ? 0 : residual + output;
      for (; in0 < inFours; in0 += inputPixel << 2) {
        fourPixels(in0, inputPixel, out, outputPixel, added, blockWeights, floor);
        out += outputPixel << 2;
        added += addedPixel << 2;
      }
      for (; in0 < end; in0 += inputPixel) {
        onePixel(in0, inputPixel, out, added, blockWeights, floor);
        out += outputPixel;
        added += addedPixel;
      }
      blockWeights += block;
    }
    from = end;
    to += outputPixel * <usize>run;
    residual += addedPixel * <usize>run;
  }
}

/** Eight outputs of four pixels. */
function fourPixels(
  in0: usize,
  inputPixel: usize,
  out: usize,
  outputPixel: usize,
  residual: usize,
  weights: usize,
  least: v128,
): void {
  let in1 = in0 + inputPixel;
  let in2 = in1 + inputPixel;
  let in3 = in2 + inputPixel;
  let a0 = v128.load(weights);
  let b0 = v128.load(weights, 16);
  const shift = load<i32>(weights, 32);
  let a1 = a0;
  let b1 = b0;
  let a2 = a0;
  let b2 = b0;
  let a3 = a0;
  let b3 = b0;
  weights += HEAD;
  // Two inputs at a time: with more, engines spill sums for want of registers.
  for (const end = in0 + inputPixel; in0 < end; in0 += 4) {
    const a = v128.load(weights);
    const b = v128.load(weights, 16);
    let values = v128.load32_splat(in0);
    a0 = i32x4.add(a0, i32x4.dot_i16x8_s(values, a));
    b0 = i32x4.add(b0, i32x4.dot_i16x8_s(values, b));
    values = v128.load32_splat(in1);
    a1 = i32x4.add(a1, i32x4.dot_i16x8_s(values, a));
    b1 = i32x4.add(b1, i32x4.dot_i16x8_s(values, b));
    values = v128.load32_splat(in2);
    a2 = i32x4.add(a2, i32x4.dot_i16x8_s(values, a));
    b2 = i32x4.add(b2, i32x4.dot_i16x8_s(values, b));
    values = v128.load32_splat(in3);
    a3 = i32x4.add(a3, i32x4.dot_i16x8_s(values, a));
    b3 = i32x4.add(b3, i32x4.dot_i16x8_s(values, b));
    weights += 32;
    in1 += 4;
    in2 += 4;
    in3 += 4;
  }
  const added = residual === 0 ? 0 : outputPixel;
  put(out, residual, a0, b0, shift, least);
  residual += added;
  out += outputPixel;
  put(out, residual, a1, b1, shift, least);
  residual += added;
  out += outputPixel;
  put(out, residual, a2, b2, shift, least);
  residual += added;
  out += outputPixel;
  put(out, residual, a3, b3, shift, least);
}

/** Eight outputs of one pixel. */
function onePixel(
  from: usize,
  inputPixel: usize,
  out: usize,
  residual: usize,
  weights: usize,
  least: v128,
): void {
  let a = v128.load(weights);
  let b = v128.load(weights, 16);
  const shift = load<i32>(weights, 32);
  weights += HEAD;
  for (const end = from + inputPixel; from < end; from += 4) {
    const values = v128.load32_splat(from);
    a = i32x4.add(a, i32x4.dot_i16x8_s(values, v128.load(weights)));
    b = i32x4.add(b, i32x4.dot_i16x8_s(values, v128.load(weights, 16)));
    weights += 32;
  }
  put(out, residual, a, b, shift, least);
}

/** Values that do not fit 16 bits saturate. */
// @inline
function put(out: usize, residual: usize, a: v128, b: v128, shift: i32, least: v128): void {
  let values = i16x8.narrow_i32x4_s(i32x4.shr_s(a, shift), i32x4.shr_s(b, shift));
  if (residual !== 0) values = i16x8.add_sat_s(values, v128.load(residual));
  v128.store(out, i16x8.max_s(values, least));
}

/**
 * Adds a row of the next coarser stride, with half as many pixels, to a row: each pixel to two.
 * @param channels a multiple of 8
 */
export function faceAddCoarseRow(coarse: usize, to: usize, pixels: i32, channels: i32): void {
  const pixel = (<usize>channels) << 1;
  for (const end = to + pixel * <usize>pixels; to < end; to += pixel << 1) {
    for (let at: usize = 0; at < pixel; at += 16) {
      const value = v128.load(coarse + at);
      v128.store(to + at, i16x8.add_sat_s(v128.load(to + at), value));
      v128.store(to + pixel + at, i16x8.add_sat_s(v128.load(to + pixel + at), value));
    }
    coarse += pixel;
  }
}
