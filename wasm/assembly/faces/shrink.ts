/** Area averaging: rows of bytes are summed up in 32-bit floats, first downwards, then across. */

/**
 * Adds a row of bytes to sums.
 * @param share how much of it, 0 to 1
 * @param count values; up to 15 more are read and written
 */
export function faceShrinkDown(from: usize, sums: usize, count: i32, share: f32): void {
  const shares = f32x4.splat(share);
  for (const end = from + <usize>count; from < end; from += 16) {
    const bytes = v128.load(from);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    addTo(sums, i32x4.extend_low_i16x8_u(low), shares);
    addTo(sums + 16, i32x4.extend_high_i16x8_u(low), shares);
    addTo(sums + 32, i32x4.extend_low_i16x8_u(high), shares);
    addTo(sums + 48, i32x4.extend_high_i16x8_u(high), shares);
    sums += 64;
  }
}

// @inline
function addTo(sums: usize, values: v128, shares: v128): void {
  v128.store(sums, f32x4.add(v128.load(sums), f32x4.mul(f32x4.convert_i32x4_u(values), shares)));
}

/**
 * The pixels of a row out of its sums, three channels beside each other; a sum under a border counts for both
 * of its pixels by share.
 * @param sums of `width` pixels with `channels` values each, 3 or 4; a value more is read
 * @param to `targets` pixels, no more than `width`; a byte more is written
 * @param factor of what lies under a pixel, all in all
 */
export function faceShrinkAcross(
  sums: usize,
  to: usize,
  width: i32,
  targets: i32,
  channels: i32,
  factor: f32,
): void {
  const pixel = (<usize>channels) << 2;
  const factors = f32x4.splat(factor);
  const half = f32x4.splat(0.5);
  let sum = f32x4.splat(0);
  let x = 0;
  for (let target = 1; target <= targets; target++) {
    const end = (<f64>target * <f64>width) / <f64>targets;
    const whole = <i32>end;
    for (; x < whole; x++) {
      sum = f32x4.add(sum, v128.load(sums));
      sums += pixel;
    }
    let rest = f32x4.splat(0);
    if (x < width) {
      const cut = v128.load(sums);
      const before = f32x4.mul(cut, f32x4.splat(<f32>(end - <f64>whole)));
      sum = f32x4.add(sum, before);
      rest = f32x4.sub(cut, before);
      sums += pixel;
      x++;
    }
    const rounded = i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(sum, factors), half));
    const shorts = i16x8.narrow_i32x4_s(rounded, rounded);
    v128.store32_lane(to, i8x16.narrow_i16x8_u(shorts, shorts), 0);
    to += 3;
    sum = rest;
  }
}
