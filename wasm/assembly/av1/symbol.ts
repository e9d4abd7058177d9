/**
 * The symbol decoder (section 8.2). The window has SymbolValue in its upper 16 bits and the following bits
 * below. The stream's bits are stored inverted, so that the zeros which are read past a tile's end are 1s.
 */

/** The state of a tile's decoder; `Tile` extends it. */
@unmanaged
export class SymbolReader {
  window: u64;
  /** SymbolRange */
  range: u32;
  /** Bits in the window beyond SymbolValue. */
  ready: i32;
  /** The next byte to read, which may lie past `end`. */
  at: usize;
  end: usize;
  /** Whether distributions adapt: disable_cdf_update is 0. */
  adapting: bool;
}

/** init_symbol */
export function startSymbols(reader: SymbolReader, at: usize, size: usize, adapting: bool): void {
  reader.at = at;
  reader.end = at + size;
  reader.range = 1 << 15;
  reader.adapting = adapting;
  reader.window = 0;
  // SymbolValue starts with 15 bits: the highest of its 16 is 0.
  reader.ready = -15;
  fill(reader);
}

/** Reads as many bytes as fit into the window. */
function fill(reader: SymbolReader): void {
  const at = reader.at;
  let bits: u64 = 0;
  if (at + 8 <= reader.end) {
    bits = bswap<u64>(load<u64>(at));
  } else {
    for (let i: usize = 0; i < 8; i++) {
      bits = (bits << 8) | (at + i < reader.end ? <u64>load<u8>(at + i) : 0);
    }
  }
  // Bits left over below whole bytes stay: the next fill puts the same ones there again.
  reader.window |= ~bits >> <u64>(16 + reader.ready);
  const bytes = (48 - reader.ready) >> 3;
  reader.at = at + <usize>bytes;
  reader.ready += bytes << 3;
}

/** Renormalises after a symbol whose part of the range begins at `low` and is `size` wide. */
// @inline
function narrow(reader: SymbolReader, low: u32, size: u32): void {
  const shift = clz(size) - 16;
  reader.window = (reader.window - ((<u64>low) << 48)) << (<u64>shift);
  reader.range = size << shift;
  const ready = reader.ready - <i32>shift;
  reader.ready = ready;
  if (ready < 0) fill(reader);
}

/**
 * exit_symbol.
 * @returns whether the tile's data were complete and end with the required 1 followed by zeros
 */
export function endsWell(reader: SymbolReader, start: usize): bool {
  const left = bitsLeft(reader);
  if (left < -14) return false;
  // SymbolMaxBits + 15 bits before the end: the trailing 1.
  const position = ((<i64>(reader.end - start)) << 3) - left - 15;
  let at = start + <usize>(position >> 3);
  const shift = <u32>(position & 7);
  if ((<u32>load<u8>(at)) << (24 + shift) !== 0x80000000) return false;
  for (at++; at < reader.end; at++) if (load<u8>(at) !== 0) return false;
  return true;
}

/** SymbolMaxBits: below −14, more bits were used than there are. */
// @inline
export function bitsLeft(reader: SymbolReader): i64 {
  return ((<i64>reader.end - <i64>reader.at) << 3) + <i64>reader.ready;
}

/** read_bool */
// @inline
export function readBool(reader: SymbolReader): i32 {
  const range = reader.range;
  const split = ((range >> 8) << 7) + 4;
  const bit = <u32>(reader.window >> 48) < split;
  narrow(reader, bit ? 0 : split, bit ? split : range - split);
  return <i32>bit;
}

/** L(n). @param count 0 to 30 */
export function readLiteral(reader: SymbolReader, count: i32): i32 {
  let value = 0;
  for (let i = 0; i < count; i++) value = (value << 1) | readBool(reader);
  return value;
}

/** NS(n): a value below `limit`. @param limit at least 1 */
export function readUniform(reader: SymbolReader, limit: i32): i32 {
  const bits = 32 - clz(limit);
  const short = (1 << bits) - limit;
  const value = readLiteral(reader, bits - 1);
  if (value < short) return value;
  return (value << 1) - short + readBool(reader);
}

/** Reads one of two symbols. @param cdf 2 lanes */
// @inline
export function readFlagSymbol(reader: SymbolReader, cdf: usize): i32 {
  const lanes = load<u32>(cdf);
  const odds = lanes & 0xffff;
  const range = reader.range;
  const split = (((range >> 8) * (odds >> 6)) >> 1) + 4;
  const symbol = <u32>(reader.window >> 48) < split;
  narrow(reader, symbol ? 0 : split, symbol ? split : range - split);
  if (reader.adapting) {
    const count = lanes >> 16;
    const rate = 4 + (count >> 4);
    const adapted = symbol ? odds + ((32768 - odds) >> rate) : odds - (odds >> rate);
    store<u32>(cdf, adapted | ((count + <u32>(count < 32)) << 16));
  }
  return <i32>symbol;
}

