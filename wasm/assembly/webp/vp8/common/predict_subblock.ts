/**
 * Predicts 4 × 4 luma blocks from the samples around them (RFC 6386 section 12.3). All but two modes are made
 * of averages of two or three neighbours along the edge, each used in several places. So all averages are
 * computed at once, and the mode says where they go.
 */
import { SubblockMode } from './macroblock';

/**
 * For the modes from Vertical on, 16 places each: which average of three to use, and which of two; 128 for
 * none.
 */
export const OF_THREE: usize = memory.data<u8>(
  [
    5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 6, 7, 8,
    9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4, 128, 128,
    128, 128, 4, 5, 6, 7, 3, 128, 128, 128, 2, 4, 5, 6, 128, 128, 128, 128, 6, 7, 8, 9, 128, 128, 128, 10, 7,
    8, 9, 11, 128, 4, 5, 6, 128, 3, 128, 4, 128, 2, 128, 3, 128, 1, 128, 2, 128, 2, 128, 1, 128, 1, 128, 0,
    128, 0, 128, 128, 128, 128, 128, 128,
  ],
  16,
);
export const OF_TWO: usize = memory.data<u8>(
  [
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 5, 6, 7, 8, 128, 128, 128, 128, 128, 5, 6, 7, 128, 128, 128, 128, 6, 7, 8, 9, 128, 128, 128, 128, 7,
    8, 9, 128, 128, 128, 128, 128, 4, 128, 128, 128, 3, 128, 4, 128, 2, 128, 3, 128, 1, 128, 2, 128, 3, 128,
    2, 128, 2, 128, 1, 128, 1, 128, 0, 0, 0, 0, 0, 0,
  ],
  16,
);
export const LOWEST_BITS: usize = memory.data<u8>([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 16);

/**
 * Predicts one block.
 * @param to the block's first sample; the column to its left is read
 * @param above the sample above that one; its left neighbour and three to the right are read
 * @param right the four samples after those
 * @returns 16 samples, row after row
 */
// @inline
export function predictSubblock(mode: i32, to: usize, stride: usize, above: usize, right: usize): v128 {
  const left0 = <u32>load<u8>(to - 1);
  const left1 = <u32>load<u8>(to + stride - 1);
  const left2 = <u32>load<u8>(to + 2 * stride - 1);
  const left3 = <u32>load<u8>(to + 3 * stride - 1);
  const corner = <u32>load<u8>(above - 1);
  const upper = load<u32>(above);
  if (mode === SubblockMode.Dc) {
    const sum = left0 + left1 + left2 + left3 + sumOfBytes(upper);
    return i8x16.splat(<i8>((sum + 4) >> 3));
  }
  if (mode === SubblockMode.TrueMotion) {
    const differences = i16x8.sub(i16x8.extend_low_i8x16_u(i32x4.splat(upper)), i16x8.splat(<i16>corner));
    return i8x16.narrow_i16x8_u(
      i16x8.add(differences, twoRows(left0, left1)),
      i16x8.add(differences, twoRows(left2, left3)),
    );
  }
  // The edge from its lower left to its upper right end, with both ends doubled.
  const upperRight = <u64>load<u32>(right);
  const half = left3 | (left3 << 8) | (left2 << 16) | (left1 << 24);
  const first = <u64>half | ((<u64>left0) << 32) | ((<u64>corner) << 40) | ((<u64>upper) << 48);
  const second = <u64>(upper >> 16) | (upperRight << 16) | ((upperRight >> 24) << 48);
  const edge = i64x2.replace_lane(i64x2.splat(first), 1, second);
  const next = v128.shuffle<u8>(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const afterNext = v128.shuffle<u8>(edge, edge, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15);
  const ofTwo = i8x16.avgr_u(edge, next);
  // (a + 2 b + c + 2) / 4. avgr_u rounds up, so the average of a and c is first made to round down.
  const odd = v128.and(v128.xor(edge, afterNext), v128.load(LOWEST_BITS));
  const ofThree = i8x16.avgr_u(i8x16.sub(i8x16.avgr_u(edge, afterNext), odd), next);
  const places = (<usize>(mode - SubblockMode.Vertical)) << 4;
  return v128.or(
    i8x16.swizzle(ofThree, v128.load(OF_THREE + places)),
    i8x16.swizzle(ofTwo, v128.load(OF_TWO + places)),
  );
}

// @inline
export function sumOfBytes(four: u32): u32 {
  const pairs = (four & 0x00ff00ff) + ((four >> 8) & 0x00ff00ff);
  return (pairs & 0xffff) + (pairs >> 16);
}

/** `upper` four times, then `lower` four times, each as 16 bits. */
// @inline
export function twoRows(upper: u32, lower: u32): v128 {
  return i64x2.replace_lane(i64x2.splat(<u64>upper * 0x0001000100010001), 1, <u64>lower * 0x0001000100010001);
}
