/** Writes blocks of tokens as bits (RFC 1951 sections 3.2.3 to 3.2.7). */
import { codeLengths, fillCodes } from './codes';
import { distanceSymbol, lengthSymbol } from './parse';
import { keepCounts } from './prices';
import { Deflate, DISTANCES, END_OF_BLOCK, LITERALS, MATCH } from './state';

/** Code lengths of literals and lengths, followed directly by those of distances, as the header has them. */
const lengths = memory.data(<i32>(288 + DISTANCES + 2));
const literalCodes = memory.data(288 * 4, 4);
const distanceCodes = memory.data(<i32>(DISTANCES + 2) * 4, 4);
const distanceLengths = memory.data(<i32>DISTANCES + 2);

/** For each length less 3: code and extra bits << 5 | the number of both. */
const lengthCodes = memory.data(256 * 4, 4);

/** Symbols of the header's own code (section 3.2.7): lengths 0 to 15, and repeats. */
const HEADER_SYMBOLS: u32 = 19;
const REPEAT_LAST: u32 = 16;
const REPEAT_ZERO: u32 = 17;
const REPEAT_ZERO_LONG: u32 = 18;
const headerOrder = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
/** The header's tokens: symbol | the value of its extra bits << 8 (u16). */
const headerTokens = memory.data(<i32>(LITERALS + DISTANCES) * 2, 2);
const headerCounts = memory.data(<i32>HEADER_SYMBOLS * 4, 4);
const headerLengths = memory.data(<i32>HEADER_SYMBOLS);
const headerCodes = memory.data(<i32>HEADER_SYMBOLS * 4, 4);

const FIXED: u32 = 1;
const DYNAMIC: u32 = 2;

// @inline
function lengthExtraBits(symbol: u32): u32 {
  return symbol < 8 || symbol === 28 ? 0 : (symbol >> 2) - 1;
}

