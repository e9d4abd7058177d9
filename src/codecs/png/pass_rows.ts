import type { InflateStream } from '../../core/deflate/inflate.ts';
import type { Core } from '../../core/instance.ts';
import { decodingFault, Fault } from '../../faults.ts';
import type { Work } from '../types.ts';
import type { ImageData } from './chunks.ts';
import { filterDistance, rowBytes } from './expansion.ts';
import type { PngHeader } from './header.ts';

/** Which pixels of a row a stored row has: `width` pixels from x on, `stepX` apart. */
interface RowPixels {
  readonly x: number;
  readonly stepX: number;
  readonly width: number;
}

/** Writes the pixels of the stored row at `row` into the row that begins at `out`. */
export type PlaceRow = (row: number, out: number, pixels: RowPixels) => void;

/** Writes rows as RGBA to `out`. Rows are asked for in order, each once. */
export interface RowSource {
  row(y: number, out: number): void;
  /** Called after a strip's last row, before anyone else may write into the strip. */
  endStrip?(lastRow: number): void;
  /** Work of the chunks read since the last call, beyond that of their pixels. */
  takeWork(): Work;
  /** The stream that holds the image's last byte, and its input. */
  readonly last: { readonly stream: InflateStream; readonly data: ImageData };
}

/** Names a row for messages: "row 3 of 20". */
type RowName = (row: number) => string;

/** Inflates and reconstructs the rows of an image, or of one interlace pass, one after the other. */
export class PassRows {
  readonly #core: Core;
  readonly #stream: InflateStream;
  readonly #name: RowName;
  readonly #bytes: number;
  readonly #distance: number;
  readonly #filtered: number;
  #above: number;
  #current: number;
  #row = 0;

  constructor(
    core: Core,
    header: PngHeader,
    stream: InflateStream,
    width: number,
    buffers: { filtered: number; rows: readonly [number, number] },
    name: RowName,
  ) {
    this.#core = core;
    this.#stream = stream;
    this.#name = name;
    this.#bytes = rowBytes(header.colourType, header.depth, width);
    this.#distance = filterDistance(header);
    this.#filtered = buffers.filtered;
    [this.#above, this.#current] = buffers.rows;
  }

  /**
   * Inflates the next row into the shared buffer: its filter type, then its bytes.
   * @returns the filter type
   * @throws Fault 'decoding' naming the row
   */
  pull(): number {
    const wanted = this.#bytes + 1;
    let got: number;
    try {
      got = this.#stream.copyTo(this.#filtered, wanted);
    } catch (error) {
      if (error instanceof Fault && error.kind === 'decoding') throw this.damaged(error.message);
      throw error;
    }
    if (got < wanted) throw this.damaged('its data ends there');
    this.#row++;
    return this.#core.view(this.#filtered, 1)[0]!;
  }

  /** The next row, unfiltered; valid until the call after the next. */
  next(): number {
    const filter = this.pull();
    const { exports } = this.#core;
    const out = this.#current;
    if (exports.pngUnfilter(filter, this.#filtered + 1, this.#above, out, this.#bytes, this.#distance)) {
      throw this.unknownFilter(filter);
    }
    this.#current = this.#above;
    this.#above = out;
    return out;
  }

  unknownFilter(filter: number): Fault {
    this.#row--;
    return this.damaged(`its filter type is ${filter}, 0 to 4 are expected`);
  }

  damaged(why: string): Fault {
    return decodingFault(`The PNG is damaged at ${this.#name(this.#row)}: ${why}`);
  }
}
