import { InflateStream } from '../../core/deflate/inflate.ts';
import { type Core, createCore } from '../../core/instance.ts';
import type { LzwReader } from '../lzw/reader.ts';
import { FaxRows } from './fax.ts';
import type { Page } from './page.ts';
import { openLzwRows, PackBitsRows, type RowSource, reversedPieces, UncompressedRows } from './rows.ts';
import { Compression } from './tags.ts';

/**
 * Opens the decompressors for one pass over a page. Those that run in the core share one core, which is
 * released between rows of strips or tiles; LZW readers are reused.
 */
export class Sources implements Disposable {
  readonly #page: Page;
  #core: Core | undefined;
  #mark = 0;
  /** Readers from all rows of chunks so far; the first `#lzwOpen` of them are in use. */
  readonly #lzwReaders: LzwReader[] = [];
  #lzwOpen = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Releases the memory of all sources opened so far: none of them may be read again. */
  reset(): void {
    this.#lzwOpen = 0;
    this.#core?.exports.release(this.#mark);
  }

  /** As `reset`, and final. */
  [Symbol.dispose](): void {
    this.#core?.[Symbol.dispose]();
  }

  /** @throws Fault 'limit' when the core has no memory for one more */
  open(stored: Uint8Array): RowSource {
    const { compression, reversed, t4Options, chunks } = this.#page;
    switch (compression) {
      case Compression.PackBits:
        return new PackBitsRows(stored, reversed);
      case Compression.Lzw:
        return this.#openLzw(stored, reversed);
      case Compression.Deflate:
      case Compression.OldDeflate:
        return new InflateStream(this.core(), reversed ? reversedPieces(stored) : [stored], 'zlib');
      case Compression.FaxRle:
      case Compression.FaxGroup3:
      case Compression.FaxGroup4:
        return new FaxRows(stored, { compression, t4Options, width: chunks.width, reversed });
      default:
        return new UncompressedRows(stored, reversed);
    }
  }

  #openLzw(stored: Uint8Array, reversed: boolean): LzwReader {
    const reader = openLzwRows(stored, reversed, this.#lzwReaders[this.#lzwOpen]);
    this.#lzwReaders[this.#lzwOpen++] = reader;
    return reader;
  }

  /** The core that the decompressors share. */
  core(): Core {
    if (this.#core === undefined) {
      this.#core = createCore();
      this.#mark = this.#core.exports.mark();
    }
    return this.#core;
  }
}
