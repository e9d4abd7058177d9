import type { Core } from '../../core/instance.ts';
import { ColourType, type PngHeader } from './header.ts';
import type { PlaceRow } from './pass_rows.ts';

/** Opaque alpha in 16 bits. */
const OPAQUE = 0xffff;

/** Writes stored rows of 16-bit samples as RGBA to `samples`; `out` counts samples. */
export function expansion16(core: Core, header: PngHeader, samples: Uint16Array): PlaceRow {
  const { colourType, transparency } = header;
  const isGrey = colourType === ColourType.grey || colourType === ColourType.greyAlpha;
  const colours = isGrey ? 1 : 3;
  const hasAlpha = colourType === ColourType.greyAlpha || colourType === ColourType.rgba;
  const size = (colours + (hasAlpha ? 1 : 0)) * 2;
  // One colour is transparent (ISO/IEC 15948 section 11.3.2.1).
  const key = transparency && colourKey(transparency, isGrey);
  return (row, out, { x, stepX, width }) => {
    const stored = core.view(row, width * size);
    for (let i = 0, from = 0, to = out + x * 4; i < width; i++, from += size, to += stepX * 4) {
      const red = (stored[from]! << 8) | stored[from + 1]!;
      const green = isGrey ? red : (stored[from + 2]! << 8) | stored[from + 3]!;
      const blue = isGrey ? red : (stored[from + 4]! << 8) | stored[from + 5]!;
      samples[to] = red;
      samples[to + 1] = green;
      samples[to + 2] = blue;
      if (hasAlpha) samples[to + 3] = (stored[from + size - 2]! << 8) | stored[from + size - 1]!;
      else samples[to + 3] = key && key[0] === red && key[1] === green && key[2] === blue ? 0 : OPAQUE;
    }
  };
}

/** tRNS of 16-bit grey or RGB as red, green, blue. */
function colourKey(bytes: Uint8Array, isGrey: boolean): readonly number[] {
  return [0, 1, 2].map((channel) => {
    const at = isGrey ? 0 : channel * 2;
    return (bytes[at]! << 8) | bytes[at + 1]!;
  });
}
