import type { Raster, Size, Strip, Work } from '../codecs/types.ts';
import { SPAN_WORK } from '../scheduling/work.ts';
import { mapStrips } from '../strips.ts';
import { derive } from './derive.ts';
import { pixelWords } from './pixel_words.ts';
import { areasOf, type Coverage, merge, RowSpans, type Span } from './row_spans.ts';

/** An opaque colour, 0 to 255 each. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** After this many runs in narrow rows, others may have a turn. */
const MOST_RUNS = 4096;

/** What is certain of a picture whatever lies beneath a fill: its file may tell of what lies there alone. */
export type SureTraits = Pick<Raster, 'grey' | 'opaque'>;

/** Paints an area with one opaque colour. Nothing that was there before reaches the result. */
export function fill(source: Raster, area: Coverage, colour: Colour, sure: SureTraits): Raster {
  return areasOf(area).length === 0 ? source : painted(source, () => new RowSpans(area), colour, sure);
}

/** How pixels of an output lie in a raster that it will be made from, or that shows the same picture. */
export interface OutputView {
  /** Pixels of the raster for each pixel of the output. */
  readonly across: number;
  readonly down: number;
  /** Where the output begins in the raster, which may show more of the picture. */
  readonly left: number;
  readonly top: number;
}

/**
 * Paints every pixel that a painted pixel of the output has a part in, so that nothing of what lies there
 * reaches the pixels around it by a resize, or those who search the raster.
 * @param area in pixels of the output
 */
export function fillBeneath(
  source: Raster,
  area: Coverage,
  colour: Colour,
  sure: SureTraits,
  view: OutputView,
): Raster {
  if (areasOf(area).length === 0) return source;
  return painted(source, () => new SpansBeneath(area, source, view), colour, sure);
}

/** The columns of each row that are painted. */
type Columns = Pick<RowSpans, 'at' | 'runsAt'>;

/** More than rounding can move an edge, in pixels. A shorter part of a pixel than this does not occur. */
const MARGIN = 1e-6;

/** The columns of a raster's rows that an area of the output touches. */
class SpansBeneath implements Columns {
  readonly #area: RowSpans;
  readonly #width: number;
  readonly #view: OutputView;

  constructor(area: Coverage, { width }: Size, view: OutputView) {
    this.#area = new RowSpans(area);
    this.#width = width;
    this.#view = view;
  }

  at(y: number): readonly Span[] {
    const { across, left } = this.#view;
    const [first, after] = this.#rows(y);
    const rows: (readonly Span[])[] = [];
    for (let row = first; row < after; row++) rows.push(this.#area.at(row));
    const spans = rows.length === 1 ? rows[0]! : merge(rows.flat());
    return spans.map(({ start, end }) => ({
      start: Math.max(0, Math.floor(left + start * across + MARGIN)),
      end: Math.min(this.#width, Math.ceil(left + end * across - MARGIN)),
    }));
  }

  runsAt(y: number): number {
    const [first, after] = this.#rows(y);
    let runs = 0;
    for (let row = first; row < after; row++) runs += this.#area.runsAt(row);
    return runs;
  }

  /** The rows [first, after) of the output that share a part of row `y`. */
  #rows(y: number): readonly [first: number, after: number] {
    const { down, top } = this.#view;
    return [Math.floor((y - top) / down + MARGIN), Math.ceil((y + 1 - top) / down - MARGIN)];
  }
}

function painted(source: Raster, columns: () => Columns, colour: Colour, sure: SureTraits): Raster {
  const { red, green, blue } = colour;
  const grey = sure.grey && source.grey && red === green && green === blue;
  const opaque = sure.opaque && source.opaque;
  return derive(source, { grey, opaque, strips: () => filledStrips(source, columns(), colour) });
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
