import { decodingFault, Fault } from '../../faults.ts';
import type { Work } from '../types.ts';
import { storedBytes } from './chunks.ts';
import { colourWriter, type PixelWriter, spreadUnits, writeAlpha, writeCmykSamples } from './colour.ts';
import type { Page } from './page.ts';
import { type Undo, undoPredictor } from './predictor.ts';
import type { RowSource } from './rows.ts';
import { type Unpack, unpackSamples } from './samples.ts';
import { colourWriter16, unpackSamples16 } from './samples16.ts';

/** The rows of one chunk, from its top. */
export interface ChunkRows<Samples = Uint8Array> {
  /** Call it before `next` if it exists: there may be much to do on the way to row `y`. Yields that work. */
  reach?(y: number): Generator<Work, void, void>;
  /**
   * Writes the next row's first `count` pixels, four samples each, to out[at].
   * @throws Fault 'decoding' naming row `y` of the page
   */
  next(out: Samples, at: number, count: number, y: number): void;
}

/** The form that stored samples are converted to: RGBA of 8 or 16 bits a sample, or CMYK of 8. */
export interface PixelForm<Samples extends Uint8Array | Uint16Array> {
  readonly unpack: Unpack<Samples>;
  readonly write: PixelWriter<Samples>;
  readonly make: (length: number) => Samples;
  /** The greatest sample. */
  readonly most: number;
}

/** RGBA of 8 bits a sample. */
export const rgbaForm = (page: Page): PixelForm<Uint8Array> => ({
  unpack: unpackSamples(page),
  write: colourWriter(page.colour),
  make: (length) => new Uint8Array(length),
  most: 255,
});

/** RGBA of 16 bits a sample, for pages that have them (`offersSamples16`). */
export const rgba16Form = (page: Page): PixelForm<Uint16Array> => ({
  unpack: unpackSamples16(page),
  write: colourWriter16(page),
  make: (length) => new Uint16Array(length),
  most: 65_535,
});

/** Cyan, magenta, yellow, black, for CMYK pages. */
export const cmykForm = (page: Page): PixelForm<Uint8Array> => ({
  ...rgbaForm(page),
  write: writeCmykSamples,
});

/** What the chunks of one page share: how rows are unpacked, and buffers for one row. */
export class PageRows<Samples extends Uint8Array | Uint16Array = Uint8Array> {
  readonly page: Page;
  /** The samples that are read; with separate planes only those that are shown. */
  readonly planes: readonly number[];
  readonly undo: Undo | undefined;
  readonly unpack: Unpack<Samples>;
  readonly write: PixelWriter<Samples>;
  readonly stored: Uint8Array;
  readonly samples: Samples;
  /** Memory for such samples, or for what they become. */
  readonly make: (length: number) => Samples;
  /** Samples of a pixel in `samples`, and which of them is alpha. */
  readonly stride: number;
  readonly alphaAt: number;
  readonly #most: number;

  constructor(page: Page, { unpack, write, make, most }: PixelForm<Samples>) {
    const { colour, planar, samples, chunks } = page;
    this.page = page;
    this.planes = planar ? colour.shown : [0];
    this.stride = planar ? colour.shown.length : samples;
    this.alphaAt = colour.alpha === undefined ? -1 : planar ? colour.components : colour.alpha.sample;
    this.undo = undoPredictor(page);
    this.unpack = unpack;
    this.write = write;
    this.stored = new Uint8Array(storedBytes({ ...page, ...colour }, chunks.width));
    this.make = make;
    this.samples = make(chunks.width * this.stride);
    this.#most = most;
  }

  /** Writes alpha of `count` pixels whose samples are in `samples` (see `alphaAt`). */
  readonly writeAlpha = (samples: Samples, count: number, out: Samples, at: number): void => {
    const { premultiplied } = this.page.colour.alpha!;
    writeAlpha(samples, this.alphaAt, this.stride, count, out, at, premultiplied, this.#most);
  };

  /** @param sources one for each of `planes` */
  open(sources: readonly RowSource[]): ChunkRows<Samples> {
    return new SampleRows(this, sources);
  }
}

/** The rows of a chunk that stores several rows of pixels in one (subsampled colour), or one. */
export function openChunk(shared: PageRows, sources: readonly RowSource[]): ChunkRows {
  const [horizontal, vertical] = shared.page.colour.subsampling;
  return horizontal * vertical > 1 ? new UnitRows(shared, sources[0]!) : shared.open(sources);
}

/** Reads one whole stored row, or throws a fault that names the page's row without data. */
function readStored(source: RowSource, into: Uint8Array, page: Page, y: number): void {
  let count: number;
  try {
    count = source.read(into);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(error.kind, `${error.message}, at row ${y} of ${page.height} of the TIFF`);
  }
  if (count < into.length) throw decodingFault(`The TIFF's pixels end at row ${y} of ${page.height}`);
}

class SampleRows<Samples extends Uint8Array | Uint16Array> implements ChunkRows<Samples> {
  readonly shared: PageRows<Samples>;
  readonly sources: readonly RowSource[];

  constructor(shared: PageRows<Samples>, sources: readonly RowSource[]) {
    this.shared = shared;
    this.sources = sources;
  }

  next(out: Samples, at: number, count: number, y: number): void {
    const { page, stored, samples, stride, alphaAt, undo, unpack, write } = this.shared;
    for (let plane = 0; plane < this.sources.length; plane++) {
      readStored(this.sources[plane]!, stored, page, y);
      undo?.(stored);
      if (page.planar) unpack(stored, count, samples, plane, stride);
      else unpack(stored, count * stride, samples, 0, 1);
    }
    write(samples, 0, stride, count, out, at);
    if (alphaAt >= 0) this.shared.writeAlpha(samples, count, out, at);
  }
}

/** Subsampled colour: a stored row of data units holds several rows of pixels. */
class UnitRows implements ChunkRows {
  readonly shared: PageRows;
  readonly source: RowSource;
  readonly #samples: Uint8Array;
  #row = 0;

  constructor(shared: PageRows, source: RowSource) {
    this.shared = shared;
    this.source = source;
    const { chunks, colour } = shared.page;
    this.#samples = new Uint8Array(chunks.width * colour.subsampling[1] * 3);
  }

  next(out: Uint8Array, at: number, count: number, y: number): void {
    const { page, stored, undo, write } = this.shared;
    const { width } = page.chunks;
    const [, vertical] = page.colour.subsampling;
    if (this.#row === 0) {
      readStored(this.source, stored, page, y);
      undo?.(stored);
      spreadUnits(stored, width, page.colour.subsampling, this.#samples);
    }
    write(this.#samples, this.#row * width * 3, 3, count, out, at);
    this.#row = (this.#row + 1) % vertical;
  }
}
