/**
 * residual (section 5.11.34): predicts, parses and reconstructs a block's transform blocks, one after the
 * other.
 */
import { TXB_SKIP } from '../cdf/offsets';
import { MI_BYTES, Mi, Plane, planeAt } from '../frame';
import { predictCfl } from '../predict/cfl';
import { predictIntra } from '../predict/intra';
import { Mode } from '../predict/intra_block';
import { predictPalette } from '../predict/palette';
import { chromaSize, heightLog2, largestTx, Tx, txHeightLog2, txOf, txWidthLog2, widthLog2 } from '../sizes';
import { aboveAt, Context, DECODED_ROWS, Decoder, leftAt, spread, Tile } from '../state';
import { readFlagSymbol } from '../symbol';
import { inverseTransform } from '../transform/inverse';
import { readCoefficients } from './coefficients';
import { CHROMA_FROM_LUMA } from './modes';
import { COLOUR_BYTES } from './palette_colours';
import { MAP_STRIDE } from './palette_map';
import { TX_STRIDE } from './transform_size';
import { chromaTransformType, readTransformType } from './transform_type';

/** 4 × 4 blocks along the 64 samples that are coded as one unit. */
const CHUNK = 16;
const LEVELS: u64 = 0x3f3f3f3f3f3f3f3f;
const LARGE_LEVELS: u64 = 0x3c3c3c3c3c3c3c3c;
const NEGATIVE: u64 = 0x4040404040404040;
const POSITIVE: u64 = 0x8080808080808080;

/** Predicts, parses and reconstructs the current block. */
export function codeBlock(d: Decoder, t: Tile): void {
  const chromaTx = d.hasChroma ? chromaTxSize(d) : 0;
  for (let y = 0; y < d.bh4; y += CHUNK) {
    for (let x = 0; x < d.bw4; x += CHUNK) {
      const width = min(CHUNK, d.bw4);
      const height = min(CHUNK, d.bh4);
      if (d.isInter && !d.lossless) {
        codeTree(d, t, x, y, 31 - clz(width), 31 - clz(height));
      } else {
        codePlane(d, t, 0, d.txSize, x, y, width, height);
      }
      if (!d.hasChroma) continue;
      const chromaWidth = max(1, width >> d.subX);
      const chromaHeight = max(1, height >> d.subY);
      for (let plane = 1; plane < 3; plane++) {
        codePlane(d, t, plane, chromaTx, x >> d.subX, y >> d.subY, chromaWidth, chromaHeight);
      }
    }
  }
}

/** get_tx_size for U and V. */
export function chromaTxSize(d: Decoder): i32 {
  if (d.lossless) return Tx.T4x4;
  const tx = largestTx(chromaSize(d.miSize, d.subX, d.subY));
  return txOf(min(3, txWidthLog2(tx) - 2), min(3, txHeightLog2(tx) - 2));
}

/**
 * Codes a plane's transform blocks, row after row.
 * @param x of the part within the block, in 4 × 4 blocks of the plane, as are y, width and height
 */
function codePlane(d: Decoder, t: Tile, plane: i32, tx: i32, x: i32, y: i32, width: i32, height: i32): void {
  const subX = plane > 0 ? d.subX : 0;
  const subY = plane > 0 ? d.subY : 0;
  const stepX = 1 << (txWidthLog2(tx) - 2);
  const stepY = 1 << (txHeightLog2(tx) - 2);
  const endX = min(x + width, (d.miCols >> subX) - (d.miCol >> subX));
  const endY = min(y + height, (d.miRows >> subY) - (d.miRow >> subY));
  if (!d.isInter) startPlane(d, t, plane, tx);
  for (let row = y; row < endY; row += stepY) {
    for (let column = x; column < endX; column += stepX) codeTransform(d, t, plane, tx, column, row);
  }
}

