/** Bits that index the lookup table of a Huffman code; longer codes are rare. */
const QUICK = 9;
/** Longest code, ITU-T T.81 C.2. */
const LONGEST = 16;

/** A Huffman code of a JPEG, ITU-T T.81 annex C. */
export class HuffmanCode {
  /** Indexed by the next `QUICK` bits: length of the code × 256 + symbol; 0 if the code is longer. */
  readonly quick = new Uint16Array(1 << QUICK);
  /**
   * Indexed by length. `limits`: one more than the largest code, aligned to 16 bits; `offsets`: added to a
   * code, it gives the index of its symbol.
   */
  readonly limits = new Uint32Array(LONGEST + 1);
  readonly offsets = new Int32Array(LONGEST + 1);
  readonly symbols: Uint8Array;

  /**
   * @param counts codes of each length from 1 to 16
   * @param symbols in order of their codes
   */
  constructor(counts: Uint8Array, symbols: Uint8Array) {
    this.symbols = symbols;
    let code = 0;
    let first = 0;
    for (let length = 1; length <= LONGEST; length++) {
      const count = counts[length - 1]!;
      this.offsets[length] = first - code;
      for (let n = 0; length <= QUICK && n < count; n++) {
        const from = (code + n) << (QUICK - length);
        this.quick.fill((length << 8) | symbols[first + n]!, from, from + (1 << (QUICK - length)));
      }
      code += count;
      first += count;
      this.limits[length] = code << (LONGEST - length);
      code <<= 1;
    }
  }
}

/**
 * Reads the bits of entropy-coded data, without the zeros stuffed after FF (T.81 F.1.2.3). After a marker or
 * the end it returns zero bits, and `isPast` is true.
 */
export class EntropyReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #end = 0;
  /**
   * Buffered bits, of which the lowest `#count` are next. A negative count means so many future bits are to
   * be skipped.
   */
  #bits = 0;
  #count = 0;
  /** Number of zero bits added after the data. */
  #missing = 0;
  /** Whether a code was read that does not exist. */
  isBroken = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Starts at a byte; reads no further than `end`. */
  start(at: number, end: number): void {
    this.#at = at;
    this.#end = end;
    this.#bits = 0;
    this.#count = 0;
    this.#missing = 0;
  }

  /** Whether more bits were taken than the data have. */
  get isPast(): boolean {
    this.#fill();
    return this.#missing > this.#count;
  }

  /** The offset after the last byte from which a bit was taken. */
  get reached(): number {
    this.#fill();
    let at = this.#at;
    for (let whole = (this.#count - this.#missing) >> 3; whole > 0; whole--) {
      at -= this.#bytes[at - 1] === 0 && this.#bytes[at - 2] === 0xff ? 2 : 1;
    }
    return at;
  }

  /** Skips this many bits. */
  skip(count: number): void {
    this.#count -= count;
  }

  /** @param count 0 to 16 */
  take(count: number): number {
    if (this.#count < count) this.#fill();
    this.#count -= count;
    return (this.#bits >>> this.#count) & ((1 << count) - 1);
  }

  /** The next symbol; 0 if there is no such code. */
  symbol({ quick, limits, offsets, symbols }: HuffmanCode): number {
    if (this.#count < LONGEST) this.#fill();
    const next = (this.#bits >>> (this.#count - LONGEST)) & 0xffff;
    const found = quick[next >>> (LONGEST - QUICK)]!;
    if (found > 0) {
      this.#count -= found >> 8;
      return found & 0xff;
    }
    for (let length = QUICK + 1; length <= LONGEST; length++) {
      if (next < limits[length]!) {
        this.#count -= length;
        return symbols[(next >>> (LONGEST - length)) + offsets[length]!] ?? 0;
      }
    }
    this.isBroken = true;
    this.#count -= LONGEST;
    return 0;
  }

  /** Fills the buffer to at least 17 and at most 24 bits. */
  #fill(): void {
    const bytes = this.#bytes;
    while (this.#count <= 16) {
      let byte = 0;
      if (this.#at < this.#end && (bytes[this.#at] !== 0xff || bytes[this.#at + 1] === 0)) {
        byte = bytes[this.#at]!;
        this.#at += byte === 0xff ? 2 : 1;
      } else {
        this.#missing += 8;
      }
      this.#bits = (this.#bits << 8) | byte;
      this.#count += 8;
    }
  }
}
