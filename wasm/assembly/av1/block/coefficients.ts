/** Parses and dequantises the coefficients of a transform block (sections 5.11.39, 8.3.2 and 7.12.3). */
import {
  COEFF_BASE,
  COEFF_BASE_EOB,
  COEFF_BR,
  DC_SIGN,
  EOB_EXTRA,
  EOB_PT_16,
  EOB_PT_32,
  EOB_PT_64,
  EOB_PT_128,
  EOB_PT_256,
  EOB_PT_512,
  EOB_PT_1024,
} from '../cdf/offsets';
import { quantiserMatrix } from '../quantise/tables';
import { txHeightLog2, txWidthLog2 } from '../sizes';
import { Decoder, Tile } from '../state';
import { readBool, readFlagSymbol, readLiteral, readSymbol4, readSymbol8, readSymbol16 } from '../symbol';
import {
  baseOffsetOf,
  baseShift,
  defaultScan,
  MAGNITUDE_MARGIN,
  magnitudeOf,
  positionOf,
  rangeOffsetOf,
} from './scan';
import { IDTX } from './transform_type';

/** Coefficients above this have more bits (NUM_BASE_LEVELS + COEFF_BASE_RANGE). */
const LARGEST_SYMBOL: u32 = 14;
/** Longest prefix of a Golomb code, in bits. */
const MAX_GOLOMB = 32;
/** For coeff_base, magnitudes are limited to this (Min( Abs( Quant ), 3 ) of section 8.3.2). */
const BASE_LIMIT = 3;

/** State of the block being read, shared by the functions below. */
let found: usize = 0;
let baseCdfs: usize = 0;
let rangeCdfs: usize = 0;
/** Bitwise `or` of all non-zero positions: its highest bits bound the rows and columns. */
let covered: i32 = 0;

/**
 * Reads the coefficients of a block that has some, once its type `d.planeTxType` is known, and writes them
 * dequantised to `d.coefficients`.
 * @param dcContext the context of dc_sign
 * @returns the block's context for its neighbours; also sets `lastRow` and `lastColumn` of `d`
 */
export function readCoefficients(d: Decoder, t: Tile, plane: i32, tx: i32, dcContext: usize): i32 {
  const log2W = txWidthLog2(tx);
  const log2H = txHeightLog2(tx);
  const codedW = min(log2W, 5);
  const codedH = min(log2H, 5);
  const chroma = <usize>(plane > 0);
  const sizeContext = <usize>((min(log2W, log2H) + max(log2W, log2H) - 3) >> 1);
  const type = d.planeTxType;
  const oneAxis = type > IDTX;
  const eob = readEnd(t, codedW + codedH - 4, chroma, <usize>oneAxis, sizeContext);

  const stride = (1 << codedW) + MAGNITUDE_MARGIN;
  found = d.found;
  const pair = sizeContext * 2 + chroma;
  baseCdfs = t.cdf + COEFF_BASE + ((pair * 42) << 3);
  rangeCdfs = t.cdf + COEFF_BR + (((min<usize>(sizeContext, 3) * 2 + chroma) * 21) << 3);
  const count = 1 << (codedW + codedH);
  const endContext: usize = eob === 1 ? 0 : eob - 1 <= count >> 3 ? 1 : eob - 1 <= count >> 2 ? 2 : 3;
  const endCdf = t.cdf + COEFF_BASE_EOB + ((pair * 4 + endContext) << 3);
  if (!oneAxis) {
    const shift = baseShift(log2W === log2H ? 0 : log2W > log2H ? 1 : 2);
    readLevels(t, endCdf, defaultScan(codedW, codedH), eob, (<usize>stride) << 1, d.magnitudes, shift);
  } else {
    readLevelsOfAxis(t, endCdf, eob, codedW, codedH, d.magnitudes, (type & 1) === 0);
  }
  const lastRow = covered >> codedW;
  // Faster than memory.fill. Overshooting is harmless: what lies beyond is zero anyway.
  const end = d.magnitudes + ((<usize>((lastRow + 1) * stride)) << 1);
  for (let at = d.magnitudes; at < end; at += 16) v128.store(at, i32x4.splat(0));
  d.lastRow = lastRow;
  d.lastColumn = covered & ((1 << codedW) - 1);
  return readSigns(d, t, plane, tx, log2W + log2H, dcContext);
}

/**
 * Reads the number of coefficients up to the last non-zero one.
 * @param size log2 of the block's number of coefficients, less 4
 */
