/** intra_frame_mode_info (section 5.11.7): how a block is predicted. */
import {
  ANGLE_DELTA,
  CFL_ALPHA,
  CFL_SIGN,
  FILTER_INTRA,
  FILTER_INTRA_MODE,
  INTRABC,
  SKIP,
  UV_MODE,
  UV_MODE_CFL,
  Y_MODE,
} from '../cdf/offsets';
import { SEG_SKIP, segmentHas } from '../header/quantisation';
import { Mode } from '../predict/intra_block';
import { Block, chromaSize, heightLog2, widthLog2 } from '../sizes';
import { aboveAt, Context, Decoder, leftAt, Tile } from '../state';
import { readFlagSymbol, readSymbol8, readSymbol16 } from '../symbol';
import { readBlockVector } from './block_vector';
import { readCdef, readDeltaLf, readDeltaQIndex } from './deltas';
import { readPaletteModes } from './palette_colours';
import { readSegmentId } from './segment';

/** UV_CFL_PRED */
export const CHROMA_FROM_LUMA = 13;
/** Intra_Mode_Context (section 8.3.2). */
const MODE_CONTEXT: usize = memory.data<u8>([0, 1, 2, 3, 4, 4, 4, 4, 3, 0, 1, 2, 0]);
const MAX_ANGLE_DELTA = 3;

/** Reads the modes of the current block. @param row of the block within its superblock, in 4 × 4 blocks */
export function readModes(d: Decoder, t: Tile, row: i32): void {
  d.segmentId = 0;
  d.skip = false;
  if (d.segIdPreSkip) readSegmentId(d, t);
  readSkip(d, t, row);
  if (d.segmentationEnabled && !d.segIdPreSkip) readSegmentId(d, t);
  d.lossless = load<u8>(d.segmentLossless + <usize>d.segmentId) !== 0;
  readCdef(d, t);
  if (d.readDeltas) {
    const whole = d.bw4 === d.superblockMi && d.bh4 === d.superblockMi;
    if (!(whole && d.skip)) {
      readDeltaQIndex(d, t);
      if (d.deltaLfPresent) readDeltaLf(d, t);
    }
    d.readDeltas = false;
  }
  d.angleDeltaY = 0;
  d.angleDeltaUv = 0;
  d.paletteSizeY = 0;
  d.paletteSizeUv = 0;
  d.filterIntraMode = -1;
  d.isInter = d.allowIntrabc && readFlagSymbol(t, t.cdf + INTRABC) !== 0;
  if (d.isInter) {
    d.yMode = Mode.Dc;
    d.uvMode = Mode.Dc;
    readBlockVector(d, t);
  } else {
    readIntraModes(d, t, row);
  }
}

function readSkip(d: Decoder, t: Tile, row: i32): void {
  if (d.segIdPreSkip && segmentHas(d, d.segmentId, SEG_SKIP)) {
    d.skip = true;
    return;
  }
  let context: usize = 0;
  if (d.availU) context += <usize>load<u8>(aboveAt(d, Context.Skip, d.miCol));
  if (d.availL) context += <usize>load<u8>(leftAt(t, Context.Skip, row));
  d.skip = readFlagSymbol(t, t.cdf + SKIP + (context << 2)) !== 0;
}

function readIntraModes(d: Decoder, t: Tile, row: i32): void {
  const above = d.availU ? <usize>load<u8>(aboveAt(d, Context.Mode, d.miCol)) : 0;
  const left = d.availL ? <usize>load<u8>(leftAt(t, Context.Mode, row)) : 0;
  const context = <usize>load<u8>(MODE_CONTEXT + above) * 5 + <usize>load<u8>(MODE_CONTEXT + left);
  d.yMode = readSymbol16(t, t.cdf + Y_MODE + (context << 5), 12);
  const angled = d.miSize >= Block.B8x8;
  if (angled) d.angleDeltaY = readAngleDelta(t, d.yMode);
  if (d.hasChroma) {
    readUvMode(d, t);
    if (d.uvMode === CHROMA_FROM_LUMA) readCflAlphas(d, t);
    if (angled) d.angleDeltaUv = readAngleDelta(t, d.uvMode);
  }
  if (d.allowScreenContentTools && angled && d.bw4 <= 16 && d.bh4 <= 16) readPaletteModes(d, t, row);
  if (
    d.enableFilterIntra &&
    d.yMode === Mode.Dc &&
    d.paletteSizeY === 0 &&
    max(d.bw4, d.bh4) <= 8 &&
    readFlagSymbol(t, t.cdf + FILTER_INTRA + ((<usize>d.miSize) << 2))
  ) {
    d.filterIntraMode = readSymbol8(t, t.cdf + FILTER_INTRA_MODE, 4);
  }
}

/** @returns AngleDelta; 0 for modes without a direction */
function readAngleDelta(t: Tile, mode: i32): i32 {
  if (mode < Mode.Vertical || mode > Mode.D67) return 0;
  const cdf = t.cdf + ANGLE_DELTA + ((<usize>(mode - Mode.Vertical)) << 4);
  return readSymbol8(t, cdf, 6) - MAX_ANGLE_DELTA;
}

function readUvMode(d: Decoder, t: Tile): void {
  const fromLuma = d.lossless
    ? chromaSize(d.miSize, d.subX, d.subY) === Block.B4x4
    : max(widthLog2(d.miSize), heightLog2(d.miSize)) <= 3;
  const mode = (<usize>d.yMode) << 5;
  d.uvMode = fromLuma
    ? readSymbol16(t, t.cdf + UV_MODE_CFL + mode, 13)
    : readSymbol16(t, t.cdf + UV_MODE + mode, 12);
}

/** read_cfl_alphas (section 5.11.45): the signs of U and V are 0, negative or positive. */
function readCflAlphas(d: Decoder, t: Tile): void {
  const signs = readSymbol8(t, t.cdf + CFL_SIGN, 7) + 1;
  const signU = signs / 3;
  const signV = signs - signU * 3;
  d.cflAlphaU = readCflAlpha(t, signU, signV);
  d.cflAlphaV = readCflAlpha(t, signV, signU);
}

function readCflAlpha(t: Tile, sign: i32, other: i32): i32 {
  if (sign === 0) return 0;
  const context = <usize>((sign - 1) * 3 + other);
  const alpha = 1 + readSymbol16(t, t.cdf + CFL_ALPHA + (context << 5), 15);
  return sign === 1 ? -alpha : alpha;
}
