import {
  buildTable,
  DISTANCE_BITS,
  KIND_DISTANCE,
  KIND_LITERAL,
  KIND_PRECODE,
  LITERAL_BITS,
  PRECODE_BITS,
} from './huffman';
import {
  BLOCK_PRICE,
  Inflate,
  PHASE_BLOCK_HEADER,
  PHASE_CHECKSUM,
  PHASE_COUNTS,
  PHASE_END,
  PHASE_LENGTHS,
  PHASE_PRECODE,
  PHASE_STORED,
  PHASE_STORED_LENGTH,
  PHASE_SYMBOLS,
  PHASE_ZLIB_HEADER,
  TABLES_PRICE,
} from './state';

export const STEP_DONE = 0;
export const STEP_NEEDS_INPUT = 1;
export const STEP_CORRUPT = 2;

/** The order in which code-length code lengths come (RFC 1951 section 3.2.7). */
const precodeOrder = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** Fills the bit buffer to 56 to 63 bits, as far as there is input. */
export function topUp(s: Inflate): void {
  while (s.count < 56 && s.next < s.inputEnd) {
    s.bits |= (<u64>load<u8>(s.next)) << s.count;
    s.next++;
    s.count += 8;
  }
}

// @inline
function take(s: Inflate, count: u32): u32 {
  const value = <u32>s.bits & <u32>(((<u64>1) << count) - 1);
  s.bits >>= count;
  s.count -= count;
  return value;
}

/**
 * One step of anything that is not block content. Consumes nothing if the input does not have the whole step
 * yet.
 */
export function headerStep(s: Inflate): i32 {
  topUp(s);
  switch (s.phase) {
    case PHASE_ZLIB_HEADER:
      return zlibHeader(s);
    case PHASE_BLOCK_HEADER:
      return blockHeader(s);
    case PHASE_STORED_LENGTH:
      return storedLength(s);
    case PHASE_COUNTS:
      return codeCounts(s);
    case PHASE_PRECODE:
      return precode(s);
    case PHASE_LENGTHS:
      return codeLengths(s);
    default:
      return checksum(s);
  }
}

/** RFC 1950 section 2.2: deflate, a window of at most 32 KB, no preset dictionary, a multiple of 31. */
function zlibHeader(s: Inflate): i32 {
  if (s.count < 16) return STEP_NEEDS_INPUT;
  const method = take(s, 8);
  const flags = take(s, 8);
  if ((method & 15) !== 8 || method >> 4 > 7 || (flags & 32) !== 0 || ((method << 8) | flags) % 31 !== 0) {
    return STEP_CORRUPT;
  }
  s.phase = PHASE_BLOCK_HEADER;
  return STEP_DONE;
}

/** RFC 1951 section 3.2.3. */
function blockHeader(s: Inflate): i32 {
  if (s.last) {
    s.phase = s.wrapped ? PHASE_CHECKSUM : PHASE_END;
    return STEP_DONE;
  }
  if (s.count < 3) return STEP_NEEDS_INPUT;
  s.last = take(s, 1);
  const kind = take(s, 2);
  const price = kind === 2 ? TABLES_PRICE : BLOCK_PRICE;
  if (s.credit + <i32>(s.produced - s.summed) < price) return STEP_CORRUPT;
  s.credit -= price;
  if (kind === 0) {
    take(s, s.count & 7);
    s.phase = PHASE_STORED_LENGTH;
  } else if (kind === 1) {
    fixedTables(s);
    s.phase = PHASE_SYMBOLS;
  } else if (kind === 2) {
    s.phase = PHASE_COUNTS;
  } else {
    return STEP_CORRUPT;
  }
  return STEP_DONE;
}

/** RFC 1951 section 3.2.4. */
function storedLength(s: Inflate): i32 {
  if (s.count < 32) return STEP_NEEDS_INPUT;
  const length = take(s, 16);
  if (take(s, 16) !== (length ^ 0xffff)) return STEP_CORRUPT;
  s.storedLeft = length;
  s.phase = PHASE_STORED;
  return STEP_DONE;
}

/**
 * Sets the tables of fixed codes (RFC 1951 section 3.2.6). They are made once for consecutive such blocks: a
 * stream of empty blocks with 10 bits each would otherwise spend its time here.
 */
