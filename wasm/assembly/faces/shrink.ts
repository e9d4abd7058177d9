/** Area averaging: rows of bytes are summed in 32-bit floats, first down the columns, then across. */

/**
 * Begins sums with a row of bytes.
 * @param share the share of the row that counts, 0 to 1
 * @param count number of values; up to 15 more are read and written
 */
export function faceShrinkBegin(from: usize, sums: usize, count: i32, share: f32): void {
  sumDown(from, sums, count, share, true);
}

/** Adds a row of bytes to sums; as `faceShrinkBegin`. */
export function faceShrinkDown(from: usize, sums: usize, count: i32, share: f32): void {
  sumDown(from, sums, count, share, false);
}

// @inline
function sumDown(from: usize, sums: usize, count: i32, share: f32, begins: bool): void {
  const shares = f32x4.splat(share);
  for (const end = from + <usize>count; from < end; from += 16) {
    const bytes = v128.load(from);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    put(sums, shareOf(i32x4.extend_low_i16x8_u(low), shares), begins);
    put(sums + 16, shareOf(i32x4.extend_high_i16x8_u(low), shares), begins);
    put(sums + 32, shareOf(i32x4.extend_low_i16x8_u(high), shares), begins);
    put(sums + 48, shareOf(i32x4.extend_high_i16x8_u(high), shares), begins);
    sums += 64;
  }
}

// @inline
function shareOf(values: v128, shares: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(values), shares);
}

// @inline
function put(sums: usize, values: v128, begins: bool): void {
  v128.store(sums, begins ? values : f32x4.add(v128.load(sums), values));
}

/**
 * Computes a row's pixels, interleaved RGB, from its sums. A sum under the border of two pixels counts for
 * both by its share.
 * @param sums `channels` values each, 3 or 4; up to two sums beyond the last are read
 * @param to `targets` pixels; one byte more is written
 * @param borders for each pixel: how many sums lie fully under it (i32), and the share of the next one (f32)
 * @param most the most sums that lie fully under a pixel; under each there are this many, or one less
 * @param factor what the total under a pixel is multiplied by
 */
export function faceShrinkAcross(
  sums: usize,
  to: usize,
  borders: usize,
  targets: i32,
  channels: i32,
  most: i32,
  factor: f32,
): void {
  const pixel = (<usize>channels) << 2;
  const factors = f32x4.splat(factor);
  const half = f32x4.splat(0.5);
  let sum = f32x4.splat(0);
  for (const end = borders + ((<usize>targets) << 3); borders < end; borders += 8) {
    const wholes = load<i32>(borders);
    for (let one = 1; one < most; one++) {
      sum = f32x4.add(sum, v128.load(sums));
      sums += pixel;
    }
    // Without one, zeros are added: a branch would be hard to predict.
    const isWhole = <usize>(wholes === most);
    sum = f32x4.add(sum, v128.and(v128.load(sums), i32x4.splat(-(<i32>isWhole))));
    sums += isWhole * pixel;
    const cut = v128.load(sums);
    const before = f32x4.mul(cut, v128.load32_splat(borders, 4));
    sum = f32x4.add(sum, before);
    const rounded = i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(sum, factors), half));
    const shorts = i16x8.narrow_i32x4_s(rounded, rounded);
    v128.store32_lane(to, i8x16.narrow_i16x8_u(shorts, shorts), 0);
    sum = f32x4.sub(cut, before);
    sums += pixel;
    to += 3;
  }
}
