/**
 * First layer of the face networks: a 3 × 3 convolution with stride 2 of an RGB picture into STEM_CHANNELS
 * channels, and ReLU. Channels lie beside each other (NHWC), 32-bit floats.
 */

/** Channels that it makes: four vectors. */
const STEM_CHANNELS = 16;
/**
 * Normalises a row of planar RGB and lays the colours beside each other.
 * @param from red values of the row, 0 to 255; green ones and blue ones are `plane` bytes further each
 */
export function faceNormaliseRow(
  from: usize,
  plane: usize,
  to: usize,
  width: i32,
  mean: f32,
  scale: f32,
): void {
  for (const end = from + ((<usize>width) << 2); from < end; from += 4) {
    store<f32>(to, (load<f32>(from) - mean) * scale);
    store<f32>(to, (load<f32>(from + plane) - mean) * scale, 4);
    store<f32>(to, (load<f32>(from + plane + plane) - mean) * scale, 8);
    to += 12;
  }
}

/**
 * One row of outputs.
 * @param above three rows of normalised pixels with a pixel of zeros before them: `above`, `row`, `below`
 * @param weights 16 biases, then 16 weights for each of 3 × 3 × 3 inputs: row, column, colour
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
  for (const end = to + ((<usize>width * STEM_CHANNELS) << 2); to < end; to += STEM_CHANNELS << 2) {
    let a = v128.load(weights);
    let b = v128.load(weights, 16);
    let c = v128.load(weights, 32);
    let d = v128.load(weights, 48);
    let weight = weights + 64;
    for (let line = 0; line < 3; line++) {
      let at = line === 0 ? above : line === 1 ? row : below;
      for (const lineEnd = at + 36; at < lineEnd; at += 4) {
        const value = v128.load32_splat(at);
        a = f32x4.add(a, f32x4.mul(value, v128.load(weight)));
        b = f32x4.add(b, f32x4.mul(value, v128.load(weight, 16)));
        c = f32x4.add(c, f32x4.mul(value, v128.load(weight, 32)));
        d = f32x4.add(d, f32x4.mul(value, v128.load(weight, 48)));
        weight += 64;
      }
    }
    const zero = f32x4.splat(0);
    v128.store(to, f32x4.pmax(zero, a));
    v128.store(to, f32x4.pmax(zero, b), 16);
    v128.store(to, f32x4.pmax(zero, c), 32);
    v128.store(to, f32x4.pmax(zero, d), 48);
    above += 24;
    row += 24;
    below += 24;
  }
}