/** Sets what is the same for all predictions of one plane of the block. */
function startPlane(d: Decoder, t: Tile, plane: i32, tx: i32): void {
  const block = d.intra;
  let mode = d.yMode;
  block.angleDelta = d.angleDeltaY;
  block.filterMode = d.filterIntraMode;
  if (plane > 0) {
    mode = d.uvMode === CHROMA_FROM_LUMA ? Mode.Dc : d.uvMode;
    block.angleDelta = d.angleDeltaUv;
    block.filterMode = -1;
  }
  block.mode = mode;
  block.log2W = txWidthLog2(tx);
  block.log2H = txHeightLog2(tx);
  block.stride = planeAt(d, plane).stride;
  if (mode >= Mode.Vertical && mode <= Mode.D67) block.smoothNeighbour = hasSmoothNeighbour(d, t, plane);
}

/** get_filter_type (section 7.11.2.8) */
function hasSmoothNeighbour(d: Decoder, t: Tile, plane: i32): bool {
  const row = d.miRow & (d.superblockMi - 1);
  if (plane === 0) {
    if (d.availU && isSmooth(aboveAt(d, Context.Mode, d.miCol))) return true;
    return d.availL && isSmooth(leftAt(t, Context.Mode, row));
  }
  if (d.availUChroma && isSmooth(aboveAt(d, Context.UvMode, d.miCol >> d.subX))) return true;
  return d.availLChroma && isSmooth(leftAt(t, Context.UvMode, row >> d.subY));
}

// @inline
function isSmooth(at: usize): bool {
  const mode = <i32>load<u8>(at);
  return mode >= Mode.Smooth && mode <= Mode.SmoothH;
}

/**
 * transform_tree: luma of a block made by intra block copy. Positions within the block and log2 sizes are in
 * 4 × 4 blocks.
 */
function codeTree(d: Decoder, t: Tile, x: i32, y: i32, log2W: i32, log2H: i32): void {
  if (d.miCol + x >= d.miCols || d.miRow + y >= d.miRows) return;
  const tx = <i32>load<u8>(d.interTxSizes + <usize>y * TX_STRIDE + <usize>x);
  if (log2W <= txWidthLog2(tx) - 2 && log2H <= txHeightLog2(tx) - 2) {
    codeTransform(d, t, 0, txOf(log2W, log2H), x, y);
    return;
  }
  const halfW = log2W >= log2H ? log2W - 1 : log2W;
  const halfH = log2H >= log2W ? log2H - 1 : log2H;
  for (let i = 0; i < 1 << log2H; i += 1 << halfH) {
    for (let j = 0; j < 1 << log2W; j += 1 << halfW) codeTree(d, t, x + j, y + i, halfW, halfH);
  }
}

/**
 * transform_block.
 * @param x of the transform block within the block, in 4 × 4 blocks of the plane, as is y
 */
