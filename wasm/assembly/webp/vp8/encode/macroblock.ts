/** Codes one macroblock: chooses its segment, modes and levels, then counts or writes it. */

import {
  BLOCK_BYTES,
  BlockType,
  MODES,
  Mode,
  NONZERO_CHROMA,
  NONZERO_LUMA,
  NONZERO_Y2,
  RECORD_BYTES,
  Y2_BLOCK,
} from '../common/macroblock';
import { TYPE_NODES } from '../common/token_tree';
import { searchChroma } from './chroma';
import { weighBlocks } from './error_weights';
import { headerFits } from './header_budget';
import { searchLuma4 } from './luma4';
import { codeLuma16, searchLuma16 } from './luma16';
import { putModes } from './modes';
import { SEGMENT_BYTES } from './segments';
import { countEmpty } from './skipping';
import { Encoder, Reading } from './state';
import { countTokens, writeTokens } from './tokens';
import { LASTS, LEVELS, SUBBLOCK_MODES } from './workspace';

/**
 * @param column the macroblock's column; its samples are in SOURCE, its neighbours' in the workspace's
 * borders
 */
export function encodeMacroblock(encoder: Encoder, column: i32): void {
  const record = encoder.records + <usize>column * RECORD_BYTES;
  const segment = encoder.segments + <usize>encoder.segment * SEGMENT_BYTES;
  weighBlocks(encoder);
  const score = searchLuma16(encoder, segment, record, column);
  const fits = headerFits(encoder);
  if (!fits || !searchLuma4(encoder, segment, record, score)) {
    codeLuma16(encoder, segment, record, column);
  }
  searchChroma(encoder, segment, record, column);
  const empty = isEmpty(encoder);
  if (encoder.reading === Reading.Sampling) {
    encoder.sampled++;
    if (empty) {
      encoder.empty++;
      countEmpty(encoder, record);
    }
  }
  const skipped = empty && (encoder.skipping || encoder.reading === Reading.Sampling);
  if (encoder.reading === Reading.Writing) putModes(encoder, record, skipped);
  encoder.blocksLeft--;
  noteModes(encoder, record);
  if (skipped) skipTokens(encoder, record);
  else passTokens(encoder, record);
}

function isEmpty(encoder: Encoder): bool {
  // −1 in each byte. For luma whose DC is in Y2, a last place of 0 means no level.
  const subblocks = encoder.lumaMode === Mode.Subblocks;
  if (!subblocks && load<i8>(LASTS + Y2_BLOCK) >= 0) return false;
  const limit = i8x16.splat(subblocks ? -1 : 0);
  if (v128.any_true(i8x16.gt_s(v128.load(LASTS), limit))) return false;
  return load<i64>(LASTS, 16) === -1;
}

/** Notes the modes for the macroblocks below and to the right. */
function noteModes(encoder: Encoder, record: usize): void {
  if (encoder.lumaMode !== Mode.Subblocks) {
    const four = <u32>encoder.lumaMode * 0x01010101;
    store<u32>(record, four, MODES);
    store<u32>(encoder.left, four, MODES);
    return;
  }
  store<u32>(record, load<u32>(SUBBLOCK_MODES, 12), MODES);
  for (let y: usize = 0; y < 4; y++) store<u8>(encoder.left + y, load<u8>(SUBBLOCK_MODES + y * 4, 3), MODES);
}

function skipTokens(encoder: Encoder, record: usize): void {
  store<u64>(record, 0, NONZERO_LUMA);
  store<u64>(encoder.left, 0, NONZERO_LUMA);
  if (encoder.lumaMode !== Mode.Subblocks) {
    store<u8>(record, 0, NONZERO_Y2);
    store<u8>(encoder.left, 0, NONZERO_Y2);
  }
}

/** Counts or writes the blocks in the order of RFC 6386 section 13: Y2, luma, chroma. */
function passTokens(encoder: Encoder, record: usize): void {
  let type = <i32>BlockType.Luma;
  let first: i32 = 0;
  if (encoder.lumaMode !== Mode.Subblocks) {
    passBlock(encoder, BlockType.Y2, 0, Y2_BLOCK, record + NONZERO_Y2, encoder.left + NONZERO_Y2);
    type = BlockType.LumaWithoutDc;
    first = 1;
  }
  for (let y: usize = 0; y < 4; y++) {
    for (let x: usize = 0; x < 4; x++) {
      const left = encoder.left + NONZERO_LUMA + y;
      passBlock(encoder, type, first, (y << 2) + x, record + NONZERO_LUMA + x, left);
    }
  }
  for (let row: usize = 0; row < 4; row++) {
    for (let x: usize = 0; x < 2; x++) {
      const above = record + NONZERO_CHROMA + (row & 2) + x;
      passBlock(
        encoder,
        BlockType.Chroma,
        0,
        16 + (row << 1) + x,
        above,
        encoder.left + NONZERO_CHROMA + row,
      );
    }
  }
}

/**
 * Counts or writes one block.
 * @param above, left addresses of whether the neighbours have coefficients; receive whether this block has
 */
function passBlock(encoder: Encoder, type: i32, first: i32, block: usize, above: usize, left: usize): void {
  const context = <i32>load<u8>(above) + load<u8>(left);
  const last = <i32>load<i8>(LASTS + block);
  const levels = LEVELS + block * BLOCK_BYTES;
  const nodes = <usize>type * TYPE_NODES;
  if (encoder.reading === Reading.Writing) {
    writeTokens(encoder.tokens, encoder.probabilities + nodes, first, context, levels, last);
  } else {
    countTokens(encoder.statistics + (nodes << 3), first, context, levels, last);
  }
  const any = <u8>(last >= first);
  store<u8>(above, any);
  store<u8>(left, any);
}
