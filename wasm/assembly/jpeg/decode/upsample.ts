/**
 * Upsamples rows of subsampled components, as libjpeg-turbo's jdsample.c does: triangle filters ("fancy
 * upsampling") for factors of 2, replication for others. Rows may be read 16 bytes and written 32 bytes past
 * their end. The first and the last sample are copied beyond the row's ends, so that the filters need no
 * special case there.
 */

/** The 3:1 blend of two samples needs 10 bits, so lanes have 16. */
const CONSTANTS: usize = memory.data<i16>(
  [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 7, 7, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8],
  16,
);

// @inline
function triple(value: v128): v128 {
  return i16x8.add(i16x8.add(value, value), value);
}

/**
 * Doubles the width: each sample becomes (3 × own + left + 1) / 4 and (3 × own + right + 2) / 4.
 * @param width samples of `from`; the bytes before and after them are overwritten
 */
export function doubleColumns(to: usize, from: usize, width: i32): void {
  const one = v128.load(CONSTANTS);
  const two = v128.load(CONSTANTS, 16);
  const end = from + width;
  store<u8>(from - 1, load<u8>(from));
  store<u8>(end, load<u8>(end - 1));
  while (from < end) {
    const own = triple(v128.load8x8_u(from));
    const left = i16x8.add(v128.load8x8_u(from - 1), one);
    const right = i16x8.add(v128.load8x8_u(from + 1), two);
    const even = i16x8.shr_u(i16x8.add(own, left), 2);
    const odd = i16x8.shr_u(i16x8.add(own, right), 2);
    v128.store(to, v128.or(even, i16x8.shl(odd, 8)));
    from += 8;
    to += 16;
  }
}

/**
 * A row between two: (3 × near + far + bias) / 4.
 * @param upper whether it is the upper of the two rows made from `near`
 */
export function blendRows(to: usize, near: usize, far: usize, width: i32, upper: bool): void {
  const bias = v128.load(CONSTANTS + (upper ? 0 : 16));
  const end = near + width;
  while (near < end) {
    const nearSamples = v128.load(near);
    const farSamples = v128.load(far);
    const low = i16x8.add(
      triple(i16x8.extend_low_i8x16_u(nearSamples)),
      i16x8.extend_low_i8x16_u(farSamples),
    );
    const high = i16x8.add(
      triple(i16x8.extend_high_i8x16_u(nearSamples)),
      i16x8.extend_high_i8x16_u(farSamples),
    );
    v128.store(
      to,
      i8x16.narrow_i16x8_u(i16x8.shr_u(i16x8.add(low, bias), 2), i16x8.shr_u(i16x8.add(high, bias), 2)),
    );
    near += 16;
    far += 16;
    to += 16;
  }
}

/**
 * Doubles the width and makes one of the two rows: first 3 × near + far, not rounded, then across, rounded
 * with 8 and 7 of 16.
 * @param sums space for width + 32 i16, with 16 free bytes before it
 */
export function doubleBoth(to: usize, near: usize, far: usize, width: i32, sums: usize): void {
  let at = sums;
  const sumsEnd = sums + ((<usize>width) << 1);
  while (at < sumsEnd) {
    const nearSamples = v128.load(near);
    const farSamples = v128.load(far);
    v128.store(
      at,
      i16x8.add(triple(i16x8.extend_low_i8x16_u(nearSamples)), i16x8.extend_low_i8x16_u(farSamples)),
    );
    v128.store(
      at,
      i16x8.add(triple(i16x8.extend_high_i8x16_u(nearSamples)), i16x8.extend_high_i8x16_u(farSamples)),
      16,
    );
    near += 16;
    far += 16;
    at += 32;
  }
  store<u16>(sums - 2, load<u16>(sums));
  store<u16>(sumsEnd, load<u16>(sumsEnd - 2));
  const seven = v128.load(CONSTANTS, 32);
  const eight = v128.load(CONSTANTS, 48);
  at = sums;
  while (at < sumsEnd) {
    const own = triple(v128.load(at));
    const even = i16x8.shr_u(i16x8.add(i16x8.add(own, v128.load(at - 2)), eight), 4);
    const odd = i16x8.shr_u(i16x8.add(i16x8.add(own, v128.load(at + 2)), seven), 4);
    v128.store(to, v128.or(even, i16x8.shl(odd, 8)));
    at += 16;
    to += 16;
  }
}

/**
 * Nearest sample: replication for whole factors, as libjpeg does, and also for fractional ones (3:4), which
 * libjpeg refuses.
 * @param width samples to write
 * @param numerator, denominator sample x comes from x × numerator / denominator, rounded down
 */
export function replicate(to: usize, from: usize, width: i32, numerator: i32, denominator: i32): void {
  let source = from;
  let phase: i32 = 0;
  for (let x: i32 = 0; x < width; x++) {
    store<u8>(to + x, load<u8>(source));
    phase += numerator;
    if (phase >= denominator) {
      phase -= denominator;
      source++;
    }
  }
}
