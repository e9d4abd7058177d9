import type { Raster, Strip, Work } from '../codecs/types.ts';
import { SPAN_WORK } from '../scheduling/work.ts';
import { derive } from './derive.ts';
import { pixelWords } from './pixel_words.ts';
import { areasOf, type Coverage, RowSpans } from './row_spans.ts';

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
  if (areasOf(area).length === 0) return source;
  const { red, green, blue } = colour;
  const grey = source.grey && red === green && green === blue;
  return derive(source, { grey, strips: () => filledStrips(source, area, colour) });
}

function* filledStrips(
  source: Raster,
  area: Coverage,
  { red, green, blue }: Colour,
): Generator<Strip | Work> {
  const spans = new RowSpans(area);
  // A word in memory is red, green, blue, alpha: WebAssembly is little-endian.
  const word = (red | (green << 8) | (blue << 16) | (255 << 24)) >>> 0;
  for (const strip of source.strips()) {
    if (typeof strip !== 'number') {
      const words = pixelWords(strip.pixels);
      let runs = 0;
      for (let row = 0; row < strip.rows; row++) {
        const first = row * source.width;
        for (const { start, end } of spans.at(strip.y + row)) words.fill(word, first + start, first + end);
        runs += spans.runsAt(strip.y + row);
        if (runs >= MOST_RUNS) {
          yield runs * SPAN_WORK;
          runs = 0;
        }
      }
      if (runs > 0) yield runs * SPAN_WORK;
    }
    yield strip;
  }
}