function readEnd(t: Tile, size: i32, chroma: usize, axis: usize, sizeContext: usize): i32 {
  const cdfs = t.cdf;
  let point = 0;
  const context = (chroma * 2 + axis) << 4;
  if (size === 0) point = readSymbol8(t, cdfs + EOB_PT_16 + context, 4);
  else if (size === 1) point = readSymbol8(t, cdfs + EOB_PT_32 + context, 5);
  else if (size === 2) point = readSymbol8(t, cdfs + EOB_PT_64 + context, 6);
  else if (size === 3) point = readSymbol8(t, cdfs + EOB_PT_128 + context, 7);
  else if (size === 4) point = readSymbol16(t, cdfs + EOB_PT_256 + (context << 1), 8);
  else if (size === 5) point = readSymbol16(t, cdfs + EOB_PT_512 + (chroma << 5), 9);
  else point = readSymbol16(t, cdfs + EOB_PT_1024 + (chroma << 5), 10);
  if (point < 2) return point + 1;
  const bits = point - 2;
  let eob = (1 << (point - 1)) + 1;
  const cdf = cdfs + EOB_EXTRA + (((sizeContext * 2 + chroma) * 9 + <usize>bits) << 2);
  if (readFlagSymbol(t, cdf)) eob += 1 << bits;
  return bits > 0 ? eob + readLiteral(t, bits) : eob;
}

/** How a magnitude counts in contexts: for coeff_br in the lower byte, for coeff_base in the upper one. */
// @inline
function weightOf(level: i32): u16 {
  return <u16>(level | (min(level, BASE_LIMIT) << 8));
}

// @inline
function readRange(t: Tile, cdf: usize): i32 {
  let level = 3;
  for (let i = 0; i < 4; i++) {
    const more = readSymbol4(t, cdf, 3);
    level += more;
    if (more < 3) break;
  }
  return level;
}

/**
 * The distribution of coeff_br, by the sums of the magnitudes to the right and below.
 * @param offset added for the position
 */
// @inline
function rangeCdf(right: u32, below: u32, offset: u32): usize {
  const sum = (((right + below) & 0xff) + ((below >> 16) & 0xff) + 1) >> 1;
  return rangeCdfs + ((<usize>(min<u32>(sum, 6) + offset)) << 3);
}

// @inline
function entryOf(position: u32, level: i32): u32 {
  return position | ((<u32>level) << 16);
}

/**
 * Reads the levels for types that transform in both directions or in none.
 * @param scan u32 steps, see scan.ts
 * @param down bytes from one row of magnitudes to the next
 * @param shift the shape's, see scan.ts
 */
function readLevels(
  t: Tile,
  endCdf: usize,
  scan: usize,
  eob: i32,
  down: usize,
  magnitudes: usize,
  shift: u32,
): void {
  let next = scan + ((<usize>(eob - 1)) << 2);
  // Locals are kept in registers.
  let to = found;
  let positions: u32 = 0;
  if (eob > 1) {
    const step = load<u32>(next);
    positions = positionOf(step);
    let level = readSymbol4(t, endCdf, 2) + 1;
    // No neighbour that counts has been read yet.
    if (level > 2) level = readRange(t, rangeCdf(0, 0, rangeOffsetOf(step)));
    store<u16>(magnitudes + magnitudeOf(step), weightOf(level));
    store<u32>(to, entryOf(positions, level));
    to += 4;
    next -= 4;
  }
  for (; next > scan; next -= 4) {
    const step = load<u32>(next);
    const at = magnitudes + magnitudeOf(step);
    // One and two to the right, one below with its right neighbour, and two below.
    const right = load<u32>(at, 2);
    const below = load<u32>(at + down);
    const near = right + below;
    const sum = (near & 0xffff) + (near >> 16) + <u32>load<u16>(at + (down << 1));
    const context = <usize>(min(((sum >> 8) + 1) >> 1, 4) + baseOffsetOf(step, shift));
    let level = readSymbol4(t, baseCdfs + (context << 3), 3);
    if (level === 0) continue;
    if (level > 2) level = readRange(t, rangeCdf(right, below, rangeOffsetOf(step)));
    store<u16>(at, weightOf(level));
    store<u32>(to, entryOf(positionOf(step), level));
    to += 4;
    positions |= positionOf(step);
  }
  covered = positions;
  found = to;
  readFirstLevel(t, eob === 1 ? endCdf : 0, down, magnitudes);
}

/**
 * Reads the level of DC, whose context for coeff_base is 0.
 * @param endCdf 0 if other coefficients came before it
 */
