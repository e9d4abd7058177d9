import type { Raster, Size, Strip, Work } from '../codecs/types.ts';
import { SPAN_WORK } from '../scheduling/work.ts';
import { mapStrips } from '../strips.ts';
import { derive } from './derive.ts';
import { pixelWords } from './pixel_words.ts';
import { areasOf, type Coverage, RowSpans, type Span, subtract } from './row_spans.ts';

/** An opaque colour, 0 to 255 each. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** After this many runs in narrow rows, others may have a turn. */
const MOST_RUNS = 4096;

/** Paints an area with one opaque colour. Nothing that was there before reaches the result. */
export function fill(source: Raster, area: Coverage, colour: Colour): Raster {
  return areasOf(area).length === 0 ? source : painted(source, () => new RowSpans(area), colour);
}

/**
 * Paints what will lie beneath a fill once the image has been resized, as a resize brings some of every pixel
 * to those around it. Pixels that lie only partly beneath stay: others see a part of them anyway.
 * @param area in pixels of the resized image
 * @param to size of that image, at most that of the source
 * @param shown as of `resize`
 */
export function fillBeneath(
  source: Raster,
  area: Coverage,
  colour: Colour,
  to: Size,
  shown: Size = source,
): Raster {
  const isResized = source.width !== to.width || source.height !== to.height;
  if (!isResized || areasOf(area).length === 0) return source;
  return painted(source, () => new SpansBeneath(area, source, to, shown), colour);
}

/** The columns of each row that are painted. */
type Columns = Pick<RowSpans, 'at' | 'runsAt'>;

/** More than rounding can move an edge, in pixels. */
const MARGIN = 1e-6;

/** The columns of a source's rows that lie wholly beneath an area of the image resized from it. */
class SpansBeneath implements Columns {
  /** At the first and at the last row of the resized image that a row has a part in: at most these two. */
  readonly #first: RowSpans;
  readonly #last: RowSpans;
  readonly #from: Size;
  readonly #to: Size;
  readonly #across: number;
  readonly #down: number;

  constructor(area: Coverage, from: Size, to: Size, shown: Size) {
    this.#first = new RowSpans(area);
    this.#last = new RowSpans(area);
    this.#from = from;
    this.#to = to;
    this.#across = shown.width / to.width;
    this.#down = shown.height / to.height;
  }

  at(y: number): readonly Span[] {
    const spans = this.#first.at(this.#firstRow(y));
    if (spans.length === 0) return spans;
    const both = subtract(spans, subtract(spans, this.#last.at(this.#lastRow(y))));
    return both.map(({ start, end }) => ({
      start: Math.ceil(start * this.#across - MARGIN),
      end: end === this.#to.width ? this.#from.width : Math.floor(end * this.#across + MARGIN),
    }));
  }

  runsAt(y: number): number {
    return this.#first.runsAt(this.#firstRow(y)) + this.#last.runsAt(this.#lastRow(y));
  }

  #firstRow(y: number): number {
    return Math.min(this.#to.height - 1, Math.floor(y / this.#down + MARGIN));
  }

  #lastRow(y: number): number {
    return Math.min(this.#to.height - 1, Math.ceil((y + 1) / this.#down - MARGIN) - 1);
  }
}

function painted(source: Raster, columns: () => Columns, colour: Colour): Raster {
  const { red, green, blue } = colour;
  const grey = source.grey && red === green && green === blue;
  return derive(source, { grey, strips: () => filledStrips(source, columns(), colour) });
}

function filledStrips(
  source: Raster,
  columns: Columns,
  { red, green, blue }: Colour,
): Generator<Strip | Work> {
  // A word in memory is red, green, blue, alpha: WebAssembly is little-endian.
  const word = (red | (green << 8) | (blue << 16) | (255 << 24)) >>> 0;
  return mapStrips(source.strips(), function* (strip) {
    const words = pixelWords(strip.pixels);
    let runs = 0;
    for (let row = 0; row < strip.rows; row++) {
      const first = row * source.width;
      for (const { start, end } of columns.at(strip.y + row))
        if (start < end) words.fill(word, first + start, first + end);
      runs += columns.runsAt(strip.y + row);
      if (runs >= MOST_RUNS) {
        yield runs * SPAN_WORK;
        runs = 0;
      }
    }
    if (runs > 0) yield runs * SPAN_WORK;
    yield strip;
  });
}
