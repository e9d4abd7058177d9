import type { Raster, Strip } from '../types.ts';
import { type ChunkRows, PageRows } from './chunk_rows.ts';
import { JpegRows } from './jpeg_rows.ts';
import type { Page } from './page.ts';
import type { Reading } from './reading.ts';
import { Sources } from './sources.ts';
import { Compression } from './tags.ts';

/** The first page of a TIFF, chunk by chunk. */
export class TiffRaster implements Raster, Disposable {
  readonly width: number;
  readonly height: number;
  readonly opaque: boolean;
  readonly grey: boolean;
  readonly #page: Page;
  readonly #reading: Reading;

  constructor(page: Page, reading: Reading) {
    this.#page = page;
    this.#reading = reading;
    this.width = page.width;
    this.height = page.height;
    this.opaque = page.colour.alpha === undefined;
    this.grey = isGrey(page);
  }

  /** Nothing outlives a reading. */
  [Symbol.dispose](): void {}

  *strips(): Iterable<Strip> {
    const { width, height } = this;
    const { chunks } = this.#page;
    const { oneByOne, stripRows } = this.#reading;
    const shared = new PageRows(this.#page);
    const sources = new Sources(this.#page);
    const pixels = new Uint8Array(stripRows * width * 4);
    const columns = Array.from({ length: chunks.across }, (_, column) => column);
    const open = (column: number, row: number): ChunkRows => {
      const stored = shared.planes.map((plane) => chunks.bytesOf(column, row, plane));
      if (this.#page.compression === Compression.Jpeg) {
        return new JpegRows(shared, sources.core(), stored, row * chunks.height);
      }
      return shared.open(stored.map((bytes) => sources.open(bytes)));
    };
    const read = (chunk: ChunkRows, column: number, y: number, row: number) => {
      const x = column * chunks.width;
      chunk.next(pixels, (row * width + x) * 4, Math.min(chunks.width, width - x), y + row);
    };

    for (let top = 0; top < height; top += chunks.height) {
      const bottom = Math.min(height, top + chunks.height);
      const chunkRow = top / chunks.height;
      sources.reset();
      const all = oneByOne ? [] : columns.map((column) => open(column, chunkRow));
      for (let y = top; y < bottom; y += stripRows) {
        const rows = Math.min(stripRows, bottom - y);
        if (oneByOne) {
          for (const column of columns) {
            sources.reset();
            const chunk = open(column, chunkRow);
            for (let row = 0; row < rows; row++) read(chunk, column, y, row);
          }
        } else {
          for (let row = 0; row < rows; row++) {
            for (const column of columns) read(all[column]!, column, y, row);
          }
        }
        yield { y, rows, pixels: pixels.subarray(0, rows * width * 4) };
      }
    }
  }
}

function isGrey({ colour: { kind, palette } }: Page): boolean {
  if (kind === 'grey' || kind === 'whiteIsZero') return true;
  return palette?.every((value, at) => value === palette[at - (at % 3)]) ?? false;
}
