/**
 * Makes all ten predictions of a 4 × 4 luma block at once (RFC 6386 section 12.3), because they share
 * averages.
 */
import { SubblockMode } from '../common/macroblock';
import { LOWEST_BITS, OF_THREE, OF_TWO, sumOfBytes, twoRows } from '../common/predict_subblock';

export const SUBBLOCK_MODE_COUNT: usize = 10;

/** Like predictSubblock in ../common/predict_subblock.ts. @param predictions receives 16 samples per mode */
// @inline
export function predictSubblocks(
  to: usize,
  stride: usize,
  above: usize,
  right: usize,
  predictions: usize,
): void {
  const left0 = <u32>load<u8>(to - 1);
  const left1 = <u32>load<u8>(to + stride - 1);
  const left2 = <u32>load<u8>(to + 2 * stride - 1);
  const left3 = <u32>load<u8>(to + 3 * stride - 1);
  const corner = <u32>load<u8>(above - 1);
  const upper = load<u32>(above);
  const sum = left0 + left1 + left2 + left3 + sumOfBytes(upper);
  v128.store(predictions, i8x16.splat(<i8>((sum + 4) >> 3)));
  const differences = i16x8.sub(i16x8.extend_low_i8x16_u(i32x4.splat(upper)), i16x8.splat(<i16>corner));
  v128.store(
    predictions + 16,
    i8x16.narrow_i16x8_u(
      i16x8.add(differences, twoRows(left0, left1)),
      i16x8.add(differences, twoRows(left2, left3)),
    ),
  );
  // The edge from its lower left to its upper right end, with both ends doubled.
  const upperRight = <u64>load<u32>(right);
  const half = left3 | (left3 << 8) | (left2 << 16) | (left1 << 24);
  const first = <u64>half | ((<u64>left0) << 32) | ((<u64>corner) << 40) | ((<u64>upper) << 48);
  const second = <u64>(upper >> 16) | (upperRight << 16) | ((upperRight >> 24) << 48);
  const edge = i64x2.replace_lane(i64x2.splat(first), 1, second);
  const next = v128.shuffle<u8>(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const afterNext = v128.shuffle<u8>(edge, edge, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15);
  const ofTwo = i8x16.avgr_u(edge, next);
  const odd = v128.and(v128.xor(edge, afterNext), v128.load(LOWEST_BITS));
  const ofThree = i8x16.avgr_u(i8x16.sub(i8x16.avgr_u(edge, afterNext), odd), next);
  for (let mode: usize = SubblockMode.Vertical; mode < SUBBLOCK_MODE_COUNT; mode++) {
    const places = (mode - SubblockMode.Vertical) << 4;
    v128.store(
      predictions + (mode << 4),
      v128.or(
        i8x16.swizzle(ofThree, v128.load(OF_THREE + places)),
        i8x16.swizzle(ofTwo, v128.load(OF_TWO + places)),
      ),
    );
  }
}
