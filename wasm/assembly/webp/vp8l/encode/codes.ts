/** Writes prefix codes (WebP lossless bitstream specification, section 6.2.1). */

import { fillCodes } from '../../../deflate/codes';
import { LITERALS } from '../common/alphabets';
import { putBits } from './bits';
import { LONGEST, lengthsOf } from './prices';
import { AlphaEncoder } from './state';

/** Symbols of the code length code: lengths 0 to 15, then repeats. */
const LENGTH_SYMBOLS: u32 = 19;
const REPEAT_LAST: u32 = 16;
const REPEAT_ZERO: u32 = 17;
const REPEAT_ZERO_LONG: u32 = 18;
/** What 16 repeats before any length. */
const FIRST_LENGTH: u32 = 8;
/** kCodeLengthCodeOrder. */
const order = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
const LONGEST_OF_LENGTHS: u32 = 7;

const lengths = memory.data(280);
/** Lengths as symbols of the code length code: symbol | extra bits << 8 (u16). */
const tokens = memory.data(280 * 2, 2);
const tokenCounts = memory.data(19 * 4, 4);
const tokenLengths = memory.data(19);
const tokenCodes = memory.data(19 * 4, 4);

/** Writes a code that is never used: it has only the symbol 0. */
export function putNoCode(encoder: AlphaEncoder): void {
  putBits(encoder, 1, 4);
}

/**
 * Makes the code for the counted symbols and writes it.
 * @param codes receives a u32 per symbol: its codeword << 4 | length; length 0 if it is the only symbol
 */
export function putCode(encoder: AlphaEncoder, counts: usize, symbols: u32, codes: usize): void {
  let used = 0;
  let first: u32 = 0;
  let second: u32 = 0;
  for (let i: u32 = 0; i < symbols; i++) {
    if (load<u32>(counts + ((<usize>i) << 2)) === 0) continue;
    if (used === 0) first = i;
    else second = i;
    used++;
  }
  if (used <= 2 && max(first, second) < <u32>LITERALS) {
    putSimpleCode(encoder, used, first, second);
    store<u32>(codes + ((<usize>first) << 2), used > 1 ? 1 : 0);
    if (used > 1) store<u32>(codes + ((<usize>second) << 2), (1 << 4) | 1);
    return;
  }
  lengthsOf(counts, symbols, LONGEST, lengths);
  fillCodes(lengths, symbols, codes);
  putLengths(encoder, symbols);
}

/** Writes a simple code of one or two symbols: with two, each has one bit; a single one has none. */
function putSimpleCode(encoder: AlphaEncoder, used: i32, first: u32, second: u32): void {
  putBits(encoder, 1, 1);
  putBits(encoder, used > 1 ? 1 : 0, 1);
  putBits(encoder, first > 1 ? 1 : 0, 1);
  putBits(encoder, first, first > 1 ? 8 : 1);
  if (used > 1) putBits(encoder, second, 8);
}

function putLengths(encoder: AlphaEncoder, symbols: u32): void {
  const count = tokensOf(symbols);
  lengthsOf(tokenCounts, LENGTH_SYMBOLS, LONGEST_OF_LENGTHS, tokenLengths);
  fillCodes(tokenLengths, LENGTH_SYMBOLS, tokenCodes);
  let given = LENGTH_SYMBOLS;
  while (given > 4 && load<u8>(tokenLengths + load<u8>(order + given - 1)) === 0) given--;
  putBits(encoder, 0, 1);
  putBits(encoder, given - 4, 4);
  for (let i: u32 = 0; i < given; i++) putBits(encoder, load<u8>(tokenLengths + load<u8>(order + i)), 3);
  // All lengths are written, including zeros at the end.
  putBits(encoder, 0, 1);
  for (let i: u32 = 0; i < count; i++) {
    const token = <u32>load<u16>(tokens + ((<usize>i) << 1));
    const symbol = token & 0xff;
    const code = load<u32>(tokenCodes + ((<usize>symbol) << 2));
    putBits(encoder, code >> 4, code & 15);
    if (symbol >= REPEAT_LAST) putBits(encoder, token >> 8, extraOf(symbol));
  }
}

function extraOf(symbol: u32): u32 {
  return symbol === REPEAT_LAST ? 2 : symbol === REPEAT_ZERO ? 3 : 7;
}

/** Turns lengths into tokens and counts these. @returns how many there are */
function tokensOf(symbols: u32): u32 {
  memory.fill(tokenCounts, 0, LENGTH_SYMBOLS << 2);
  let count: u32 = 0;
  let last = FIRST_LENGTH;
  for (let i: u32 = 0; i < symbols; ) {
    const length = <u32>load<u8>(lengths + i);
    let run: u32 = 1;
    while (i + run < symbols && load<u8>(lengths + i + run) === <u8>length) run++;
    i += run;
    if (length === 0) {
      for (; run >= 11; run -= min(run, 138)) {
        count = putToken(count, REPEAT_ZERO_LONG | ((min(run, 138) - 11) << 8));
      }
      if (run >= 3) {
        count = putToken(count, REPEAT_ZERO | ((run - 3) << 8));
        run = 0;
      }
    } else {
      if (length !== last) {
        count = putToken(count, length);
        run--;
        last = length;
      }
      for (; run >= 3; run -= min(run, 6)) count = putToken(count, REPEAT_LAST | ((min(run, 6) - 3) << 8));
    }
    for (; run > 0; run--) count = putToken(count, length);
  }
  return count;
}

function putToken(count: u32, token: u32): u32 {
  store<u16>(tokens + ((<usize>count) << 1), <u16>token);
  const at = tokenCounts + ((<usize>(token & 0xff)) << 2);
  store<u32>(at, load<u32>(at) + 1);
  return count + 1;
}
