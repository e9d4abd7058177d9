/** Makes the tables from the statistics: done once, between counting and writing. */
import { CODES_BYTES, fillTokenCodes } from './bits';
import { SAMPLING_GREY } from './constants';
import { makeTable, TABLE_BYTES } from './huffman';
import { writeMarkers } from './markers';
import { Encoder, STATISTICS_BYTES } from './state';
import {
  AC_SYMBOLS,
  AC_TOKENS,
  DC_CENTRE,
  DC_ESCAPE,
  DC_SIZES,
  EOB,
  FIRST_PAIR,
  SYMBOL,
  sizeOf,
  ZRL,
} from './tokens';

/** Counts of DC sizes, filled by countSymbols. */
export const DC: usize = memory.data(1024, 4);
/** Counts of AC symbols, filled by countSymbols. */
export const AC: usize = memory.data(1024, 4);
const TABLES: usize = memory.data(1152, 16);

/** T.81 F.1.2.1.1 and F.1.2.2.1: sizes of 8-bit images reach 11 for DC differences, 10 for AC. */
export const LARGEST_DC_SIZE: i32 = 11;
const LARGEST_AC_SIZE: i32 = 10;

// @inline
function raise(counts: usize, symbol: i32, by: u32): void {
  const at = counts + ((<usize>symbol) << 2);
  store<u32>(at, load<u32>(at) + by);
}

// @inline
export function countOf(counts: usize, index: i32): u32 {
  return load<u32>(counts + ((<usize>index) << 2));
}

/**
 * Counts symbols from the counts of tokens.
 * @param partial only a part of the image was seen, so every symbol must get a code
 */
export function countSymbols(statistics: usize, partial: bool): void {
  memory.copy(DC, statistics + DC_SIZES, 1024);
  memory.copy(AC, statistics + AC_SYMBOLS, 1024);
  for (let token = 0; token < DC_ESCAPE; token++) {
    raise(DC, sizeOf(token - DC_CENTRE), countOf(statistics, token));
  }
  const tokens = statistics + AC_TOKENS;
  for (let token = FIRST_PAIR; token < 256; token++) {
    const symbol = <i32>load<u8>(SYMBOL + token);
    if (symbol !== 0) raise(AC, symbol, countOf(tokens, token));
  }
  raise(AC, 0x00, countOf(tokens, EOB));
  raise(AC, 0xf0, countOf(tokens, ZRL));
  if (!partial) return;
  for (let size = 0; size <= LARGEST_DC_SIZE; size++) raise(DC, size, 1);
  raise(AC, 0x00, 1);
  raise(AC, 0xf0, 1);
  for (let run = 0; run < 16; run++) {
    for (let size = 1; size <= LARGEST_AC_SIZE; size++) raise(AC, (run << 4) | size, 1);
  }
}

/** Makes the tables and writes the markers. @param partial more tokens will come */
export function beginWriting(encoder: Encoder, partial: bool): void {
  const classes = encoder.sampling === SAMPLING_GREY ? 1 : 2;
  for (let i: usize = 0; i < <usize>classes; i++) {
    countSymbols(encoder.statistics + i * STATISTICS_BYTES, partial);
    const dc = TABLES + 2 * i * TABLE_BYTES;
    const ac = dc + TABLE_BYTES;
    makeTable(DC, dc);
    makeTable(AC, ac);
    fillTokenCodes(encoder.codes + i * CODES_BYTES, dc, ac);
  }
  encoder.out = writeMarkers(encoder, encoder.output, TABLES, TABLE_BYTES);
  encoder.writing = true;
}
