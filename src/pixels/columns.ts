import type { Raster, Strip, Work } from '../codecs/types.ts';
import { mapStrips } from '../strips.ts';
import { derive } from './derive.ts';
import { pixelWords } from './pixel_words.ts';

/**
 * The image narrowed to columns [x, x + width). Uses `source.columns` if the source has it; otherwise reads
 * whole rows and cuts them.
 */
export function narrowColumns(source: Raster, x: number, width: number): Raster {
  if (x === 0 && width === source.width) return source;
  if (source.columns) return source.columns(x, width);
  return derive(source, { width, strips: () => stripColumns(source, x, width) });
}

function stripColumns(source: Raster, x: number, width: number): Iterable<Strip | Work> {
  return mapStrips(source.strips(), function* ({ y, rows, pixels }: Strip) {
    // Rows only move towards the start of the strip, so they are moved in place.
    const words = pixelWords(pixels);
    for (let row = 0; row < rows; row++) {
      const from = row * source.width + x;
      words.copyWithin(row * width, from, from + width);
    }
    yield { y, rows, pixels: pixels.subarray(0, rows * width * 4) };
    yield rows * (source.width - width);
  });
}