/**
 * Reads one of three or four symbols.
 * @param cdf 4 lanes
 * @param last the highest symbol: 2 or 3
 */
// @inline
export function readSymbol4(reader: SymbolReader, cdf: usize, last: u32): i32 {
  const bytes = search(reader, cdf, last);
  if (reader.adapting) {
    const rate = 4 + <i32>(last > 2) + <i32>(load<u16>(cdf, 6) >> 4);
    const adapted = adapt(v128.load64_zero(cdf), bytes, rate);
    v128.store_lane<u64>(cdf, counted(adapted, COUNT_LANE_3), 0);
  }
  return bytes >> 1;
}

/**
 * Reads one of five to eight symbols.
 * @param cdf 8 lanes
 * @param last the highest symbol, 4 to 7
 */
export function readSymbol8(reader: SymbolReader, cdf: usize, last: u32): i32 {
  const bytes = search(reader, cdf, last);
  if (reader.adapting) {
    const adapted = adapt(v128.load(cdf), bytes, 5 + <i32>(load<u16>(cdf, 14) >> 4));
    v128.store(cdf, counted(adapted, COUNT_LANE_7));
  }
  return bytes >> 1;
}

/**
 * Reads one of nine to sixteen symbols.
 * @param cdf 16 lanes
 * @param last the highest symbol, 8 to 15
 */
export function readSymbol16(reader: SymbolReader, cdf: usize, last: u32): i32 {
  const bytes = search(reader, cdf, last);
  if (reader.adapting) {
    const rate = 5 + <i32>(load<u16>(cdf, 30) >> 4);
    v128.store(cdf, adapt(v128.load(cdf), bytes, rate));
    v128.store(cdf, counted(adapt(v128.load(cdf, 16), bytes - 16, rate), COUNT_LANE_7), 16);
  }
  return bytes >> 1;
}

/**
 * Finds the symbol. The adaptation count in the last lane acts as a cumulative value of 0, because it stays
 * below 64.
 * @param last the highest symbol
 * @returns twice the symbol: the byte offset of its value
 */
// @inline
function search(reader: SymbolReader, cdf: usize, last: u32): i32 {
  const value = <u32>(reader.window >> 48);
  let high = reader.range;
  const scale = high >> 8;
  let least = last << 2;
  let at = cdf;
  let low = ((scale * (<u32>load<u16>(at) >> 6)) >> 1) + least;
  while (value < low) {
    high = low;
    at += 2;
    least -= 4;
    low = ((scale * (<u32>load<u16>(at) >> 6)) >> 1) + least;
  }
  narrow(reader, low, high - low);
  return <i32>(at - cdf);
}

/**
 * What `adapt` subtracts values from, then what it adds: sixteen lanes before the symbol, then sixteen from
 * it on. 32768 - x and -1 - x, shifted right with their sign, move x towards 32768 and, except for the 1,
 * towards 0.
 */
const MOVES: usize = memory.data<u16>([
  0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000,
  0x8000, 0x8000, 0x8000, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
]);
const FIRST_MOVED: usize = MOVES + 32;

/** Moves values before the symbol towards 32768 and the others towards 0. The count stays as it is. */
// @inline
function adapt(lanes: v128, bytes: i32, rate: i32): v128 {
  const at = FIRST_MOVED - <usize>bytes;
  const moves = i16x8.shr_s(i16x8.sub(v128.load(at), lanes), rate);
  return i16x8.add(i16x8.add(lanes, v128.load(at, 64)), moves);
}

/** What is added to a count, and its maximum. Loaded, because constants take more instructions. */
const COUNT_LANE_3: usize = memory.data<u16>([
  0, 0, 0, 1, 0, 0, 0, 0, 0xffff, 0xffff, 0xffff, 32, 0xffff, 0xffff, 0xffff, 0xffff,
]);
const COUNT_LANE_7: usize = memory.data<u16>([
  0, 0, 0, 0, 0, 0, 0, 1, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 32,
]);

/** Raises the count by one, up to 32. */
// @inline
function counted(lanes: v128, count: usize): v128 {
  return i16x8.min_u(i16x8.add(lanes, v128.load(count)), v128.load(count, 16));
}
