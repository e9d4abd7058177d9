/**
 * A small inflater (RFC 1950, RFC 1951) for the compressed texts of PNG, in which XMP and raw Exif profiles
 * hide. It decodes codes bit by bit, as few as they are, and stops at a cap, so that a text of zeros costs no
 * more than an honest one.
 */

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
/** Order in which the lengths of the code length code are stored, RFC 1951 §3.2.7. */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;
const FIRST_ROOM = 1024;
/** Blocks of one stream: encoders make one of some ten thousand bytes, hostile streams one of none. */
const MAX_DEFLATE_BLOCKS = 1024;

/** A canonical Huffman code: how many codes of each length, and their symbols in order. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

function makeCode(lengths: Uint8Array): Code {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (const length of lengths) counts[length]! += 1;
  counts[0] = 0;
  const next = new Uint16Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length++) next[length + 1] = next[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length > 0) symbols[next[length]!++] = symbol;
  });
  return { counts, symbols };
}

let fixed: readonly [literals: Code, distances: Code] | undefined;

/** The codes of RFC 1951 §3.2.6, made when first needed. */
function fixedCodes(): readonly [Code, Code] {
  const length = (symbol: number) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8);
  fixed ??= [
    makeCode(Uint8Array.from({ length: 288 }, (_, symbol) => length(symbol))),
    makeCode(new Uint8Array(30).fill(5)),
  ];
  return fixed;
}

/**
 * Raised inside this file only, where the data break off or make no sense; what was inflated until then is
 * kept.
 */
class Broken extends Error {}

class Inflater {
  readonly #input: Uint8Array;
  readonly #most: number;
  #at: number;
  #bits = 0;
  #bitCount = 0;
  output: Uint8Array;
  filled = 0;

  constructor(input: Uint8Array, start: number, most: number) {
    this.#input = input;
    this.#at = start;
    this.#most = most;
    this.output = new Uint8Array(Math.min(FIRST_ROOM, most));
  }

  run(): void {
    for (let n = 0, last = 0; n < MAX_DEFLATE_BLOCKS && last === 0 && this.filled < this.#most; n++) {
      last = this.#take(1);
      const type = this.#take(2);
      if (type === 0) this.#stored();
      else if (type === 1) this.#compressed(...fixedCodes());
      else if (type === 2) this.#dynamic();
      else throw new Broken();
    }
  }

  #take(count: number): number {
    while (this.#bitCount < count) {
      if (this.#at >= this.#input.length) throw new Broken();
      this.#bits |= this.#input[this.#at++]! << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  #symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST_CODE; length++) {
      code |= this.#take(1);
      const count = counts[length]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Broken();
  }

  #put(byte: number): void {
    if (this.filled >= this.#most) throw new Broken();
    if (this.filled === this.output.length) {
      const larger = new Uint8Array(Math.min(this.output.length * 2, this.#most));
      larger.set(this.output);
      this.output = larger;
    }
    this.output[this.filled++] = byte;
  }

  #stored(): void {
    this.#bits = 0;
    this.#bitCount = 0;
    const length = this.#take(16);
    if (this.#take(16) !== (~length & 0xffff)) throw new Broken();
    for (let n = 0; n < length; n++) this.#put(this.#take(8));
  }

  #dynamic(): void {
    const literals = this.#take(5) + 257;
    const distances = this.#take(5) + 1;
    const stored = this.#take(4) + 4;
    const order = new Uint8Array(19);
    for (let n = 0; n < stored; n++) order[CODE_LENGTH_ORDER[n]!] = this.#take(3);
    const code = makeCode(order);
    const lengths = new Uint8Array(literals + distances);
    for (let n = 0; n < lengths.length; ) {
      const symbol = this.#symbol(code);
      if (symbol < 16) {
        lengths[n++] = symbol;
        continue;
      }
      if (symbol === 16 && n === 0) throw new Broken();
      const value = symbol === 16 ? lengths[n - 1]! : 0;
      const times =
        symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      lengths.fill(value, n, n + times);
      n += times;
    }
    this.#compressed(makeCode(lengths.subarray(0, literals)), makeCode(lengths.subarray(literals)));
  }

  #compressed(literalCode: Code, distanceCode: Code): void {
    for (;;) {
      const symbol = this.#symbol(literalCode);
      if (symbol < 256) this.#put(symbol);
      else if (symbol === 256) return;
      else this.#copy(symbol - 257, distanceCode);
    }
  }

  #copy(lengthSymbol: number, distanceCode: Code): void {
    const base = LENGTH_BASE[lengthSymbol];
    if (base === undefined) throw new Broken();
    const length = base + this.#take(LENGTH_BITS[lengthSymbol]!);
    const symbol = this.#symbol(distanceCode);
    const distanceBase = DISTANCE_BASE[symbol];
    if (distanceBase === undefined) throw new Broken();
    const distance = distanceBase + this.#take(symbol < 4 ? 0 : (symbol >> 1) - 1);
    if (distance > this.filled) throw new Broken();
    for (let n = 0; n < length; n++) this.#put(this.output[this.filled - distance]!);
  }
}

/**
 * Inflates a zlib stream, as far as it goes: up to `most` bytes, or to where it breaks off.
 * Its checksum is not looked at. An empty array when it is no zlib stream.
 */
export function inflatePrefix(stream: Uint8Array, most: number): Uint8Array {
  const method = stream[0] ?? 0;
  const flags = stream[1] ?? 0;
  if ((method & 15) !== 8 || ((method << 8) | flags) % 31 !== 0 || (flags & 0x20) !== 0)
    return new Uint8Array(0);
  const inflater = new Inflater(stream, 2, most);
  try {
    inflater.run();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
  }
  return inflater.output.subarray(0, inflater.filled);
}
