/** decode_block (section 5.11.5). */
import * as Av1Fault from '../faults';
import { MAX_SEGMENTS, MI_BYTES, planeAt } from '../frame';
import { segmentQIndex } from '../header/quantisation';
import { copyBlock } from '../predict/block_copy';
import { acQ, dcQ } from '../quantise/tables';
import { chromaSize, heightLog2, widthLog2 } from '../sizes';
import { aboveAt, Context, Decoder, leftAt, spread, Tile } from '../state';
import { keepVector } from './block_vector';
import { blockLevels } from './levels';
import { readModes } from './modes';
import { keepPalettes } from './palette_colours';
import { readPaletteMaps } from './palette_map';
import { chromaTxSize, codeBlock } from './residual';
import { keepSegmentId } from './segment';
import { readBlockTxSize, TX_STRIDE } from './transform_size';

/** Decodes a block. @param row in 4 × 4 blocks, as is `column` @param size MiSize */
export function decodeBlock(d: Decoder, t: Tile, row: i32, column: i32, size: i32): void {
  if (d.fault) return;
  d.miRow = row;
  d.miCol = column;
  d.miSize = size;
  const bw4 = 1 << widthLog2(size);
  const bh4 = 1 << heightLog2(size);
  d.bw4 = bw4;
  d.bh4 = bh4;
  // 4:2:2 has no chroma block sizes for these (section 6.10.4).
  if (d.subX && !d.subY && bh4 > bw4) {
    d.fault = Av1Fault.BAD_TILE;
    return;
  }
  d.availU = row > t.miRowStart;
  d.availL = column > t.miColStart;
  setChroma(d, t);
  const inSuperblock = row & (d.superblockMi - 1);
  readModes(d, t, inSuperblock);
  if (d.fault) return;
  if (d.paletteSizeY | d.paletteSizeUv) readPaletteMaps(d, t);
  readBlockTxSize(d, t, inSuperblock);
  if (d.skip) clearCoefficientContexts(d, t, inSuperblock);
  keepContexts(d, t, inSuperblock);
  keepMi(d, t, inSuperblock);
  setSteps(d, d.deltaQPresent ? t.currentQIndex : d.baseQIndex);
  if (d.isInter) {
    if (!d.skip) memory.fill(d.txTypes, 0, <usize>bh4 * TX_STRIDE);
    copyPlanes(d, inSuperblock);
  }
  codeBlock(d, t);
  keepNeighbours(d, t, inSuperblock);
}

function setChroma(d: Decoder, t: Tile): void {
  const narrow = d.bw4 === 1 && d.subX !== 0;
  const low = d.bh4 === 1 && d.subY !== 0;
  d.hasChroma = d.planeCount > 1 && !(low && (d.miRow & 1) === 0) && !(narrow && (d.miCol & 1) === 0);
  d.availUChroma = d.hasChroma && (low ? d.miRow - 2 >= t.miRowStart : d.availU);
  d.availLChroma = d.hasChroma && (narrow ? d.miCol - 2 >= t.miColStart : d.availL);
}

/** reset_block_context */
function clearCoefficientContexts(d: Decoder, t: Tile, row: i32): void {
  spread(aboveAt(d, Context.CoefficientsY, d.miCol), d.bw4, 0);
  spread(leftAt(t, Context.CoefficientsY, row), d.bh4, 0);
  if (!d.hasChroma) return;
  const size = chromaSize(d.miSize, d.subX, d.subY);
  const width = 1 << widthLog2(size);
  const height = 1 << heightLog2(size);
  spread(aboveAt(d, Context.CoefficientsU, d.miCol >> d.subX), width, 0);
  spread(leftAt(t, Context.CoefficientsU, row >> d.subY), height, 0);
  spread(aboveAt(d, Context.CoefficientsV, d.miCol >> d.subX), width, 0);
  spread(leftAt(t, Context.CoefficientsV, row >> d.subY), height, 0);
}

