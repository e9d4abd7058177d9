/** Coefficients of a transform block: parsed and dequantised (sections 5.11.39, 8.3.2 and 7.12.3). */
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
import { columnScan, defaultScan, rowScan } from './scan';
import { IDTX } from './transform_type';

/** Beyond each row and below the last one of `magnitudes` so many are 0. */
export const MAGNITUDE_MARGIN = 4;
/** Coefficients above this have more bits (NUM_BASE_LEVELS + COEFF_BASE_RANGE). */
const LARGEST_SYMBOL: u32 = 14;
/** Longest prefix of a Golomb code that is read. */
const MAX_GOLOMB = 32;
/** Magnitudes count up to this for coeff_base (Min( Abs( Quant ), 3 ) of section 8.3.2). */
const BASE_LIMIT = 3;

/** Coeff_Base_Ctx_Offset by row and column up to 4, 8 in a row: of squares, of wide and of high blocks. */
const BASE_OFFSETS: usize = memory.data<u8>([
  0, 1, 6, 6, 21, 0, 0, 0, 1, 6, 6, 21, 21, 0, 0, 0, 6, 6, 21, 21, 21, 0, 0, 0, 6, 21, 21, 21, 21, 0, 0, 0,
  21, 21, 21, 21, 21, 0, 0, 0, 0, 16, 6, 6, 21, 0, 0, 0, 16, 16, 6, 21, 21, 0, 0, 0, 16, 16, 21, 21, 21, 0, 0,
  0, 16, 16, 21, 21, 21, 0, 0, 0, 16, 16, 21, 21, 21, 0, 0, 0, 0, 11, 11, 11, 11, 0, 0, 0, 11, 11, 11, 11, 11,
  0, 0, 0, 6, 6, 21, 21, 21, 0, 0, 0, 6, 21, 21, 21, 21, 0, 0, 0, 21, 21, 21, 21, 21, 0, 0, 0,
]);
const BASE_OFFSETS_BYTES: usize = 40;

/** What the functions below share of the block being read. */
let found: usize = 0;
let baseCdfs: usize = 0;
let rangeCdfs: usize = 0;
let lastRow: i32 = 0;
let lastColumn: i32 = 0;

/**
 * Reads the coefficients of a block that has some, once its type `d.planeTxType` is known, and writes them
 * dequantised to `d.coefficients`.
 * @param dcContext of dc_sign
 * @returns the block's context for its neighbours; `lastRow` and `lastColumn` of d are set
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
  lastRow = 0;
  lastColumn = 0;
  const count = 1 << (codedW + codedH);
  const endContext: usize = eob === 1 ? 0 : eob - 1 <= count >> 3 ? 1 : eob - 1 <= count >> 2 ? 2 : 3;
  const endCdf = t.cdf + COEFF_BASE_EOB + ((pair * 4 + endContext) << 3);
  if (!oneAxis) {
    const shape: usize = log2W === log2H ? 0 : log2W > log2H ? 1 : 2;
    const offsets = BASE_OFFSETS + shape * BASE_OFFSETS_BYTES;
    readLevels(t, endCdf, defaultScan(codedW, codedH), eob, codedW, d.magnitudes, offsets);
  } else {
    const vertical = (type & 1) === 0;
    const scan = vertical ? rowScan(codedW, codedH) : columnScan(codedW, codedH);
    readLevelsOfAxis(t, endCdf, scan, eob, codedW, d.magnitudes, vertical);
  }
  memory.fill(d.magnitudes, 0, (<usize>((lastRow + 1) * stride)) << 1);
  d.lastRow = lastRow;
  d.lastColumn = lastColumn;
  return readSigns(d, t, plane, tx, log2W + log2H, dcContext);
}

/** The number of coefficients up to the last that is not 0. @param size log2 of all there are, less 4 */
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

/** How a magnitude counts: for coeff_br in the lower byte, for coeff_base in the upper one. */
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

/** Notes a coefficient that is not 0. */
// @inline
function note(at: usize, position: i32, row: i32, column: i32, level: i32): void {
  store<u16>(at, weightOf(level));
  store<u32>(found, <u32>position | ((<u32>level) << 16));
  found += 4;
  lastRow = max(lastRow, row);
  lastColumn = max(lastColumn, column);
}

/** Levels of types that transform both ways, or none. */
function readLevels(
  t: Tile,
  endCdf: usize,
  scan: usize,
  eob: i32,
  log2W: i32,
  magnitudes: usize,
  offsets: usize,
): void {
  const mask = (1 << log2W) - 1;
  const down = (<usize>((1 << log2W) + MAGNITUDE_MARGIN)) << 1;
  let next = scan + ((<usize>(eob - 1)) << 1);
  for (let first = true; next >= scan; next -= 2, first = false) {
    const position = <i32>load<u16>(next);
    const row = position >> log2W;
    const column = position & mask;
    const at = magnitudes + ((<usize>(position + row * MAGNITUDE_MARGIN)) << 1);
    // Right by one and two, below by one with its right neighbour, and below by two.
    const right = load<u32>(at, 2);
    const below = load<u32>(at + down);
    const near = right + below;
    let level = 0;
    if (first) {
      level = readSymbol4(t, endCdf, 2) + 1;
    } else {
      const sum = (near & 0xffff) + (near >> 16) + <u32>load<u16>(at + (down << 1));
      const magnitude = min(((sum >> 8) + 1) >> 1, 4);
      let context = <usize>magnitude;
      if (position) context += <usize>load<u8>(offsets + <usize>((min(row, 4) << 3) + min(column, 4)));
      else context = 0;
      level = readSymbol4(t, baseCdfs + (context << 3), 3);
      if (level === 0) continue;
    }
    if (level > 2) {
      const sum = ((near & 0xff) + ((below >> 16) & 0xff) + 1) >> 1;
      let context = <usize>min<u32>(sum, 6);
      if (position) context += row < 2 && column < 2 ? 7 : 14;
      level = readRange(t, rangeCdfs + (context << 3));
    }
    note(at, position, row, column, level);
  }
}

/** Levels of types that transform one way only. @param vertical whether that is along columns */
function readLevelsOfAxis(
  t: Tile,
  endCdf: usize,
  scan: usize,
  eob: i32,
  log2W: i32,
  magnitudes: usize,
  vertical: bool,
): void {
  const mask = (1 << log2W) - 1;
  const down = (<usize>((1 << log2W) + MAGNITUDE_MARGIN)) << 1;
  const along = vertical ? down : 2;
  let next = scan + ((<usize>(eob - 1)) << 1);
  for (let first = true; next >= scan; next -= 2, first = false) {
    const position = <i32>load<u16>(next);
    const row = position >> log2W;
    const column = position & mask;
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
    note(at, position, row, column, level);
  }
}

/** Signs and what large levels have beyond 14; dequantises. @returns the context for neighbours */
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

/** A Golomb code: as many zeros as bits follow the first 1. @returns at least 1 */
function readGolomb(t: Tile): u32 {
  let length = 1;
  while (length < MAX_GOLOMB && !readBool(t)) length++;
  let value: u32 = 1;
  for (let i = 1; i < length; i++) value = (value << 1) | <u32>readBool(t);
  return value;
}
