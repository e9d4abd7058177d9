/** Chooses each block's predictor mode. */
import { MODES, predicted } from './residual';
import { AlphaEncoder, rowAt } from './state';

/** Bits by which a neighbour's mode is preferred, because modes must be written too. */
const SAME: i32 = 4;

/** 16 bytes of ones, then zeros: a mask for any number of lanes. */
const lanes = memory.data<u64>([<u64>-1, <u64>-1, 0, 0], 16);

/** Chooses the modes of one row of blocks. Its rows of alpha, from `top` on, must all be there. */
export function chooseModes(encoder: AlphaEncoder, top: i32, bottom: i32): void {
  const wide = encoder.blocksWide;
  const edge = 1 << encoder.blockBits;
  const modes = encoder.modes + <usize>(top >> encoder.blockBits) * wide;
  // Above right of the last pixel of a row is the row's first pixel.
  for (let y = max(top, 1); y < bottom; y++) {
    store<u8>(rowAt(encoder, y) - encoder.stride + encoder.width, load<u8>(rowAt(encoder, y)));
  }
  for (let block = 0; block < wide; block++) {
    const x = block * edge;
    const count = min(edge, encoder.width - x);
    const left = block > 0 ? <i32>load<u8>(modes + block - 1) : -1;
    const above = top > 0 ? <i32>load<u8>(modes + block - wide) : -1;
    if (left > 0 && isFlat(encoder, x, count, top, bottom)) {
      // All residuals are 0 in every mode except 0.
      store<u8>(modes + block, <u8>left);
      continue;
    }
    let best: i32 = 0;
    let least: i32 = i32.MAX_VALUE;
    for (let mode = 0; mode < MODES; mode++) {
      let bits = costOf(encoder, mode, x, count, max(top, 1), bottom);
      if (mode === left) bits -= SAME;
      if (mode === above) bits -= SAME;
      if (bits < least) {
        least = bits;
        best = mode;
      }
    }
    store<u8>(modes + block, <u8>best);
  }
}

/**
 * Whether a block, the row above it and the column to its left all have one level; never in the first row.
 */
function isFlat(encoder: AlphaEncoder, x: i32, count: i32, top: i32, bottom: i32): bool {
  if (top === 0 || x === 0) return false;
  const level = v128.load8_splat(rowAt(encoder, top) + x);
  for (let at = -1; at <= count; at += 16) {
    const mask = v128.load(lanes + max(0, 15 - (count - at)));
    for (let row = rowAt(encoder, top) - encoder.stride + x + at, y = top - 1; y < bottom; y++) {
      if (v128.any_true(v128.and(v128.xor(v128.load(row), level), mask))) return false;
      row += encoder.stride;
    }
  }
  return true;
}

/** Bits of all residuals, each counted as the bits of its magnitude; the first column is left out. */
function costOf(encoder: AlphaEncoder, mode: i32, x: i32, count: i32, top: i32, bottom: i32): i32 {
  let sums = i32x4.splat(0);
  for (let at = 0; at < count; at += 16) {
    let mask = v128.load(lanes + max(0, 16 - (count - at)));
    if (x + at === 0) mask = v128.and(mask, i64x2(~0xff, -1));
    for (let y = top; y < bottom; y++) {
      const row = rowAt(encoder, y) + x + at;
      const residual = i8x16.sub(v128.load(row), predicted(mode, row, row - encoder.stride));
      // The number of ones, after all bits below the highest are set.
      let bits = v128.and(i8x16.abs(residual), mask);
      bits = v128.or(bits, i8x16.shr_u(bits, 1));
      bits = v128.or(bits, i8x16.shr_u(bits, 2));
      bits = v128.or(bits, i8x16.shr_u(bits, 4));
      sums = i32x4.add(
        sums,
        i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(bits))),
      );
    }
  }
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}
