import { Cursor } from '../../metadata/cursor.ts';
import { subBlockAt } from '../../metadata/gif/blocks.ts';
import type { LzwInput } from '../lzw/reader.ts';

/**
 * The data of a chain of GIF sub-blocks, to be decompressed. A block that the file's end cuts short is handed
 * out as far as it goes.
 */
export class DataBlocks implements LzwInput {
  readonly #file: Cursor;
  #at: number;

  /** @param at where the first length byte stands */
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
