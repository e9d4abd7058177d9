/**
 * The smooth modes (section 7.11.2.6): weighted means of opposite edges; the far edges are a single sample.
 */
import { ABOVE, LEFT, sampleAt, takeAbove, takeLeft } from './edges';
import { storeSamples } from './fill';
import { IntraBlock, Mode } from './intra_block';

/** Sm_Weights_Tx_4x4 to 64x64, one after the other: that of 2^n samples begins at 2^n − 4. */
const WEIGHTS: usize = memory.data<u8>([
  255, 149, 85, 64, 255, 197, 146, 105, 73, 50, 37, 32, 255, 225, 196, 170, 145, 123, 102, 84, 68, 54, 43, 33,
  26, 20, 17, 16, 255, 240, 225, 210, 196, 182, 169, 157, 145, 133, 122, 111, 101, 92, 83, 74, 66, 59, 52, 45,
  39, 34, 29, 25, 21, 17, 14, 12, 10, 9, 8, 8, 255, 248, 240, 233, 225, 218, 210, 203, 196, 189, 182, 176,
  169, 163, 156, 150, 144, 138, 133, 127, 121, 116, 111, 106, 101, 96, 91, 86, 82, 77, 73, 69, 65, 61, 57, 54,
  50, 47, 44, 41, 38, 35, 32, 29, 27, 25, 22, 20, 18, 16, 15, 13, 12, 10, 9, 8, 7, 6, 6, 5, 5, 4, 4, 4,
]);

/** SMOOTH, SMOOTH_V and SMOOTH_H. */
export function predictSmooth(block: IntraBlock): void {
  takeAbove(block, 1 << block.log2W);
  takeLeft(block, 1 << block.log2H);
  if (block.mode === Mode.Smooth) smooth(block, true, true);
  else if (block.mode === Mode.SmoothV) smooth(block, true, false);
  else smooth(block, false, true);
}

/** @param isDown whether rows are weighed @param isAcross whether columns are; both are constants */
// @inline
function smooth(block: IntraBlock, isDown: bool, isAcross: bool): void {
  const width = 1 << block.log2W;
  const height = 1 << block.log2H;
  const isNarrow = block.log2W === 2;
  const shift = isDown && isAcross ? 9 : 8;
  const half = i32x4.splat(1 << (shift - 1));
  const lowest = i16x8.splat(<i16>sampleAt(LEFT, height - 1));
  const farRight = sampleAt(ABOVE, width - 1) << 16;
  const columnWeights = WEIGHTS + width - 4;
  const rowWeights = WEIGHTS + height - 4;
  for (let column = 0; column < width; column += 8) {
    const above = v128.load(ABOVE + ((<usize>column) << 1));
    const aboveLow = v128.shuffle<i16>(above, lowest, 0, 8, 1, 9, 2, 10, 3, 11);
    const aboveHigh = v128.shuffle<i16>(above, lowest, 4, 12, 5, 13, 6, 14, 7, 15);
    const weights = v128.load8x8_u(columnWeights + column);
    const rest = i16x8.sub(i16x8.splat(256), weights);
    const weightsLow = v128.shuffle<i16>(weights, rest, 0, 8, 1, 9, 2, 10, 3, 11);
    const weightsHigh = v128.shuffle<i16>(weights, rest, 4, 12, 5, 13, 6, 14, 7, 15);
    let dst = block.dst + ((<usize>column) << 1);
    for (let row: usize = 0; row < <usize>height; row++, dst += block.stride) {
      let low = half;
      let high = half;
      if (isDown) {
        const weight: i32 = load<u8>(rowWeights + row);
        const pair = i32x4.splat(weight | ((256 - weight) << 16));
        low = i32x4.add(low, i32x4.dot_i16x8_s(aboveLow, pair));
        high = i32x4.add(high, i32x4.dot_i16x8_s(aboveHigh, pair));
      }
      if (isAcross) {
        const pair = i32x4.splat(<i32>load<u16>(LEFT + (row << 1)) | farRight);
        low = i32x4.add(low, i32x4.dot_i16x8_s(weightsLow, pair));
        high = i32x4.add(high, i32x4.dot_i16x8_s(weightsHigh, pair));
      }
      storeSamples(dst, i16x8.narrow_i32x4_u(i32x4.shr_s(low, shift), i32x4.shr_s(high, shift)), isNarrow);
    }
  }
}
