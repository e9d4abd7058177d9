/** The best prefix code for counted symbols, of limited length (RFC 1951 section 3.2.2). */

const MOST_SYMBOLS: u32 = 288;
const LONGEST_CODE: u32 = 15;

/**
 * Symbols that occur, rarest first: count << 9 | symbol (u32). `depths` has their counts, which
 * `lengthsInPlace` turns into code lengths (u32).
 */
const sorted = memory.data(<i32>MOST_SYMBOLS * 4, 4);
const depths = memory.data(<i32>MOST_SYMBOLS * 4, 4);
/** A tree of this few symbols and such counts is never deeper. `ofLength` counts the codes of each length. */
const DEEPEST: u32 = 32;
const ofLength = memory.data(<i32>(DEEPEST + 1) * 4, 4);

/**
 * @param counts u32 each, below 2^23; not changed
 * @param lengths receives a byte per symbol, 0 for symbols that do not occur. Two or more get a code, as some
 * decoders want a complete code even if one symbol is used, or none
 */
export function codeLengths(counts: usize, symbols: u32, longest: u32, lengths: usize): void {
  memory.fill(lengths, 0, symbols);
  let used: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = load<u32>(counts + ((<usize>symbol) << 2));
    if (count > 0) insert(used++, (count << 9) | symbol);
  }
  for (let symbol: u32 = 0; used < 2; symbol++) {
    if (load<u32>(counts + ((<usize>symbol) << 2)) === 0) insert(used++, (1 << 9) | symbol);
  }
  sort(used);
  for (let i: u32 = 0; i < used; i++) put(i, load<u32>(sorted + ((<usize>i) << 2)) >> 9);
  lengthsInPlace(used);
  limitLengths(used, longest);
  let i: u32 = 0;
  for (let length = longest; length > 0; length--) {
    for (let left = load<u32>(ofLength + ((<usize>length) << 2)); left > 0; left--) {
      store<u8>(lengths + <usize>(load<u32>(sorted + ((<usize>i) << 2)) & 511), <u8>length);
      i++;
    }
  }
}

// @inline
function insert(i: u32, entry: u32): void {
  store<u32>(sorted + ((<usize>i) << 2), entry);
}

// @inline
function put(i: u32, value: u32): void {
  store<u32>(depths + ((<usize>i) << 2), value);
}

// @inline
function get(i: u32): u32 {
  return load<u32>(depths + ((<usize>i) << 2));
}

/** Shell's sort with Ciura's gaps (Ciura, Best Increments for the Average Case of Shellsort, 2001). */
function sort(used: u32): void {
  for (let gap: u32 = 132; gap > 0; gap = nextGap(gap)) {
    for (let i = gap; i < used; i++) {
      const entry = load<u32>(sorted + ((<usize>i) << 2));
      let at = i;
      for (; at >= gap; at -= gap) {
        const other = load<u32>(sorted + ((<usize>(at - gap)) << 2));
        if (other <= entry) break;
        store<u32>(sorted + ((<usize>at) << 2), other);
      }
      store<u32>(sorted + ((<usize>at) << 2), entry);
    }
  }
}

function nextGap(gap: u32): u32 {
  return gap > 57 ? 57 : gap > 23 ? 23 : gap > 10 ? 10 : gap > 4 ? 4 : gap > 1 ? 1 : 0;
}

/**
 * Turns counts, rarest first, into lengths, longest first: Moffat and Katajainen, In-Place Calculation of
 * Minimum-Redundancy Codes, WADS 1995. The array holds in turn: inner nodes in place of the leaves they join,
 * the parents of inner nodes, the depths of inner nodes, the depths of leaves.
 */
function lengthsInPlace(used: u32): void {
  let leaf: u32 = 0;
  let root: u32 = 0;
  for (let node: u32 = 0; node < used - 1; node++) {
    let sum: u32 = 0;
    for (let child = 0; child < 2; child++) {
      if (leaf >= used || (root < node && get(root) < get(leaf))) {
        sum += get(root);
        put(root++, node);
      } else {
        sum += get(leaf++);
      }
    }
    put(node, sum);
  }
  put(used - 2, 0);
  for (let node = <i32>used - 3; node >= 0; node--) put(node, get(get(node)) + 1);

  let inner = <i32>used - 2;
  let next = <i32>used - 1;
  let open: u32 = 1;
  for (let depth: u32 = 0; open > 0; depth++) {
    let parents: u32 = 0;
    while (inner >= 0 && get(inner) === depth) {
      parents++;
      inner--;
    }
    for (; open > parents; open--) put(next--, depth);
    open = parents << 1;
  }
}

/** Shortens codes that are too long, and lengthens others until the code is complete (Kraft's sum is 1). */
function limitLengths(used: u32, longest: u32): void {
  memory.fill(ofLength, 0, (DEEPEST + 1) * 4);
  for (let i: u32 = 0; i < used; i++) add(min(get(i), longest), 1);
  let sum: u32 = 0;
  for (let length: u32 = 1; length <= longest; length++) {
    sum += load<u32>(ofLength + ((<usize>length) << 2)) << (longest - length);
  }
  for (; sum > 1 << longest; sum--) {
    let shorter = longest - 1;
    while (load<u32>(ofLength + ((<usize>shorter) << 2)) === 0) shorter--;
    add(longest, -1);
    add(shorter, -1);
    add(shorter + 1, 2);
  }
}

// @inline
function add(length: u32, change: i32): void {
  const at = ofLength + ((<usize>length) << 2);
  store<u32>(at, load<u32>(at) + change);
}

const nextCode = memory.data(<i32>(LONGEST_CODE + 2) * 4, 4);

/**
 * The codes by RFC 1951 section 3.2.2. For each symbol: code, first bit lowest, << 4 | length (u32); 0 for a
 * symbol without a code.
 */
export function fillCodes(lengths: usize, symbols: u32, codes: usize): void {
  memory.fill(nextCode, 0, (LONGEST_CODE + 2) * 4);
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length = <usize>load<u8>(lengths + <usize>symbol);
    // The number of codes of one length decides where those of the next begin, so they are counted there.
    if (length > 0) store<u32>(nextCode + ((length + 1) << 2), load<u32>(nextCode + ((length + 1) << 2)) + 1);
  }
  let code: u32 = 0;
  for (let length: usize = 1; length <= LONGEST_CODE; length++) {
    code = (code + load<u32>(nextCode + (length << 2))) << 1;
    store<u32>(nextCode + (length << 2), code);
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length = <u32>load<u8>(lengths + <usize>symbol);
    let entry: u32 = 0;
    if (length > 0) {
      const at = nextCode + ((<usize>length) << 2);
      const own = load<u32>(at);
      store<u32>(at, own + 1);
      entry = (reversed(own, length) << 4) | length;
    }
    store<u32>(codes + ((<usize>symbol) << 2), entry);
  }
}

function reversed(code: u32, length: u32): u32 {
  let result: u32 = 0;
  for (let bit: u32 = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}
