/** The DC mode (section 7.11.2.5): the mean of the available edges. */
import { ABOVE, LEFT, takeAbove, takeLeft } from './edges';
import { fillBlock } from './fill';
import { IntraBlock } from './intra_block';

export function predictDc(block: IntraBlock): void {
  const width = 1 << block.log2W;
  const height = 1 << block.log2H;
  let sum = 0;
  let count = 0;
  if (block.haveAbove) {
    let above = block.above;
    if (block.aboveCount < width) {
      takeAbove(block, width);
      above = ABOVE;
    }
    sum += edgeSum(above, width);
    count += width;
  }
  if (block.haveLeft) {
    if (block.leftCount < height) {
      takeLeft(block, height);
      sum += edgeSum(LEFT, height);
    } else sum += columnSum(block.dst - 2, block.stride, height);
    count += height;
  }
  const value = count === 0 ? 1 << (block.bitDepth - 1) : (sum + (count >> 1)) / count;
  fillBlock(block.dst, block.stride, block.log2W, height, value);
}

/** Sum of 4 samples, or of a multiple of 8. */
// @inline
function edgeSum(edge: usize, count: i32): i32 {
  let sums = i32x4.extadd_pairwise_i16x8_u(count === 4 ? v128.load64_zero(edge) : v128.load(edge));
  for (let at = edge + 16; at < edge + ((<usize>count) << 1); at += 16) {
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(v128.load(at)));
  }
  const pairs = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

// @inline
function columnSum(from: usize, stride: usize, height: i32): i32 {
  let sum = 0;
  for (const end = from + stride * height; from < end; from += stride) sum += load<u16>(from);
  return sum;
}
