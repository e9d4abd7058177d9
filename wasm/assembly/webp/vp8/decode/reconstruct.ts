/**
 * Reconstructs a macroblock's samples: the prediction plus what its coefficients give (RFC 6386 section
 * 14.5).
 */
import { BLOCK_BYTES, Mode } from '../common/macroblock';
import { predictChroma, predictLuma } from '../common/predict';
import { predictSubblock } from '../common/predict_subblock';
import { addAll, addDc, addThree } from '../common/transform';
import { Extent } from './residuals';
import { Decoder } from './state';

const LUMA_BLOCKS: usize = 16;

// @inline
function loadBlock(from: usize, stride: usize): v128 {
  let samples = v128.load32_zero(from);
  samples = v128.load32_lane(from + stride, samples, 1);
  samples = v128.load32_lane(from + 2 * stride, samples, 2);
  return v128.load32_lane(from + 3 * stride, samples, 3);
}

// @inline
function storeBlock(to: usize, stride: usize, samples: v128): void {
  v128.store32_lane(to, samples, 0);
  v128.store32_lane(to + stride, samples, 1);
  v128.store32_lane(to + 2 * stride, samples, 2);
  v128.store32_lane(to + 3 * stride, samples, 3);
}

/** Adds what a block's coefficients give, and zeroes them. @param extent not None */
// @inline
function addBlock(samples: v128, extent: i32, block: usize): v128 {
  const sum =
    extent === Extent.All
      ? addAll(samples, block)
      : extent === Extent.Three
        ? addThree(samples, block)
        : addDc(samples, block);
  const zero = i64x2.splat(0);
  v128.store(block, zero);
  v128.store(block, zero, 16);
  return sum;
}

/**
 * Reconstructs one macroblock.
 * @param column the macroblock's column
 * @param coded whether any coefficient is non-zero
 */
export function reconstruct(decoder: Decoder, column: i32, coded: bool): void {
  const stride = decoder.stride;
  const x = (<usize>column) << 4;
  const parity = <usize>(decoder.row & 1);
  const hasAbove = decoder.row > 0;
  const hasLeft = column > 0;

  const luma = decoder.luma + parity * 16 * stride + x;
  const lumaAbove = decoder.lumaAbove + x;
  if (decoder.lumaMode === Mode.Subblocks) {
    reconstructSubblocks(decoder, luma, lumaAbove, coded);
  } else {
    predictLuma(decoder.lumaMode, luma, stride, lumaAbove, hasAbove, hasLeft);
    if (coded) addLuma(decoder, luma);
  }

  const chroma = decoder.chroma + parity * 8 * stride + x;
  predictChroma(decoder.chromaMode, chroma, stride, decoder.chromaAbove + x, hasAbove, hasLeft);
  if (coded) addChroma(decoder, chroma);
}

function reconstructSubblocks(decoder: Decoder, luma: usize, lumaAbove: usize, coded: bool): void {
  const stride = decoder.stride;
  const modes = decoder.subblockModes;
  const extents = decoder.extents;
  const blocks = decoder.coefficients;
  for (let i: usize = 0; i < LUMA_BLOCKS; i++) {
    const x = (i & 3) << 2;
    const to = luma + (i >> 2) * 4 * stride + x;
    const above = i < 4 ? lumaAbove + x : to - stride;
    // The lower blocks of the last column use the row above the next macroblock too (section 12.3).
    const right = x === 12 ? lumaAbove + 16 : above + 4;
    let samples = predictSubblock(load<u8>(modes + i), to, stride, above, right);
    const extent: i32 = coded ? load<u8>(extents + i) : Extent.None;
    if (extent !== Extent.None) samples = addBlock(samples, extent, blocks + i * BLOCK_BYTES);
    storeBlock(to, stride, samples);
  }
}

function addLuma(decoder: Decoder, luma: usize): void {
  const stride = decoder.stride;
  const extents = decoder.extents;
  const blocks = decoder.coefficients;
  for (let i: usize = 0; i < LUMA_BLOCKS; i++) {
    const extent = load<u8>(extents + i);
    if (extent === Extent.None) continue;
    const to = luma + (i >> 2) * 4 * stride + ((i & 3) << 2);
    storeBlock(to, stride, addBlock(loadBlock(to, stride), extent, blocks + i * BLOCK_BYTES));
  }
}

/**
 * As in libwebp, all blocks of a component are transformed alike: by DC alone only if none of them has more.
 */
function addChroma(decoder: Decoder, chroma: usize): void {
  const stride = decoder.stride;
  let block = decoder.coefficients + LUMA_BLOCKS * BLOCK_BYTES;
  for (let component: usize = 0; component < 2; component++) {
    const extents = load<u32>(decoder.extents + LUMA_BLOCKS + (component << 2));
    const extent: i32 = extents & 0x02020202 ? Extent.All : Extent.Dc;
    for (let i: usize = 0; i < 4; i++, block += BLOCK_BYTES) {
      if (extents === 0) continue;
      const to = chroma + (component << 3) + (i >> 1) * 4 * stride + ((i & 1) << 2);
      storeBlock(to, stride, addBlock(loadBlock(to, stride), extent, block));
    }
  }
}
