/**
 * Measures the texture of a 4 × 4 block. A change of texture is visible, however small its squared error:
 * blurred grain as well as ringing beside an edge. The measure and its weights are those of libwebp's
 * encoder.
 */

/** Weights of frequencies: those across of the first and second row down, of the fourth and third. */
const UPPER: usize = memory.data<i16>([38, 32, 9, 20, 32, 28, 7, 17], 16);
const LOWER: usize = memory.data<i16>([9, 7, 2, 4, 20, 17, 4, 10], 16);

/** The magnitudes of the block's Walsh-Hadamard transform, with low frequencies weighted most. */
// @inline
export function textureOf(samples: v128): i32 {
  const a = i16x8.extend_low_i8x16_u(samples);
  const b = i16x8.extend_high_i8x16_u(samples);
  let sums = i16x8.add(a, b);
  let differences = i16x8.sub(a, b);
  let x = v128.shuffle<i64>(sums, differences, 0, 2);
  let y = v128.shuffle<i64>(sums, differences, 1, 3);
  const u = i16x8.add(x, y);
  const v = i16x8.sub(x, y);
  const p = v128.shuffle<i16>(u, v, 0, 4, 8, 12, 1, 5, 9, 13);
  const q = v128.shuffle<i16>(u, v, 2, 6, 10, 14, 3, 7, 11, 15);
  sums = i16x8.add(p, q);
  differences = i16x8.sub(p, q);
  x = v128.shuffle<i64>(sums, differences, 0, 2);
  y = v128.shuffle<i64>(sums, differences, 1, 3);
  const quarters = i32x4.add(
    i32x4.dot_i16x8_s(i16x8.abs(i16x8.add(x, y)), v128.load(UPPER)),
    i32x4.dot_i16x8_s(i16x8.abs(i16x8.sub(x, y)), v128.load(LOWER)),
  );
  const halves = i32x4.add(quarters, v128.shuffle<i32>(quarters, quarters, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}
