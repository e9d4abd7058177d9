/**
 * Depthwise 3 × 3 convolutions of the face networks: each channel by itself. Channels lie
 * beside each other (NHWC), 32-bit floats.
 */

/**
 * One row of outputs.
 * @param above three rows of inputs with a pixel of zeros before and behind them: `above`, `row`, `below`
 * @param weights biases, then for each of the nine taps, row by row, one a channel
 * @param width outputs
 * @param channels a multiple of 4
 * @param stride 1 or 2
 * @param least of an output: 0 is ReLU, minus infinity changes nothing
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
  least: f32,
): void {
  const pixel = (<usize>channels) << 2;
  const step = pixel * <usize>stride;
  const end = to + pixel * <usize>width;
  if (stride === 1) {
    for (; to + pixel < end; to += pixel << 1) {
      pairOfPixels(above, row, below, to, weights, pixel, least);
      above += pixel << 1;
      row += pixel << 1;
      below += pixel << 1;
    }
  }
  for (; to < end; to += pixel) {
    onePixel(above, row, below, to, weights, pixel, least);
    above += step;
    row += step;
    below += step;
  }
}

/** All channels of one output. */
function onePixel(
  above: usize,
  row: usize,
  below: usize,
  to: usize,
  weights: usize,
  pixel: usize,
  least: f32,
): void {
  const two = pixel << 1;
  for (const end = to + pixel; to < end; to += 16) {
    let weight = weights + pixel;
    let sum = f32x4.add(v128.load(weights), f32x4.mul(v128.load(above), v128.load(weight)));
    weight += pixel;
    sum = f32x4.add(sum, f32x4.mul(v128.load(above + pixel), v128.load(weight)));
    weight += pixel;
    sum = f32x4.add(sum, f32x4.mul(v128.load(above + two), v128.load(weight)));
    weight += pixel;
    sum = f32x4.add(sum, f32x4.mul(v128.load(row), v128.load(weight)));
    weight += pixel;
    sum = f32x4.add(sum, f32x4.mul(v128.load(row + pixel), v128.load(weight)));
    weight += pixel;
    sum = f32x4.add(sum, f32x4.mul(v128.load(row + two), v128.load(weight)));
    weight += pixel;
    sum = f32x4.add(sum, f32x4.mul(v128.load(below), v128.load(weight)));
    weight += pixel;
    sum = f32x4.add(sum, f32x4.mul(v128.load(below + pixel), v128.load(weight)));
    weight += pixel;
    sum = f32x4.add(sum, f32x4.mul(v128.load(below + two), v128.load(weight)));
    v128.store(to, f32x4.pmax(f32x4.splat(least), sum));
    above += 16;
    row += 16;
    below += 16;
    weights += 16;
  }
}

/** All channels of two outputs beside each other: weights and inputs between them are loaded once. */
function pairOfPixels(
  above: usize,
  row: usize,
  below: usize,
  to: usize,
  weights: usize,
  pixel: usize,
  least: f32,
): void {
  for (const end = to + pixel; to < end; to += 16) {
    let left = v128.load(weights);
    let right = left;
    let weight = weights + pixel;
    for (let line = 0; line < 3; line++) {
      let at = line === 0 ? above : line === 1 ? row : below;
      const w0 = v128.load(weight);
      weight += pixel;
      const w1 = v128.load(weight);
      weight += pixel;
      const w2 = v128.load(weight);
      weight += pixel;
      left = f32x4.add(left, f32x4.mul(v128.load(at), w0));
      at += pixel;
      const first = v128.load(at);
      at += pixel;
      const second = v128.load(at);
      left = f32x4.add(left, f32x4.mul(first, w1));
      right = f32x4.add(right, f32x4.mul(first, w0));
      left = f32x4.add(left, f32x4.mul(second, w2));
      right = f32x4.add(right, f32x4.mul(second, w1));
      right = f32x4.add(right, f32x4.mul(v128.load(at + pixel), w2));
    }
    v128.store(to, f32x4.pmax(f32x4.splat(least), left));
    v128.store(to + pixel, f32x4.pmax(f32x4.splat(least), right));
    above += 16;
    row += 16;
    below += 16;
    weights += 16;
  }
}

/**
 * One row of outputs: of every 2 × 2 pixels the largest value of each channel.
 * @param upper two rows of inputs, twice as many pixels as outputs: `upper` and `lower`
 * @param channels a multiple of 4
 */
export function faceMaxPoolRow(upper: usize, lower: usize, to: usize, width: i32, channels: i32): void {
  const pixel = (<usize>channels) << 2;
  for (const end = to + pixel * <usize>width; to < end; ) {
    for (const pixelEnd = to + pixel; to < pixelEnd; to += 16) {
      const above = f32x4.pmax(v128.load(upper), v128.load(upper + pixel));
      const below = f32x4.pmax(v128.load(lower), v128.load(lower + pixel));
      v128.store(to, f32x4.pmax(above, below));
      upper += 16;
      lower += 16;
    }
    upper += pixel;
    lower += pixel;
  }
}
