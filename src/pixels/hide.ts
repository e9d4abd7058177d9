import type { Raster } from '../codecs/types.ts';
import { type Colour, fill, type SureTraits } from './fill.ts';
import type { Mosaic } from './mosaic.ts';
import { pixelate } from './pixelate.ts';
import type { Coverage } from './row_spans.ts';

/** What is hidden in an image, and how; all in pixels of that image. */
export interface Hidden {
  readonly mosaics: readonly Mosaic[];
  /** Painted with `colour`; no mosaic reaches into it. */
  readonly filled: Coverage;
  readonly colour: Colour;
  readonly sure: SureTraits;
  /** Stays as it is; no mosaic reaches into it. */
  readonly spared: Coverage;
}

export const NOTHING_HIDDEN: Hidden = {
  mosaics: [],
  filled: [],
  colour: { red: 0, green: 0, blue: 0 },
  sure: { grey: false, opaque: false },
  spared: [],
};

/**
 * Paints the fill, then replaces blocks by their means. The fill comes first and is left out of the means, so
 * that nothing beneath it reaches a block beside it.
 */
export function hide(source: Raster, hidden: Hidden, maxDelayBytes: number): Raster {
  const { mosaics, filled, colour, sure, spared } = hidden;
  return pixelate(fill(source, filled, colour, sure), mosaics, maxDelayBytes, { all: [spared, filled] });
}
