import type { CodeSource } from '../lzw.ts';

/**
 * Codes from a chain of GIF data sub-blocks (GIF89a section 15): each is a length byte and that many bytes, a length of 0
 * ends the chain. Codes are packed from the least significant bit up (appendix F).
 */
export class BlockCodes implements CodeSource {
  readonly #bytes: Uint8Array;
  #at: number;
  /** Bytes left in the block being read. */
  #left = 0;
  #bits = 0;
  #count = 0;

  /** @param at where the first length byte stands */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  clone(): BlockCodes {
    const twin = new BlockCodes(this.#bytes, this.#at);
    twin.#left = this.#left;
    twin.#bits = this.#bits;
    twin.#count = this.#count;
    return twin;
  }

  next(width: number): number {
    while (this.#count < width) {
      if (this.#left === 0) {
        this.#left = this.#at < this.#bytes.length ? this.#bytes[this.#at]! : 0;
        if (this.#left === 0) return -1;
        this.#at++;
      }
      if (this.#at >= this.#bytes.length) return -1;
      this.#bits |= this.#bytes[this.#at++]! << this.#count;
      this.#left--;
      this.#count += 8;
    }
    const code = this.#bits & ((1 << width) - 1);
    this.#bits >>>= width;
    this.#count -= width;
    return code;
  }
}
