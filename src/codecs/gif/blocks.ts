import type { LzwInput } from '../lzw/reader.ts';

/**
 * A chain of GIF data sub-blocks (GIF89a section 15): each is a length byte and that many bytes, a length of
 * 0 ends the chain. A block that the file's end cuts short is handed out as far as it goes.
 */
export class DataBlocks implements LzwInput {
  readonly #bytes: Uint8Array;
  #at: number;

  /** @param at where the first length byte stands */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  clone(): DataBlocks {
    return new DataBlocks(this.#bytes, this.#at);
  }

  next(): Uint8Array | undefined {
    const length = this.#bytes[this.#at] ?? 0;
    const block = this.#bytes.subarray(this.#at + 1, this.#at + 1 + length);
    if (block.length === 0) return undefined;
    this.#at += 1 + length;
    return block;
  }
}
