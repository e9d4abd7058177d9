import { Cursor } from '../../metadata/cursor.ts';
import { subBlockAt } from '../../metadata/gif/blocks.ts';
import type { LzwInput } from '../lzw/reader.ts';

/**
 * The data of a chain of GIF sub-blocks, for decompression. A block that the file's end cuts short is passed
 * on as far as it goes.
 */
export class DataBlocks implements LzwInput {
  readonly #file: Cursor;
  #at: number;

  /** @param at position of the first length byte */
  constructor(bytes: Uint8Array, at: number) {
    this.#file = Cursor.unlimited(bytes);
    this.#at = at;
  }

  clone(): DataBlocks {
    return new DataBlocks(this.#file.bytes, this.#at);
  }

  next(): Uint8Array | undefined {
    const block = subBlockAt(this.#file, this.#at);
    if (block === null || block.start === block.end) return undefined;
    this.#at = block.end;
    return this.#file.bytes.subarray(block.start, block.end);
  }
}
