/**
 * Pointwise (1 × 1) convolutions of the face networks: a row of pixels times a matrix. Channels lie beside
 * each other (NHWC), 32-bit floats.
 */

/**
 * One row of pixels.
 * @param from pixels of `inputs` channels, a multiple of 4
 * @param to pixels of `outputs` channels, a multiple of 8
 * @param residual pixels of `outputs` channels that are added; 0 where there are none
 * @param weights for each eight outputs: eight biases, then eight weights for each input
 * @param least of an output: 0 is ReLU, minus infinity changes nothing
 */
export function facePointwiseRow(
  from: usize,
  to: usize,
  residual: usize,
  weights: usize,
  pixels: i32,
  inputs: i32,
  outputs: i32,
  least: f32,
): void {
  const inputPixel = (<usize>inputs) << 2;
  const outputPixel = (<usize>outputs) << 2;
  const end = from + inputPixel * <usize>pixels;
  const inFours = from + inputPixel * (<usize>pixels & ~3);
  const block = (inputPixel + 4) << 3;
  for (let output: usize = 0; output < outputPixel; output += 32) {
    let in0 = from;
    let out = to + output;
    let added = residual === 0 ? 0 : residual + output;
    const addedPixel = residual === 0 ? 0 : outputPixel;
    for (; in0 < inFours; in0 += inputPixel << 2) {
      fourPixels(in0, inputPixel, out, outputPixel, added, weights, least);
      out += outputPixel << 2;
      added += addedPixel << 2;
    }
    for (; in0 < end; in0 += inputPixel) {
      onePixel(in0, inputPixel, out, added, weights, least);
      out += outputPixel;
      added += addedPixel;
    }
    weights += block;
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
  least: f32,
): void {
  let in1 = in0 + inputPixel;
  let in2 = in1 + inputPixel;
  let in3 = in2 + inputPixel;
  let a0 = v128.load(weights);
  let b0 = v128.load(weights, 16);
  let a1 = a0;
  let b1 = b0;
  let a2 = a0;
  let b2 = b0;
  let a3 = a0;
  let b3 = b0;
  weights += 32;
  for (const end = in0 + inputPixel; in0 < end; ) {
    let a = v128.load(weights);
    let b = v128.load(weights, 16);
    let value = v128.load32_splat(in0);
    a0 = f32x4.add(a0, f32x4.mul(value, a));
    b0 = f32x4.add(b0, f32x4.mul(value, b));
    value = v128.load32_splat(in1);
    a1 = f32x4.add(a1, f32x4.mul(value, a));
    b1 = f32x4.add(b1, f32x4.mul(value, b));
    value = v128.load32_splat(in2);
    a2 = f32x4.add(a2, f32x4.mul(value, a));
    b2 = f32x4.add(b2, f32x4.mul(value, b));
    value = v128.load32_splat(in3);
    a3 = f32x4.add(a3, f32x4.mul(value, a));
    b3 = f32x4.add(b3, f32x4.mul(value, b));

    a = v128.load(weights, 32);
    b = v128.load(weights, 48);
    value = v128.load32_splat(in0, 4);
    a0 = f32x4.add(a0, f32x4.mul(value, a));
    b0 = f32x4.add(b0, f32x4.mul(value, b));
    value = v128.load32_splat(in1, 4);
    a1 = f32x4.add(a1, f32x4.mul(value, a));
    b1 = f32x4.add(b1, f32x4.mul(value, b));
    value = v128.load32_splat(in2, 4);
    a2 = f32x4.add(a2, f32x4.mul(value, a));
    b2 = f32x4.add(b2, f32x4.mul(value, b));
    value = v128.load32_splat(in3, 4);
    a3 = f32x4.add(a3, f32x4.mul(value, a));
    b3 = f32x4.add(b3, f32x4.mul(value, b));

    a = v128.load(weights, 64);
    b = v128.load(weights, 80);
    value = v128.load32_splat(in0, 8);
    a0 = f32x4.add(a0, f32x4.mul(value, a));
    b0 = f32x4.add(b0, f32x4.mul(value, b));
    value = v128.load32_splat(in1, 8);
    a1 = f32x4.add(a1, f32x4.mul(value, a));
    b1 = f32x4.add(b1, f32x4.mul(value, b));
    value = v128.load32_splat(in2, 8);
    a2 = f32x4.add(a2, f32x4.mul(value, a));
    b2 = f32x4.add(b2, f32x4.mul(value, b));
    value = v128.load32_splat(in3, 8);
    a3 = f32x4.add(a3, f32x4.mul(value, a));
    b3 = f32x4.add(b3, f32x4.mul(value, b));

    a = v128.load(weights, 96);
    b = v128.load(weights, 112);
    value = v128.load32_splat(in0, 12);
    a0 = f32x4.add(a0, f32x4.mul(value, a));
    b0 = f32x4.add(b0, f32x4.mul(value, b));
    value = v128.load32_splat(in1, 12);
    a1 = f32x4.add(a1, f32x4.mul(value, a));
    b1 = f32x4.add(b1, f32x4.mul(value, b));
    value = v128.load32_splat(in2, 12);
    a2 = f32x4.add(a2, f32x4.mul(value, a));
    b2 = f32x4.add(b2, f32x4.mul(value, b));
    value = v128.load32_splat(in3, 12);
    a3 = f32x4.add(a3, f32x4.mul(value, a));
    b3 = f32x4.add(b3, f32x4.mul(value, b));

    weights += 128;
    in0 += 16;
    in1 += 16;
    in2 += 16;
    in3 += 16;
  }
  const added = residual === 0 ? 0 : outputPixel;
  put(out, residual, a0, b0, least);
  residual += added;
  out += outputPixel;
  put(out, residual, a1, b1, least);
  residual += added;
  out += outputPixel;
  put(out, residual, a2, b2, least);
  residual += added;
  out += outputPixel;
  put(out, residual, a3, b3, least);
}

/** Eight outputs of one pixel. */
function onePixel(
  from: usize,
  inputPixel: usize,
  out: usize,
  residual: usize,
  weights: usize,
  least: f32,
): void {
  let a = v128.load(weights);
  let b = v128.load(weights, 16);
  for (const end = from + inputPixel; from < end; from += 4) {
    weights += 32;
    const value = v128.load32_splat(from);
    a = f32x4.add(a, f32x4.mul(value, v128.load(weights)));
    b = f32x4.add(b, f32x4.mul(value, v128.load(weights, 16)));
  }
  put(out, residual, a, b, least);
}

// @inline
function put(out: usize, residual: usize, a: v128, b: v128, least: f32): void {
  if (residual !== 0) {
    a = f32x4.add(a, v128.load(residual));
    b = f32x4.add(b, v128.load(residual, 16));
  }
  v128.store(out, f32x4.pmax(f32x4.splat(least), a));
  v128.store(out, f32x4.pmax(f32x4.splat(least), b), 16);
}

/**
 * Adds a row of half as many pixels to a row, each pixel to two: what the next coarser stride has to say.
 * @param channels a multiple of 4
 */
export function faceAddCoarseRow(coarse: usize, to: usize, pixels: i32, channels: i32): void {
  const pixel = (<usize>channels) << 2;
  for (const end = to + pixel * <usize>pixels; to < end; to += pixel << 1) {
    for (let at: usize = 0; at < pixel; at += 16) {
      const value = v128.load(coarse + at);
      v128.store(to + at, f32x4.add(v128.load(to + at), value));
      v128.store(to + pixel + at, f32x4.add(v128.load(to + pixel + at), value));
    }
    coarse += pixel;
  }
}
