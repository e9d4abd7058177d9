/** Area averaging: rows of bytes are summed up in 32-bit floats, first downwards, then across. */

/**
 * Begins sums with a row of bytes.
 * @param share how much of it, 0 to 1
 * @param count values; up to 15 more are read and written
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
 * The pixels of a row out of its sums, three channels beside each other; a sum under a border counts for both
 * of its pixels by share.
 * @param sums `channels` values each, 3 or 4; up to two more than there are are read
 * @param to `targets` pixels; a byte more is written
 * @param borders of each pixel how many sums lie under it as a whole, 32 bits, and the share of the next one
 * that does, a 32-bit float
 * @param most sums that lie under a pixel as a whole; under each there are so many, or one less
 * @param factor of what lies under a pixel, all in all
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
    // Where there is none, zeros are added: that would be hard to foresee for a branch.
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
