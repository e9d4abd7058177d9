/**
 * Reads a macroblock's coefficients (RFC 6386 section 13.3) and keeps the contexts that blocks give each
 * other.
 */

import {
  BLOCK_BYTES,
  BlockType,
  Mode,
  NONZERO_CHROMA,
  NONZERO_LUMA,
  NONZERO_Y2,
  Y2_BLOCK,
} from '../common/macroblock';
import { inverseWalsh, spreadDc } from '../common/transform';
import { nodesAt, readBlock } from './coefficients';
import { CHROMA_AC, CHROMA_DC, LUMA_AC, LUMA_DC, QUANTISER_BYTES, Y2_AC, Y2_DC } from './quantisers';
import { BoolReader, Decoder } from './state';

/** Which of a block's coefficients may be non-zero. */
export const enum Extent {
  None = 0,
  Dc = 1,
  /** The first three in coded order: DC, and the ones to its right and below it. */
  Three = 2,
  All = 3,
}

// @inline
function extentOf(count: i32, block: usize): i32 {
  return count > 3 ? Extent.All : count > 1 ? Extent.Three : <i32>(load<i16>(block) !== 0);
}

/**
 * A macroblock without coefficients: clears the contexts, but keeps that of Y2 if the macroblock has no Y2
 * block.
 */
export function skipResiduals(decoder: Decoder, above: usize): void {
  const left = decoder.left;
  store<u64>(above, 0, NONZERO_LUMA);
  store<u64>(left, 0, NONZERO_LUMA);
  if (decoder.lumaMode !== Mode.Subblocks) {
    store<u8>(above, 0, NONZERO_Y2);
    store<u8>(left, 0, NONZERO_Y2);
  }
}

/**
 * Reads all blocks of a macroblock into `coefficients`, and the Extent of each into `extents`.
 * @param above the record of this column
 * @returns whether any coefficient is non-zero
 */
export function readResiduals(decoder: Decoder, reader: BoolReader, above: usize): bool {
  const left = decoder.left;
  const quantiser = decoder.quantisers + <usize>decoder.segment * QUANTISER_BYTES;
  const probabilities = decoder.probabilities;
  let block = decoder.coefficients;
  let extent = decoder.extents;
  let any: i32 = 0;

  let first: i32 = 0;
  let nodes = nodesAt(probabilities, BlockType.Luma, 0, 0);
  if (decoder.lumaMode !== Mode.Subblocks) {
    readY2(decoder, reader, above, quantiser);
    first = 1;
    nodes = nodesAt(probabilities, BlockType.LumaWithoutDc, 0, 0);
  }
  let dc = load<i32>(quantiser, LUMA_DC);
  let ac = load<i32>(quantiser, LUMA_AC);
  for (let y: usize = 0; y < 4; y++) {
    let before = load<u8>(left + y, NONZERO_LUMA);
    for (let x: usize = 0; x < 4; x++) {
      const context = before + load<u8>(above + x, NONZERO_LUMA);
      const count = readBlock(reader, nodes, context, first, dc, ac, block);
      before = <u8>(count > first);
      store<u8>(above + x, before, NONZERO_LUMA);
      const own = extentOf(count, block);
      store<u8>(extent, own);
      any |= own;
      extent++;
      block += BLOCK_BYTES;
    }
    store<u8>(left + y, before, NONZERO_LUMA);
  }

  nodes = nodesAt(probabilities, BlockType.Chroma, 0, 0);
  dc = load<i32>(quantiser, CHROMA_DC);
  ac = load<i32>(quantiser, CHROMA_AC);
  for (let row: usize = 0; row < 4; row++) {
    // Two rows of blocks of one component, then two of the other.
    const column = above + (row & 2);
    let before = load<u8>(left + row, NONZERO_CHROMA);
    for (let x: usize = 0; x < 2; x++) {
      const context = before + load<u8>(column + x, NONZERO_CHROMA);
      const count = readBlock(reader, nodes, context, 0, dc, ac, block);
      before = <u8>(count > 0);
      store<u8>(column + x, before, NONZERO_CHROMA);
      const own = extentOf(count, block);
      store<u8>(extent, own);
      any |= own;
      extent++;
      block += BLOCK_BYTES;
    }
    store<u8>(left + row, before, NONZERO_CHROMA);
  }
  return any !== 0;
}

/** Reads Y2, the block of the 16 luma blocks' DCs, and puts these in their places. */
function readY2(decoder: Decoder, reader: BoolReader, above: usize, quantiser: usize): void {
  const left = decoder.left;
  const block = decoder.coefficients + Y2_BLOCK * BLOCK_BYTES;
  const context = load<u8>(above, NONZERO_Y2) + load<u8>(left, NONZERO_Y2);
  const nodes = nodesAt(decoder.probabilities, BlockType.Y2, 0, 0);
  const dc = load<i32>(quantiser, Y2_DC);
  const count = readBlock(reader, nodes, context, 0, dc, load<i32>(quantiser, Y2_AC), block);
  const any = <u8>(count > 0);
  store<u8>(above, any, NONZERO_Y2);
  store<u8>(left, any, NONZERO_Y2);
  if (count > 1) inverseWalsh(block, decoder.coefficients);
  else if (count > 0) spreadDc(load<i16>(block), decoder.coefficients);
  const zero = i64x2.splat(0);
  v128.store(block, zero);
  v128.store(block, zero, 16);
}