/** Writes the contexts that are no longer needed to read this block itself. */
function keepContexts(d: Decoder, t: Tile, row: i32): void {
  const column = d.miCol;
  spread(aboveAt(d, Context.Partition, column), d.bw4, widthLog2(d.miSize));
  spread(leftAt(t, Context.Partition, row), d.bh4, heightLog2(d.miSize));
  spread(aboveAt(d, Context.Skip, column), d.bw4, <i32>d.skip);
  spread(leftAt(t, Context.Skip, row), d.bh4, <i32>d.skip);
  if (d.allowIntrabc) {
    spread(aboveAt(d, Context.Copied, column), d.bw4, d.isInter ? d.bw4 << 2 : 0);
    spread(leftAt(t, Context.Copied, row), d.bh4, d.isInter ? d.bh4 << 2 : 0);
    keepVector(d);
  }
  if (d.segmentationEnabled) keepSegmentId(d);
  if (!d.allowScreenContentTools) return;
  spread(aboveAt(d, Context.PaletteY, column), d.bw4, d.paletteSizeY);
  spread(leftAt(t, Context.PaletteY, row), d.bh4, d.paletteSizeY);
  spread(aboveAt(d, Context.PaletteUv, column), d.bw4, d.paletteSizeUv);
  spread(leftAt(t, Context.PaletteUv, row), d.bh4, d.paletteSizeUv);
  keepPalettes(d, t, row);
}

/**
 * Writes the modes; called last, because this block's own predictions still ask for its neighbours' modes.
 */
function keepNeighbours(d: Decoder, t: Tile, row: i32): void {
  spread(aboveAt(d, Context.Mode, d.miCol), d.bw4, d.yMode);
  spread(leftAt(t, Context.Mode, row), d.bh4, d.yMode);
  if (!d.hasChroma) return;
  const size = chromaSize(d.miSize, d.subX, d.subY);
  spread(aboveAt(d, Context.UvMode, d.miCol >> d.subX), 1 << widthLog2(size), d.uvMode);
  spread(leftAt(t, Context.UvMode, row >> d.subY), 1 << heightLog2(size), d.uvMode);
}

/** Writes what the filters need to know about the block: see Mi. */
function keepMi(d: Decoder, t: Tile, row: i32): void {
  const chromaTx = d.hasChroma ? chromaTxSize(d) : 0;
  const record =
    <u64>blockLevels(d, t) |
    ((<u64>d.txSize) << 32) |
    ((<u64>chromaTx) << 40) |
    ((<u64>d.skip) << 48) |
    ((<u64>d.miSize) << 56);
  let at = d.mi + <usize>(row * d.miStride + d.miCol) * MI_BYTES;
  const pair = i64x2.splat(record);
  const stride = <usize>d.miStride * MI_BYTES;
  for (let i = 0; i < d.bh4; i++, at += stride) {
    if (d.bw4 === 1) store<u64>(at, record);
    else for (let j: usize = 0; j < <usize>d.bw4; j += 2) v128.store(at + (j << 3), pair);
  }
}

/** Sets the quantiser steps of all segments for a CurrentQIndex (section 7.12.2). */
function setSteps(d: Decoder, qindex: i32): void {
  if (d.stepsQIndex === qindex) return;
  d.stepsQIndex = qindex;
  const depth = d.bitDepth;
  let at = d.steps;
  for (let segment = 0; segment < MAX_SEGMENTS; segment++, at += 12) {
    const index = segmentQIndex(d, segment, qindex);
    store<u16>(at, <u16>dcQ(index + d.deltaQYDc, depth));
    store<u16>(at, <u16>acQ(index, depth), 2);
    store<u16>(at, <u16>dcQ(index + d.deltaQUDc, depth), 4);
    store<u16>(at, <u16>acQ(index + d.deltaQUAc, depth), 6);
    store<u16>(at, <u16>dcQ(index + d.deltaQVDc, depth), 8);
    store<u16>(at, <u16>acQ(index + d.deltaQVAc, depth), 10);
  }
}

/** Intra block copy of all planes. Where chroma is subsampled, its vector may end in a half. */
function copyPlanes(d: Decoder, row: i32): void {
  const planes = d.hasChroma ? 3 : 1;
  for (let plane = 0; plane < planes; plane++) {
    const p = planeAt(d, plane);
    const size = plane > 0 ? chromaSize(d.miSize, d.subX, d.subY) : d.miSize;
    const x = (d.miCol >> p.subX) << 2;
    const y = (row >> p.subY) << 2;
    const dst = p.current + <usize>y * p.stride + ((<usize>x) << 1);
    const source = dst + <usize>((d.mvRow >> p.subY) * <i32>p.stride) + <usize>((d.mvCol >> p.subX) << 1);
    const halfX = (d.mvCol & p.subX) !== 0;
    const halfY = (d.mvRow & p.subY) !== 0;
    copyBlock(dst, p.stride, source, 4 << widthLog2(size), 4 << heightLog2(size), halfX, halfY);
  }
}
