/** Recursive prediction with filters (section 7.11.2.3): 4 × 2 samples at once from the 7 around them. */
import { ABOVE, corner, LEFT, takeAbove, takeLeft } from './edges';
import { IntraBlock } from './intra_block';

/** INTRA_FILTER_SCALE_BITS. */
const SCALE_BITS: i32 = 4;
/**
 * Intra_Filter_Taps, for each mode and each of the two rows: the weights of neighbours 0 and 1 for the four
 * samples of a row, then those of 2 and 3, of 4 and 5, and of 6 and none.
 */
const TAPS: usize = memory.data<i16>(
  [
    -6, 10, -5, 2, -3, 1, -3, 1, 0, 0, 10, 0, 1, 10, 1, 2, 0, 12, 0, 9, 0, 7, 10, 5, 0, 0, 0, 0, 0, 0, 0, 0,
    -4, 6, -3, 2, -3, 2, -3, 1, 0, 0, 6, 0, 2, 6, 2, 2, 0, 2, 0, 2, 0, 2, 6, 3, 12, 0, 9, 0, 7, 0, 5, 0, -10,
    16, -6, 0, -4, 0, -2, 0, 0, 0, 16, 0, 0, 16, 0, 0, 0, 10, 0, 6, 0, 4, 16, 2, 0, 0, 0, 0, 0, 0, 0, 0, -10,
    16, -6, 0, -4, 0, -2, 0, 0, 0, 16, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 10, 0, 6, 0, 4, 0, 2, 0, -8,
    8, -8, 0, -8, 0, -8, 0, 0, 0, 8, 0, 0, 8, 0, 0, 0, 16, 0, 16, 0, 16, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, -4, 4,
    -4, 0, -4, 0, -4, 0, 0, 0, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 16, 0, 16, 0, 16, 0, 16, 0, -2, 8,
    -1, 3, -1, 2, 0, 1, 0, 0, 8, 0, 3, 8, 2, 3, 0, 10, 0, 6, 0, 4, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0, -1, 4, -1, 3,
    -1, 2, -1, 2, 0, 0, 4, 0, 3, 4, 2, 3, 0, 3, 0, 4, 0, 4, 4, 3, 10, 0, 6, 0, 4, 0, 3, 0, -12, 14, -10, 0,
    -9, 0, -8, 0, 0, 0, 14, 0, 0, 14, 0, 0, 0, 14, 0, 12, 0, 11, 14, 10, 0, 0, 0, 0, 0, 0, 0, 0, -10, 12, -9,
    1, -8, 0, -7, 0, 0, 0, 12, 0, 0, 12, 0, 1, 0, 0, 0, 0, 0, 1, 12, 1, 14, 0, 12, 0, 11, 0, 9, 0,
  ],
  16,
);
const ROW_BYTES: usize = 64;

export function predictRecursive(block: IntraBlock): void {
  const height = 1 << block.log2H;
  takeAbove(block, 1 << block.log2W);
  takeLeft(block, height);
  store<u16>(ABOVE - 2, <u16>corner(block));
  const taps = TAPS + ((<usize>block.filterMode) << 7);
  const highest: i32 = (1 << block.bitDepth) - 1;
  const most = i16x8.splat(<i16>highest);
  const rowBytes = (<usize>2) << block.log2W;
  const stride = block.stride;
  let dst = block.dst;
  let above = ABOVE;
  // The sample before the row above: the corner at first, later the one to the left of that row.
  let before = <i32>load<u16>(ABOVE - 2);
  for (let left = LEFT; left < LEFT + ((<usize>height) << 1); left += 4) {
    let topLeft = before;
    let left0 = <i32>load<u16>(left);
    let left1 = <i32>load<u16>(left, 2);
    before = left1;
    for (let at: usize = 0; at < rowBytes; at += 8) {
      const top = load<u64>(above + at);
      const upper = filtered(taps, topLeft, top, left0, left1);
      const lower = filtered(taps + ROW_BYTES, topLeft, top, left0, left1);
      const samples = i16x8.min_s(i16x8.max_s(i16x8.narrow_i32x4_s(upper, lower), i16x8.splat(0)), most);
      v128.store64_lane(dst + at, samples, 0);
      v128.store64_lane(dst + stride + at, samples, 1);
      topLeft = <i32>(top >> 48);
      left0 = i16x8.extract_lane_u(samples, 3);
      left1 = i16x8.extract_lane_u(samples, 7);
    }
    above = dst + stride;
    dst += stride << 1;
  }
}

/** Four samples as i32, rounded but not clipped. Negative ones become zero either way. */
// @inline
function filtered(taps: usize, topLeft: i32, top: u64, left0: i32, left1: i32): v128 {
  const pair01 = i32x4.splat(topLeft | ((<i32>top) << 16));
  const pair23 = i32x4.splat(<i32>(top >> 16));
  const pair45 = i32x4.splat(<i32>(top >> 48) | (left0 << 16));
  const pair6 = i32x4.splat(left1);
  const sum = i32x4.add(
    i32x4.add(i32x4.dot_i16x8_s(pair01, v128.load(taps)), i32x4.dot_i16x8_s(pair23, v128.load(taps, 16))),
    i32x4.add(i32x4.dot_i16x8_s(pair45, v128.load(taps, 32)), i32x4.dot_i16x8_s(pair6, v128.load(taps, 48))),
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(1 << (SCALE_BITS - 1))), SCALE_BITS);
}