function readFirstLevel(t: Tile, endCdf: usize, down: usize, magnitudes: usize): void {
  let level = endCdf ? readSymbol4(t, endCdf, 2) + 1 : readSymbol4(t, baseCdfs, 3);
  if (level === 0) return;
  if (level > 2) level = readRange(t, rangeCdf(load<u32>(magnitudes, 2), load<u32>(magnitudes + down), 0));
  store<u32>(found, entryOf(0, level));
  found += 4;
}

/**
 * Reads the levels for types that transform in one direction only.
 * @param vertical true for columns: levels then come row after row, else column after column
 */
function readLevelsOfAxis(
  t: Tile,
  endCdf: usize,
  eob: i32,
  log2W: i32,
  log2H: i32,
  magnitudes: usize,
  vertical: bool,
): void {
  const across = vertical ? log2W : log2H;
  const mask = (1 << across) - 1;
  const down = (<usize>((1 << log2W) + MAGNITUDE_MARGIN)) << 1;
  const along = vertical ? down : 2;
  covered = 0;
  for (let i = eob - 1, first = true; i >= 0; i--, first = false) {
    const row = vertical ? i >> across : i & mask;
    const column = vertical ? i & mask : i >> across;
    const position = (row << log2W) + column;
    const at = magnitudes + ((<usize>(position + row * MAGNITUDE_MARGIN)) << 1);
    const near = <u32>load<u16>(at, 2) + <u32>load<u16>(at + down) + <u32>load<u16>(at + 2 * along);
    const index = vertical ? row : column;
    let level = 0;
    if (first) {
      level = readSymbol4(t, endCdf, 2) + 1;
    } else {
      const sum = near + <u32>load<u16>(at + 3 * along) + <u32>load<u16>(at + 4 * along);
      const context = <usize>(min(((sum >> 8) + 1) >> 1, 4) + 26 + 5 * <u32>min(index, 2));
      level = readSymbol4(t, baseCdfs + (context << 3), 3);
      if (level === 0) continue;
    }
    if (level > 2) {
      let context = <usize>min<u32>(((near & 0xff) + 1) >> 1, 6);
      if (position) context += index === 0 ? 7 : 14;
      level = readRange(t, rangeCdfs + (context << 3));
    }
    store<u16>(at, weightOf(level));
    store<u32>(found, entryOf(position, level));
    found += 4;
    covered |= position;
  }
}

/** Reads the signs, and what large levels have beyond 14; dequantises. @returns the context for neighbours */
function readSigns(d: Decoder, t: Tile, plane: i32, tx: i32, area: i32, dcContext: usize): i32 {
  const steps = d.steps + ((<usize>(d.segmentId * 3 + plane)) << 2);
  const dcStep = <u32>load<u16>(steps);
  const acStep = <u32>load<u16>(steps, 2);
  const qm = plane === 0 ? d.qmY : plane === 1 ? d.qmU : d.qmV;
  let matrix: usize = 0;
  if (qm < 15 && d.planeTxType < IDTX && !d.lossless) matrix = quantiserMatrix(qm, plane > 0, tx);
  const shift = <u32>(area > 10 ? 2 : area > 8 ? 1 : 0);
  const limit: u32 = 1 << (7 + d.bitDepth);
  const coefficients = d.coefficients;
  const start = d.found;
  let sum: u32 = 0;
  let category = 0;
  for (let at = found - 4; at >= start; at -= 4) {
    const entry = load<u32>(at);
    const position = <usize>(entry & 0xffff);
    let level = entry >> 16;
    let negative = 0;
    let step = acStep;
    if (position === 0) {
      const cdf = t.cdf + DC_SIGN + (((plane > 0 ? 3 : 0) + dcContext) << 2);
      negative = readFlagSymbol(t, cdf);
      category = negative ? 0x40 : 0x80;
      step = dcStep;
    } else {
      negative = readBool(t);
    }
    if (level > LARGEST_SYMBOL) level = (LARGEST_SYMBOL + readGolomb(t)) & 0xfffff;
    sum += level;
    if (matrix) step = (step * <u32>load<u8>(matrix + position) + 16) >> 5;
    const value = ((level * step) & 0xffffff) >> shift;
    const signed = negative ? -(<i32>min(value, limit)) : <i32>min(value, limit - 1);
    store<i32>(coefficients + (position << 2), signed);
  }
  return category | <i32>min<u32>(sum, 63);
}

/** Reads a Golomb code: as many zeros as there are bits after the first 1. @returns at least 1 */
function readGolomb(t: Tile): u32 {
  let length = 1;
  while (length < MAX_GOLOMB && !readBool(t)) length++;
  let value: u32 = 1;
  for (let i = 1; i < length; i++) value = (value << 1) | <u32>readBool(t);
  return value;
}