function codeTransform(d: Decoder, t: Tile, plane: i32, tx: i32, x: i32, y: i32): void {
  const p = planeAt(d, plane);
  const mask = d.superblockMi - 1;
  const column = (d.miCol >> p.subX) + x;
  const rowInSuperblock = ((d.miRow & mask) >> p.subY) + y;
  const stride = p.stride;
  const dst = p.current + <usize>(rowInSuperblock << 2) * stride + ((<usize>column) << 3);
  const stepX = 1 << (txWidthLog2(tx) - 2);
  const stepY = 1 << (txHeightLog2(tx) - 2);
  const decoded = d.decoded + ((<usize>plane * DECODED_ROWS + <usize>rowInSuperblock) << 3);
  const columnInSuperblock = ((d.miCol & mask) >> p.subX) + x;
  if (!d.isInter) {
    const colours = plane === 0 ? d.paletteSizeY : d.paletteSizeUv;
    if (colours) {
      const map = (plane === 0 ? d.colourMapY : d.colourMapUv) + ((<usize>y * MAP_STRIDE + <usize>x) << 2);
      const palette = d.palette + <usize>plane * COLOUR_BYTES;
      predictPalette(dst, stride, palette, map, MAP_STRIDE, stepX << 2, stepY << 2);
    } else {
      const rowsLeft = ((d.miRows >> p.subY) - (d.miRow >> p.subY) - y) << 2;
      const columnsLeft = ((d.miCols >> p.subX) - column) << 2;
      const block = d.intra;
      block.dst = dst;
      block.above = rowInSuperblock === 0 ? p.above + ((<usize>column) << 3) : dst - stride;
      block.haveAbove = y > 0 || (plane === 0 ? d.availU : d.availUChroma);
      block.haveLeft = x > 0 || (plane === 0 ? d.availL : d.availLChroma);
      const aboveRight = (load<u64>(decoded) >> <u64>(columnInSuperblock + stepX + 1)) & 1;
      const belowLeft = (load<u64>(decoded + ((<usize>stepY + 1) << 3)) >> <u64>columnInSuperblock) & 1;
      block.aboveCount = min(columnsLeft, stepX << (2 + <i32>aboveRight));
      block.leftCount = min(rowsLeft, stepY << (2 + <i32>belowLeft));
      predictIntra(block);
      if (plane > 0 && d.uvMode === CHROMA_FROM_LUMA) addLuma(d, p, plane, dst, column, rowInSuperblock, tx);
    }
    if (plane === 0) {
      d.maxLumaW = (x + stepX) << 2;
      d.maxLumaH = (y + stepY) << 2;
    }
  } else if (plane === 0) noteTransform(d, tx, x, y, stepX, stepY);
  if (!d.skip) codeResidual(d, t, p, plane, tx, x, y, column, rowInSuperblock, dst);
  const bits = (((<u64>1) << (<u64>stepX)) - 1) << (<u64>(columnInSuperblock + 1));
  for (let i: usize = 1; i <= <usize>stepY; i++) {
    store<u64>(decoded + (i << 3), load<u64>(decoded + (i << 3)) | bits);
  }
}

function addLuma(d: Decoder, p: Plane, plane: i32, dst: usize, column: i32, row: i32, tx: i32): void {
  const y = d.y;
  // Chroma's luma may begin in the block before, if that block had no chroma of its own.
  const startX = (column << 2) << p.subX;
  const startY = (row << 2) << p.subY;
  const luma = y.current + <usize>startY * y.stride + ((<usize>startX) << 1);
  const width = (d.miCol << 2) + d.maxLumaW - startX;
  const height = ((d.miRow & (d.superblockMi - 1)) << 2) + d.maxLumaH - startY;
  const alpha = plane === 1 ? d.cflAlphaU : d.cflAlphaV;
  predictCfl(
    dst,
    p.stride,
    luma,
    y.stride,
    p.subX,
    p.subY,
    1 << txWidthLog2(tx),
    1 << txHeightLog2(tx),
    width,
    height,
    alpha,
    d.bitDepth,
  );
}

/** Notes the transform size of a copied block, for the loop filter. */
function noteTransform(d: Decoder, tx: i32, x: i32, y: i32, stepX: i32, stepY: i32): void {
  const row = (d.miRow & (d.superblockMi - 1)) + y;
  let at = d.mi + <usize>(row * d.miStride + d.miCol + x) * MI_BYTES + Mi.TxSize;
  for (let i = 0; i < stepY; i++, at += <usize>d.miStride * MI_BYTES) {
    for (let j: usize = 0; j < <usize>stepX; j++) store<u8>(at + j * MI_BYTES, <u8>tx);
  }
}

/** Loads the contexts of up to 8 neighbours, or the first half of 16. */
// @inline
function contexts(at: usize, count: i32): u64 {
  if (count === 1) return <u64>load<u8>(at);
  if (count === 2) return <u64>load<u16>(at);
  if (count === 4) return <u64>load<u32>(at);
  return load<u64>(at);
}