function fixedTables(s: Inflate): void {
  if (s.fixedCodes) return;
  s.fixedCodes = 1;
  const lengths = s.lengths;
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  s.literalBits = buildTable(KIND_LITERAL, lengths, 288, s.literalTable, LITERAL_BITS);
  memory.fill(lengths, 5, 32);
  s.distanceBits = buildTable(KIND_DISTANCE, lengths, 32, s.distanceTable, DISTANCE_BITS);
}

/** RFC 1951 section 3.2.7: HLIT, HDIST, HCLEN. More than 286 or 30 codes are refused, as zlib does. */
function codeCounts(s: Inflate): i32 {
  if (s.count < 14) return STEP_NEEDS_INPUT;
  s.literalCodes = take(s, 5) + 257;
  s.distanceCodes = take(s, 5) + 1;
  s.precodeCodes = take(s, 4) + 4;
  if (s.literalCodes > 286 || s.distanceCodes > 30) return STEP_CORRUPT;
  s.fixedCodes = 0;
  memory.fill(s.lengths, 0, 19);
  s.index = 0;
  s.phase = PHASE_PRECODE;
  return STEP_DONE;
}

function precode(s: Inflate): i32 {
  while (s.index < s.precodeCodes) {
    if (s.count < 3) {
      topUp(s);
      if (s.count < 3) return STEP_NEEDS_INPUT;
    }
    store<u8>(s.lengths + load<u8>(precodeOrder + s.index), <u8>take(s, 3));
    s.index++;
  }
  const bits = buildTable(KIND_PRECODE, s.lengths, 19, s.precodeTable, PRECODE_BITS);
  if (bits < 0) return STEP_CORRUPT;
  // The primary table is as small as the longest code allows; one mask for all keeps the reader simple.
  for (let i: u32 = 1 << bits; i < 1 << PRECODE_BITS; i++) {
    store<u32>(s.precodeTable + (i << 2), load<u32>(s.precodeTable + ((i & ((1 << bits) - 1)) << 2)));
  }
  s.index = 0;
  s.phase = PHASE_LENGTHS;
  return STEP_DONE;
}

/** The code lengths, themselves coded: 0–15 plain, 16 repeats the last, 17 and 18 repeat zero. */
function codeLengths(s: Inflate): i32 {
  const all = s.literalCodes + s.distanceCodes;
  const lengths = s.lengths;
  while (s.index < all) {
    topUp(s);
    const entry = load<u32>(s.precodeTable + ((<u32>s.bits & ((1 << PRECODE_BITS) - 1)) << 2));
    const used = entry & 0xff;
    if (s.count < used) return STEP_NEEDS_INPUT;
    const symbol = entry >> 16;
    if (symbol < 16) {
      take(s, used);
      store<u8>(lengths + s.index, <u8>symbol);
      s.index++;
      continue;
    }
    const extra: u32 = symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
    if (s.count < used + extra) return STEP_NEEDS_INPUT;
    take(s, used);
    const repeat = take(s, extra) + (symbol === 18 ? 11 : 3);
    if (s.index + repeat > all || (symbol === 16 && s.index === 0)) return STEP_CORRUPT;
    memory.fill(lengths + s.index, symbol === 16 ? load<u8>(lengths + s.index - 1) : 0, repeat);
    s.index += repeat;
  }
  // A block that cannot end is refused, as zlib does.
  if (load<u8>(lengths + 256) === 0) return STEP_CORRUPT;
  const literalBits = buildTable(KIND_LITERAL, lengths, s.literalCodes, s.literalTable, LITERAL_BITS);
  const distanceBits = buildTable(
    KIND_DISTANCE,
    lengths + s.literalCodes,
    s.distanceCodes,
    s.distanceTable,
    DISTANCE_BITS,
  );
  if (literalBits < 0 || distanceBits < 0) return STEP_CORRUPT;
  s.literalBits = literalBits;
  s.distanceBits = distanceBits;
  s.phase = PHASE_SYMBOLS;
  return STEP_DONE;
}

/** RFC 1950 section 2.2: Adler-32, most significant byte first, after the last byte boundary. */
function checksum(s: Inflate): i32 {
  take(s, s.count & 7);
  if (s.count < 32) return STEP_NEEDS_INPUT;
  if (bswap<u32>(take(s, 32)) !== s.adler) return STEP_CORRUPT;
  s.phase = PHASE_END;
  return STEP_DONE;
}
