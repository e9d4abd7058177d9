/** Means of boxes of RGBA pixels: sums rows column by column, then the columns of a box. */

/**
 * Adds a row of `count` pixels to sums with four u16 per pixel, which can hold 257 rows. Up to 3 pixels past
 * the row are read, and their sums written.
 * @param first stores the row instead of adding it
 */
export function sumRow(from: usize, count: i32, sums: usize, first: bool): void {
  const end = from + ((<usize>count) << 2);
  for (; from < end; from += 16, sums += 32) {
    const pixels = v128.load(from);
    const low = i16x8.extend_low_i8x16_u(pixels);
    const high = i16x8.extend_high_i8x16_u(pixels);
    v128.store(sums, first ? low : i16x8.add(v128.load(sums), low));
    v128.store(sums, first ? high : i16x8.add(v128.load(sums, 16), high), 16);
  }
}

/**
 * Writes the rounded means of boxes that are `edge` columns wide; the last may be narrower.
 * @param sums those of `count` columns and `rows` rows (`sumRow`)
 * @param to receives ceil(count / edge) pixels
 */
export function averageSums(sums: usize, count: i32, edge: i32, rows: i32, to: usize): void {
  const whole = count / edge;
  if (edge === 2 && rows === 2) {
    averageFours(sums, whole, to);
  } else {
    averageBoxes(sums, whole, edge, rows, to);
  }
  const rest = count - whole * edge;
  if (rest > 0) {
    const boxBytes = (<usize>(whole * edge)) << 3;
    averageBoxes(sums + boxBytes, 1, rest, rows, to + ((<usize>whole) << 2));
  }
}

/** Boxes of 2 × 2, the most common. */
// @inline
function averageFours(sums: usize, boxes: i32, to: usize): void {
  const half = i16x8.splat(2);
  const end = to + ((<usize>boxes) << 2);
  for (; to < end; to += 4, sums += 16) {
    const columns = v128.load(sums);
    const four = i16x8.add(i16x8.add(columns, v128.shuffle<i64>(columns, columns, 1, 0)), half);
    const mean = i16x8.shr_u(four, 2);
    store<u32>(to, <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(mean, mean), 0));
  }
}

// @inline
function averageBoxes(sums: usize, boxes: i32, edge: i32, rows: i32, to: usize): void {
  const share = f32x4.splat(<f32>1 / <f32>(edge * rows));
  const half = f32x4.splat(0.5);
  const pairs = (<usize>(edge >> 1)) << 4;
  const end = to + ((<usize>boxes) << 2);
  for (; to < end; to += 4) {
    let sum = i32x4.splat(0);
    for (const pairsEnd = sums + pairs; sums < pairsEnd; sums += 16) {
      const two = v128.load(sums);
      sum = i32x4.add(sum, i32x4.add(i32x4.extend_low_i16x8_u(two), i32x4.extend_high_i16x8_u(two)));
    }
    if (edge & 1) {
      sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(v128.load64_zero(sums)));
      sums += 8;
    }
    // Sums of up to 256 × 256 levels are exact in floats; a box of one colour keeps it.
    const mean = i32x4.trunc_sat_f32x4_u(f32x4.add(f32x4.mul(f32x4.convert_i32x4_u(sum), share), half));
    const narrow = i16x8.narrow_i32x4_u(mean, mean);
    store<u32>(to, <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(narrow, narrow), 0));
  }
}