// @inline
function distanceExtraBits(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

// @inline
function headerExtraBits(symbol: u32): u32 {
  return symbol === REPEAT_LAST ? 2 : symbol === REPEAT_ZERO ? 3 : symbol === REPEAT_ZERO_LONG ? 7 : 0;
}

/** Writes all tokens as one block, and begins the next block. */
export function writeBlock(s: Deflate, isLast: bool): void {
  store<u32>(s.literalCounts + (END_OF_BLOCK << 2), 1);
  codeLengths(s.literalCounts, LITERALS, 15, lengths);
  codeLengths(s.distanceCounts, DISTANCES, 15, distanceLengths);
  // Clears the lengths of two codes that no distance uses but fixed blocks have (RFC 1951 section 3.2.6): an
  // earlier block, perhaps of another stream, may have set them.
  store<u16>(distanceLengths + DISTANCES, 0);
  const literals = usedSymbols(lengths, LITERALS, 257);
  const distances = usedSymbols(distanceLengths, DISTANCES, 1);
  const dynamicBits =
    bitsOf(s.literalCounts, lengths, LITERALS) + bitsOf(s.distanceCounts, distanceLengths, DISTANCES);
  const tokens = headerTokensOf(literals, distances);
  codeLengths(headerCounts, HEADER_SYMBOLS, 7, headerLengths);
  const shown = shownHeaderLengths();
  const headerBits = 14 + 3 * shown + bitsOf(headerCounts, headerLengths, HEADER_SYMBOLS) + headerExtra();

  if (fixedBits(s) <= dynamicBits + headerBits) {
    put(s, <u32>isLast | (FIXED << 1), 3);
    fixedLengths();
  } else {
    put(s, <u32>isLast | (DYNAMIC << 1), 3);
    writeHeader(s, literals, distances, shown, tokens);
  }
  fillCodes(lengths, 288, literalCodes);
  fillCodes(distanceLengths, DISTANCES + 2, distanceCodes);
  fillLengthCodes();
  writeTokens(s);
  s.tokensEnd = s.tokens;
  s.symbols = 0;
  keepCounts(s);
  memory.fill(s.literalCounts, 0, LITERALS << 2);
  memory.fill(s.distanceCounts, 0, DISTANCES << 2);
}

function usedSymbols(bitLengths: usize, symbols: u32, least: u32): u32 {
  while (symbols > least && load<u8>(bitLengths + <usize>(symbols - 1)) === 0) symbols--;
  return symbols;
}

function bitsOf(counts: usize, bitLengths: usize, symbols: u32): u32 {
  let bits: u32 = 0;
  for (let i: usize = 0; i < <usize>symbols; i++)
    bits += load<u32>(counts + (i << 2)) * load<u8>(bitLengths + i);
  return bits;
}

function headerExtra(): u32 {
  let bits: u32 = 0;
  for (let i = REPEAT_LAST; i < HEADER_SYMBOLS; i++)
    bits += load<u32>(headerCounts + ((<usize>i) << 2)) * headerExtraBits(i);
  return bits;
}

/** Code lengths of fixed blocks (section 3.2.6). */
// @inline
function fixedLength(symbol: u32): u32 {
  return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
}

function fixedBits(s: Deflate): u32 {
  let bits: u32 = 0;
  for (let i: u32 = 0; i < LITERALS; i++)
    bits += load<u32>(s.literalCounts + ((<usize>i) << 2)) * fixedLength(i);
  for (let i: u32 = 0; i < DISTANCES; i++) bits += load<u32>(s.distanceCounts + ((<usize>i) << 2)) * 5;
  return bits;
}

function fixedLengths(): void {
  for (let i: u32 = 0; i < 288; i++) store<u8>(lengths + <usize>i, <u8>fixedLength(i));
  memory.fill(distanceLengths, 5, DISTANCES + 2);
}

/**
 * Writes the lengths of both codes as tokens of the header's code, and counts their symbols.
 * @returns the end of the tokens
 */
function headerTokensOf(literals: u32, distances: u32): usize {
  memory.fill(headerCounts, 0, HEADER_SYMBOLS << 2);
  // Both codes are one sequence: a repeat may reach from one into the other.
  memory.copy(lengths + <usize>literals, distanceLengths, <usize>distances);
  const end = lengths + <usize>(literals + distances);
  let tokens = headerTokens;
  for (let at = lengths; at < end; ) {
    const length = <u32>load<u8>(at);
    let run: u32 = 1;
    while (at + <usize>run < end && load<u8>(at + <usize>run) === length) run++;
    at += <usize>run;
    if (length !== 0) {
      tokens = headerToken(tokens, length, 0);
      run--;
    }
    while (run >= 3) {
      if (length !== 0) {
        const repeated = min<u32>(run, 6);
        tokens = headerToken(tokens, REPEAT_LAST, repeated - 3);
        run -= repeated;
      } else {
        const repeated = min<u32>(run, 138);
        tokens =
          repeated > 10
            ? headerToken(tokens, REPEAT_ZERO_LONG, repeated - 11)
            : headerToken(tokens, REPEAT_ZERO, repeated - 3);
        run -= repeated;
      }
    }
    for (; run > 0; run--) tokens = headerToken(tokens, length, 0);
  }
  // The distances' lengths stood in the place of unused literals, which have none.
  memory.fill(lengths + <usize>literals, 0, <usize>(288 - literals) + DISTANCES);
  return tokens;
}

function headerToken(at: usize, symbol: u32, repeated: u32): usize {
  store<u16>(at, <u16>(symbol | (repeated << 8)));
  const count = headerCounts + ((<usize>symbol) << 2);
  store<u32>(count, load<u32>(count) + 1);
  return at + 2;
}

function shownHeaderLengths(): u32 {
  let shown = HEADER_SYMBOLS;
  while (shown > 4 && load<u8>(headerLengths + <usize>load<u8>(headerOrder + <usize>(shown - 1))) === 0)
    shown--;
  return shown;
}

function writeHeader(s: Deflate, literals: u32, distances: u32, shown: u32, tokens: usize): void {
  put(s, (literals - 257) | ((distances - 1) << 5) | ((shown - 4) << 10), 14);
  for (let i: usize = 0; i < <usize>shown; i++)
    put(s, load<u8>(headerLengths + <usize>load<u8>(headerOrder + i)), 3);
  fillCodes(headerLengths, HEADER_SYMBOLS, headerCodes);
  for (let at = headerTokens; at < tokens; at += 2) {
    const token = <u32>load<u16>(at);
    const symbol = token & 255;
    const code = load<u32>(headerCodes + ((<usize>symbol) << 2));
    put(s, code >> 4, code & 15);
    put(s, token >> 8, headerExtraBits(symbol));
  }
}

function fillLengthCodes(): void {
  for (let length: u32 = 0; length < 256; length++) {
    const symbol = lengthSymbol(length);
    const code = load<u32>(literalCodes + ((<usize>(257 + symbol)) << 2));
    const extra = lengthExtraBits(symbol);
    const own = code & 15;
    // The extra bits are the length's lowest (section 3.2.5).
    const value = (code >> 4) | ((length & ((1 << extra) - 1)) << own);
    store<u32>(lengthCodes + ((<usize>length) << 2), (value << 5) | (own + extra));
  }
}

function writeTokens(s: Deflate): void {
  let bits = s.bits;
  let count = s.count;
  let written = s.written;
  const end = s.tokensEnd;
  for (let at = s.tokens; at < end; ) {
    const token = <u32>load<u16>(at);
    at += 2;
    if (token < MATCH) {
      const code = load<u32>(literalCodes + ((<usize>token) << 2));
      bits |= (<u64>(code >> 4)) << count;
      count += code & 15;
    } else {
      const code = load<u32>(lengthCodes + ((<usize>(token - MATCH)) << 2));
      bits |= (<u64>(code >> 5)) << count;
      count += code & 31;
      const distance = <u32>load<u16>(at);
      at += 2;
      const symbol = distanceSymbol(distance);
      const own = load<u32>(distanceCodes + ((<usize>symbol) << 2));
      bits |= (<u64>(own >> 4)) << count;
      count += own & 15;
      const extra = distanceExtraBits(symbol);
      bits |= (<u64>(distance & ((1 << extra) - 1))) << count;
      count += extra;
    }
    // At most 7 bits are left over and a token has at most 48, so 64 are enough.
    store<u64>(written, bits);
    written += <usize>(count >> 3);
    bits >>= count & 56;
    count &= 7;
  }
  s.bits = bits;
  s.count = count;
  s.written = written;
  const code = load<u32>(literalCodes + (END_OF_BLOCK << 2));
  put(s, code >> 4, code & 15);
}

/** Writes some bits, lowest first. */
export function put(s: Deflate, value: u32, length: u32): void {
  const bits = s.bits | ((<u64>value) << s.count);
  const count = s.count + length;
  store<u64>(s.written, bits);
  s.written += <usize>(count >> 3);
  s.bits = bits >> (count & 56);
  s.count = count & 7;
}