function codeResidual(
  d: Decoder,
  t: Tile,
  p: Plane,
  plane: i32,
  tx: i32,
  x: i32,
  y: i32,
  column: i32,
  row: i32,
  dst: usize,
): void {
  const log2W = txWidthLog2(tx) - 2;
  const log2H = txHeightLog2(tx) - 2;
  const least = min(log2W, log2H);
  const most = max(log2W, log2H);
  const aboveContexts = aboveAt(d, <Context>plane, column);
  const leftContexts = leftAt(t, <Context>plane, row);
  const above = contexts(aboveContexts, 1 << log2W);
  const left = contexts(leftContexts, 1 << log2H);
  const above2 = log2W === 4 ? load<u64>(aboveContexts, 8) : 0;
  const left2 = log2H === 4 ? load<u64>(leftContexts, 8) : 0;
  const context = zeroContext(d, plane, log2W, log2H, above | above2, left | left2);
  const sizeContext = <usize>((least + most + 1) >> 1);
  let value = 0;
  const coded = !readFlagSymbol(t, t.cdf + TXB_SKIP + ((sizeContext * 13 + context) << 2));
  if (coded) {
    if (plane === 0) {
      d.planeTxType = readTransformType(d, t, least, most);
    } else {
      d.planeTxType = chromaTransformType(d, least, most, d.isInter ? lumaTypeAt(d, x, y) : 0);
    }
    const positive = <i32>(popcnt(above & POSITIVE) + popcnt(above2 & POSITIVE) + popcnt(left & POSITIVE));
    const negative = <i32>(popcnt(above & NEGATIVE) + popcnt(above2 & NEGATIVE) + popcnt(left & NEGATIVE));
    const signs = positive - negative + <i32>popcnt(left2 & POSITIVE) - <i32>popcnt(left2 & NEGATIVE);
    value = readCoefficients(d, t, plane, tx, signs === 0 ? 0 : signs < 0 ? 1 : 2);
    inverseTransform(
      d.coefficients,
      dst,
      p.stride,
      tx,
      d.planeTxType,
      d.lastRow,
      d.lastColumn,
      d.bitDepth,
      d.lossless,
    );
  } else {
    d.planeTxType = 0;
  }
  if (d.isInter && plane === 0) {
    let at = d.txTypes + <usize>y * TX_STRIDE + <usize>x;
    for (let i = 0; i < 1 << log2H; i++, at += TX_STRIDE) spread(at, 1 << log2W, d.planeTxType);
  }
  writeContexts(aboveContexts, 1 << log2W, (d.miCols >> p.subX) - column, value);
  const rowsLeft = (d.miRows >> p.subY) - (d.miRow >> p.subY) - y;
  writeContexts(leftContexts, 1 << log2H, rowsLeft, value);
}

/** Writes contexts; those outside the picture stay 0. */
// @inline
function writeContexts(at: usize, count: i32, inside: i32, value: i32): void {
  spread(at, count, value);
  if (inside < count) for (let i = inside; i < count; i++) store<u8>(at + <usize>i, 0);
}

/** The context of all_zero (section 8.3.2). */
// @inline
function zeroContext(d: Decoder, plane: i32, log2W: i32, log2H: i32, above: u64, left: u64): usize {
  if (plane === 0) {
    if (1 << log2W === d.bw4 && 1 << log2H === d.bh4) return 0;
    const top = above & LEVELS;
    const side = left & LEVELS;
    if ((top | side) === 0) return 1;
    const large = <usize>((top & LARGE_LEVELS) !== 0) + <usize>((side & LARGE_LEVELS) !== 0);
    if (top === 0 || side === 0) return 2 + large;
    return 4 + large;
  }
  const size = chromaSize(d.miSize, d.subX, d.subY);
  const whole = widthLog2(size) + heightLog2(size) <= log2W + log2H;
  return (whole ? 7 : 10) + <usize>(above !== 0) + <usize>(left !== 0);
}

/** The type of the luma transform block at a place of chroma. */
// @inline
function lumaTypeAt(d: Decoder, x: i32, y: i32): i32 {
  return <i32>load<u8>(d.txTypes + <usize>(y << d.subY) * TX_STRIDE + <usize>(x << d.subX));
}
