/**
 * Makes the optimal Huffman table for counted symbols: ITU-T T.81 annex K.2, with the roundings and ties of
 * the IJG's jchuff.c.
 */

/**
 * Bytes of a table: the number of codes of each length 1 to 16 (bytes 1 … 16), then from TABLE_SYMBOLS on up
 * to 256 symbols in the order of their codes.
 */
export const TABLE_BYTES: usize = 288;
export const TABLE_SYMBOLS: usize = 32;

/**
 * The longest code before lengths are limited to 16: more than any 2^32 counts can reach (a Fibonacci tree of
 * 2^32 is 47 deep).
 */
const LONGEST: i32 = 64;

const COUNTS: usize = memory.data(257 * 4, 4);
const SYMBOLS: usize = memory.data(257 * 2, 2);
/** Next symbol of the same tree, −1 at its end. */
const NEXT: usize = memory.data(257 * 2, 2);
const LENGTHS: usize = memory.data(257);
const OF_LENGTH: usize = memory.data(LONGEST + 1);

/**
 * Makes a table.
 * @param frequencies 256 u32, not changed
 * @param table receives the table
 */
export function makeTable(frequencies: usize, table: usize): void {
  memory.fill(table, 0, TABLE_BYTES);
  // The symbols that occur, in order, and one more that keeps the all-ones code free (K.2).
  let used = 0;
  for (let symbol = 0; symbol <= 256; symbol++) {
    const frequency = symbol === 256 ? 1 : load<u32>(frequencies + (symbol << 2));
    if (frequency === 0) continue;
    store<u32>(COUNTS + (used << 2), frequency);
    store<u16>(SYMBOLS + (used << 1), <u16>symbol);
    store<i16>(NEXT + (used << 1), -1);
    store<u8>(LENGTHS + used, 0);
    used++;
  }
  mergeTrees(used);
  countLengths(used);
  limitLengths();

  let at = table + TABLE_SYMBOLS;
  for (let length = 1; length <= LONGEST; length++) {
    for (let i = 0; i < used - 1; i++) {
      if (<i32>load<u8>(LENGTHS + i) === length) store<u8>(at++, <u8>load<u16>(SYMBOLS + (i << 1)));
    }
  }
  for (let length = 1; length <= 16; length++) store<u8>(table + length, load<u8>(OF_LENGTH + length));
}

/**
 * K.2 figure K.1: merges the two rarest trees until one is left. Among equals, the later one counts as rarer.
 */
function mergeTrees(used: i32): void {
  for (let trees = used; trees > 1; trees--) {
    let rarest = -1;
    let second = -1;
    let rarestCount: u32 = u32.MAX_VALUE;
    let secondCount: u32 = u32.MAX_VALUE;
    for (let i = 0; i < used; i++) {
      const count = load<u32>(COUNTS + (i << 2));
      if (count === 0) continue;
      if (count <= rarestCount) {
        second = rarest;
        secondCount = rarestCount;
        rarest = i;
        rarestCount = count;
      } else if (count <= secondCount) {
        second = i;
        secondCount = count;
      }
    }
    store<u32>(COUNTS + (rarest << 2), rarestCount + secondCount);
    store<u32>(COUNTS + (second << 2), 0);
    const end = deepen(rarest);
    store<i16>(NEXT + (end << 1), <i16>second);
    deepen(second);
  }
}

/** Makes every symbol of a tree one bit longer. @returns its last symbol */
function deepen(tree: i32): i32 {
  let symbol = tree;
  while (true) {
    store<u8>(LENGTHS + symbol, load<u8>(LENGTHS + symbol) + 1);
    const next = <i32>load<i16>(NEXT + (symbol << 1));
    if (next < 0) return symbol;
    symbol = next;
  }
}

function countLengths(used: i32): void {
  memory.fill(OF_LENGTH, 0, LONGEST + 1);
  for (let i = 0; i < used; i++) {
    const at = OF_LENGTH + <usize>load<u8>(LENGTHS + i);
    store<u8>(at, load<u8>(at) + 1);
  }
}

/** K.2 figure K.3: codes longer than 16 bits are paired off, then the reserved code is dropped. */
function limitLengths(): void {
  for (let length = LONGEST; length > 16; length--) {
    while (load<u8>(OF_LENGTH + length) > 0) {
      let shorter = length - 2;
      while (load<u8>(OF_LENGTH + shorter) === 0) shorter--;
      add(length, -2);
      add(length - 1, 1);
      add(shorter + 1, 2);
      add(shorter, -1);
    }
  }
  let longest = 16;
  while (load<u8>(OF_LENGTH + longest) === 0) longest--;
  add(longest, -1);
}

// @inline
function add(length: i32, change: i32): void {
  store<u8>(OF_LENGTH + length, <u8>(<i32>load<u8>(OF_LENGTH + length) + change));
}

/** T.81 C.2: stores code << 5 | length for each of 256 symbols, 0 for symbols without a code. */
export function fillCodes(table: usize, codes: usize): void {
  memory.fill(codes, 0, 1024);
  let code: u32 = 0;
  let at = table + TABLE_SYMBOLS;
  for (let length: u32 = 1; length <= 16; length++) {
    for (let left = load<u8>(table + <usize>length); left > 0; left--) {
      store<u32>(codes + ((<usize>load<u8>(at++)) << 2), (code << 5) | length);
      code++;
    }
    code <<= 1;
  }
}
