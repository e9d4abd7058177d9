import { ROW_SLACK } from '../../core/constants.ts';
import type { Core } from '../../core/instance.ts';
import { Scratch } from '../../core/scratch.ts';
import { rowsWork } from '../../scheduling/work.ts';
import { mapStrips } from '../../strips.ts';
import type { DecodedRaster, Raster, Strip, Strip16, Work } from '../types.ts';
import {
  type ChunkRows,
  cmykForm,
  openChunk,
  PageRows,
  type PixelForm,
  rgba16Form,
  rgbaForm,
} from './chunk_rows.ts';
import { type DecodePlan, openingWork } from './cost.ts';
import { JpegRows } from './jpeg_rows.ts';
import type { Page } from './page.ts';
import { offersSamples16 } from './samples16.ts';
import { Sources } from './sources.ts';
import { Compression } from './tags.ts';

/** The work of opening strips or tiles is yielded once it adds up to this much, and with the next rows. */
const WORK_AT_ONCE = 65_536;

/** The first page of a TIFF, chunk by chunk. */
export class TiffRaster implements DecodedRaster {
  readonly width: number;
  readonly height: number;
  readonly opaque: boolean;
  readonly grey: boolean;
  readonly #page: Page;
  readonly #plan: DecodePlan;
  readonly core: Core;

  /** @param core for strips of 8 bits; it is disposed of with the raster */
  constructor(page: Page, plan: DecodePlan, core: Core) {
    this.core = core;
    this.#page = page;
    this.#plan = plan;
    this.width = page.width;
    this.height = page.height;
    this.opaque = page.colour.alpha === undefined;
    this.grey = isGrey(page);
  }

  [Symbol.dispose](): void {
    this.core[Symbol.dispose]();
  }

  strips(): Iterable<Strip | Work> {
    return this.#strips8(rgbaForm(this.#page), false);
  }

  *#strips8(form: PixelForm<Uint8Array>, cmyk: boolean): Generator<Strip | Work> {
    const shared = new PageRows(this.#page, form);
    const bytes = this.#stripSamples();
    using scratch = new Scratch(this.core, [bytes + ROW_SLACK]);
    const pixels = () => this.core.view(scratch.places[0]!, bytes);
    const reading = this.#read(shared, this.#opener(shared, cmyk), pixels);
    yield* mapStrips(
      reading,
      function* ({ y, rows, samples }: { y: number; rows: number; samples: Uint8Array }) {
        yield { y, rows, pixels: samples };
      },
    );
  }

  /** Samples of a strip: four for each pixel. */
  #stripSamples(): number {
    return this.#plan.stripRows * this.width * 4;
  }

  /** Samples of 16 bits, if the page's have more than 8 and are grey or RGB. */
  get strips16(): (() => Iterable<Strip16 | Work>) | undefined {
    return offersSamples16(this.#page) ? () => this.#strips16() : undefined;
  }

  /** The CMYK samples of a CMYK page; not with alpha, for which four samples have no room. */
  get cmyk(): Raster | undefined {
    const { kind, alpha } = this.#page.colour;
    if (kind !== 'cmyk' || alpha !== undefined) return undefined;
    const { width, height } = this;
    const strips = () => this.#strips8(cmykForm(this.#page), true);
    return { width, height, opaque: false, grey: false, core: this.core, strips };
  }

  #strips16(): Generator<Strip16 | Work> {
    const shared = new PageRows(this.#page, rgba16Form(this.#page));
    const open: OpenChunk<Uint16Array> = function* (sources, stored) {
      return shared.open(stored.map((bytes) => sources.open(bytes)));
    };
    const samples = shared.make(this.#stripSamples());
    return this.#read(shared, open, () => samples);
  }

  #opener(shared: PageRows, cmyk: boolean): OpenChunk<Uint8Array> {
    const isJpeg = this.#page.compression === Compression.Jpeg;
    return function* (sources, stored, y) {
      if (isJpeg) return yield* JpegRows.opening(shared, sources.core(), stored, y, cmyk);
      const opened = stored.map((bytes) => sources.open(bytes));
      return openChunk(shared, opened);
    };
  }

  *#read<Samples extends Uint8Array | Uint16Array>(
    shared: Pick<PageRows, 'planes'>,
    openIn: OpenChunk<Samples>,
    stripSamples: () => Samples,
  ): Generator<{ y: number; rows: number; samples: Samples } | Work> {
    const { width, height } = this;
    const { chunks } = this.#page;
    const { oneByOne, stripRows } = this.#plan;
    using sources = new Sources(this.#page);
    const columns = Array.from({ length: chunks.across }, (_, column) => column);
    const open = (column: number, row: number) => {
      const stored = shared.planes.map((plane) => chunks.bytesOf(column, row, plane));
      return openIn(sources, stored, row * chunks.height);
    };
    let pixels: Samples;
    const read = function* (
      chunk: ChunkRows<Samples>,
      column: number,
      y: number,
      row: number,
    ): Generator<Work> {
      const x = column * chunks.width;
      if (chunk.reach) yield* chunk.reach(y + row);
      chunk.next(pixels, (row * width + x) * 4, Math.min(chunks.width, width - x), y + row);
    };

    let opened: Work = 0;
    for (let top = 0; top < height; top += chunks.height) {
      const bottom = Math.min(height, top + chunks.height);
      const chunkRow = top / chunks.height;
      sources.reset();
      const all: ChunkRows<Samples>[] = [];
      if (!oneByOne) {
        for (const column of columns) {
          all.push(yield* open(column, chunkRow));
          opened += shared.planes.length * openingWork(this.#page.compression);
          if (opened >= WORK_AT_ONCE) {
            yield opened;
            opened = 0;
          }
        }
      }
      for (let y = top; y < bottom; y += stripRows) {
        const rows = Math.min(stripRows, bottom - y);
        pixels = stripSamples();
        if (oneByOne) {
          for (const column of columns) {
            sources.reset();
            const chunk = yield* open(column, chunkRow);
            for (let row = 0; row < rows; row++) yield* read(chunk, column, y, row);
            yield rowsWork(rows, chunks.width) + shared.planes.length * openingWork(this.#page.compression);
          }
        } else {
          for (let row = 0; row < rows; row++) {
            for (const column of columns) yield* read(all[column]!, column, y, row);
          }
        }
        yield { y, rows, samples: pixels.subarray(0, rows * width * 4) as Samples };
      }
    }
  }
}

/** Opens a chunk whose compressed planes are `stored`; its first row is row `y` of the page. */
type OpenChunk<Samples> = (
  sources: Sources,
  stored: readonly Uint8Array[],
  y: number,
) => Generator<Work, ChunkRows<Samples>, void>;

function isGrey({ colour: { kind, palette } }: Page): boolean {
  if (kind === 'grey' || kind === 'whiteIsZero') return true;
  return palette?.every((value, at) => value === palette[at - (at % 3)]) ?? false;
}
