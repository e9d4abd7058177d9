import { type CodeSource, LzwReader } from '../lzw.ts';
import { bitOrder, type RowSource } from './row_source.ts';

/** Codes packed from the most significant bit down, as TIFF 6.0 section 13 has them. */
class DescendingCodes implements CodeSource {
  #bits = 0;
  #count = 0;
  constructor(
    readonly stored: Uint8Array,
    readonly order: Uint8Array,
    private at = 0,
  ) {}

  clone(): DescendingCodes {
    const twin = new DescendingCodes(this.stored, this.order, this.at);
    twin.#bits = this.#bits;
    twin.#count = this.#count;
    return twin;
  }

  next(width: number): number {
    while (this.#count < width) {
      if (this.at >= this.stored.length) return -1;
      this.#bits = ((this.#bits << 8) | this.order[this.stored[this.at++]!]!) & 0xffffff;
      this.#count += 8;
    }
    this.#count -= width;
    return (this.#bits >>> this.#count) & ((1 << width) - 1);
  }
}

/** Codes packed from the least significant bit up, as programs before TIFF 5.0 did and libtiff still reads. */
class AscendingCodes implements CodeSource {
  #bits = 0;
  #count = 0;
  constructor(
    readonly stored: Uint8Array,
    private at = 0,
  ) {}

  clone(): AscendingCodes {
    const twin = new AscendingCodes(this.stored, this.at);
    twin.#bits = this.#bits;
    twin.#count = this.#count;
    return twin;
  }

  next(width: number): number {
    while (this.#count < width) {
      if (this.at >= this.stored.length) return -1;
      this.#bits |= this.stored[this.at++]! << this.#count;
      this.#count += 8;
    }
    const code = this.#bits & ((1 << width) - 1);
    this.#bits >>>= width;
    this.#count -= width;
    return code;
  }
}

/**
 * LZW rows. A stream begins with the clear code 256 in 9 bits: 0x80 from the top down; read from the bottom up it is a
 * zero byte and a set bit, by which libtiff tells the old order, and so is it told here.
 */
export function openLzwRows(stored: Uint8Array, reversed: boolean): RowSource {
  const old = stored.length >= 2 && stored[0] === 0 && (stored[1]! & 1) === 1;
  return old
    ? new LzwReader(new AscendingCodes(stored), { literalBits: 8, earlyChange: false })
    : new LzwReader(new DescendingCodes(stored, bitOrder(reversed)), { literalBits: 8, earlyChange: true });
}
