import { InflateStream } from '../../core/inflate.ts';
import { type Core, createCore } from '../../core/instance.ts';
import { FaxRows } from './fax_rows.ts';
import { openLzwRows } from './lzw_rows.ts';
import { PackBitsRows } from './packbits_rows.ts';
import type { Page } from './page.ts';
import { PlainRows } from './plain_rows.ts';
import { type RowSource, turnedPiece } from './row_source.ts';
import { Compression } from './tags.ts';

/** Compressed bytes whose bits stand the other way round are turned in pieces of this size. */
const PIECE_BYTES = 4096;

/**
 * Opens the decompressors of one reading of a page. Those that run in the core share one, cleared between
 * chunks.
 */
export class Sources implements Disposable {
  readonly #page: Page;
  #core: Core | undefined;
  #mark = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Takes back the memory of all sources opened so far: none of them may be read again. */
  reset(): void {
    this.#core?.exports.release(this.#mark);
  }

  /** As `reset`, for good. */
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
        return openLzwRows(stored, reversed);
      case Compression.Deflate:
      case Compression.OldDeflate:
        return new InflateStream(this.core(), reversed ? turned(stored) : [stored], 'zlib');
      case Compression.FaxRle:
      case Compression.FaxGroup3:
      case Compression.FaxGroup4:
        return new FaxRows(stored, { compression, t4Options, width: chunks.width, reversed });
      default:
        return new PlainRows(stored, reversed);
    }
  }

  /** The core that this reading's decompressors share. */
  core(): Core {
    if (this.#core === undefined) {
      this.#core = createCore();
      this.#mark = this.#core.exports.mark();
    }
    return this.#core;
  }
}

function* turned(stored: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < stored.length; at += PIECE_BYTES)
    yield turnedPiece(stored.subarray(at, at + PIECE_BYTES));
}
