/** After a block whose last coefficient is not zero: nothing is written. */
export const END: i32 = 0;
/** T.81 F.1.2.2: the rest is zero. */
export const EOB: i32 = 1;
export const ESCAPE: i32 = 2;
export const ZRL: i32 = 18;
/** Tokens from here on are a pair of run and value. */
export const FIRST_PAIR: i32 = 19;

export const DC_CENTRE: i32 = 127;
export const DC_ESCAPE: i32 = 255;

/**
 * The largest value that has a token, for each run: 228 pairs in all, the ones most frequent in photographs.
 */
const LARGEST: usize = memory.data<u8>([36, 18, 10, 8, 6, 6, 5, 4, 4, 3, 3, 3, 2, 2, 2, 2]);

/** Token of (run, value + 64), 0 for none: 16 × 128. */
const TOKEN: usize = memory.data(2048);
/** For each token: its symbol (run and size), its extra bits, and their number. */
export const SYMBOL: usize = memory.data(256);
export const EXTRA: usize = memory.data(256);
export const SIZE: usize = memory.data(256);

/** Byte offset of each zigzag place in a block of i16 in natural order. */
export const OFFSET: usize = memory.data<u8>([
  0, 2, 16, 32, 18, 4, 6, 20, 34, 48, 64, 50, 36, 22, 8, 10, 24, 38, 52, 66, 80, 96, 82, 68, 54, 40, 26, 12,
  14, 28, 42, 56, 70, 84, 98, 112, 114, 100, 86, 72, 58, 44, 30, 46, 60, 74, 88, 102, 116, 118, 104, 90, 76,
  62, 78, 92, 106, 120, 122, 108, 94, 110, 124, 126,
]);

/** T.81 F.1.2.1.1: the category of a value, its number of bits. */
// @inline
export function sizeOf(value: i32): i32 {
  return 32 - clz(value < 0 ? -value : value);
}

/** T.81 F.1.2.1.1: the extra bits, which tell a value within its category. */
// @inline
export function extraOf(value: i32, size: i32): i32 {
  return (value - (value < 0 ? 1 : 0)) & ((1 << size) - 1);
}

/** Fills the tables; once per core. */
export function fillTokens(): void {
  memory.fill(TOKEN, 0, 2048);
  let token = FIRST_PAIR;
  for (let run = 0; run < 16; run++) {
    const largest = <i32>load<u8>(LARGEST + run);
    for (let value = -largest; value <= largest; value++) {
      if (value === 0) continue;
      const size = sizeOf(value);
      store<u8>(TOKEN + (run << 7) + value + 64, <u8>token);
      store<u8>(SYMBOL + token, <u8>((run << 4) | size));
      store<u8>(EXTRA + token, <u8>extraOf(value, size));
      store<u8>(SIZE + token, <u8>size);
      token++;
    }
  }
  store<u8>(SYMBOL + EOB, 0x00);
  store<u8>(SYMBOL + ZRL, 0xf0);
}

// Statistics of one class: counts of DC tokens (256 u32), of AC tokens (256 u32), of escaped DC sizes (256
// u32), of escaped AC symbols (256 u32). Byte offsets:
export const AC_TOKENS: usize = 1024;
export const DC_SIZES: usize = 2048;
export const AC_SYMBOLS: usize = 3072;

// @inline
function count(at: usize, index: i32): void {
  const counter = at + ((<usize>index) << 2);
  store<u32>(counter, load<u32>(counter) + 1);
}

/**
 * Writes a block whose DC difference and AC are all 0, which fills an MCU beyond the image (T.81 A.2.4).
 * @returns the next place
 */
export function tokeniseEmpty(to: usize, statistics: usize): usize {
  store<u8>(to, <u8>DC_CENTRE);
  count(statistics, DC_CENTRE);
  store<u8>(to, <u8>EOB, 1);
  count(statistics + AC_TOKENS, EOB);
  return to + 2;
}

/**
 * Writes a block's tokens and counts them.
 * @param block 64 quantised i16, natural order
 * @param mask one bit per zigzag place that is not zero
 * @param difference this DC minus the component's previous one
 * @returns the place after the block's tokens
 */
// @inline
export function tokenise(block: usize, mask: u64, difference: i32, to: usize, statistics: usize): usize {
  if (<u32>(difference + DC_CENTRE) < 255) {
    store<u8>(to, <u8>(difference + DC_CENTRE));
    count(statistics, difference + DC_CENTRE);
    to++;
  } else {
    store<u8>(to, <u8>DC_ESCAPE);
    store<i16>(to, <i16>difference, 1);
    count(statistics + DC_SIZES, sizeOf(difference));
    to += 3;
  }
  const tokenCounts = statistics + AC_TOKENS;
  let last = 0;
  mask &= ~1;
  while (mask !== 0) {
    const place = <i32>ctz(mask);
    mask &= mask - 1;
    let run = place - last - 1;
    last = place;
    const value = <i32>load<i16>(block + <usize>load<u8>(OFFSET + place));
    while (run > 15) {
      store<u8>(to++, <u8>ZRL);
      count(tokenCounts, ZRL);
      run -= 16;
    }
    let token = 0;
    if (<u32>(value + 64) < 128) token = <i32>load<u8>(TOKEN + (run << 7) + value + 64);
    if (token !== 0) {
      store<u8>(to++, <u8>token);
      count(tokenCounts, token);
    } else {
      store<u8>(to, <u8>(ESCAPE + run));
      store<i16>(to, <i16>value, 1);
      count(statistics + AC_SYMBOLS, (run << 4) | sizeOf(value));
      to += 3;
    }
  }
  const end = last === 63 ? END : EOB;
  store<u8>(to, <u8>end);
  count(tokenCounts, end);
  return to + 1;
}
