import { ROW_SLACK } from '../../core/constants.ts';
import type { Core } from '../../core/instance.ts';
import { CODES_16 } from '../../core/kernels/colour.ts';
import { Scratch } from '../../core/scratch.ts';
import { pixelWords } from '../pixel_words.ts';
import type { GreyConversion } from './conversion.ts';
import type { PieceConverter } from './converted.ts';
import { srgbCode } from './transfer.ts';

/** The sRGB code for each of `count` codes. */
function codesOf({ curve }: GreyConversion, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, code) => {
    const light = curve(code / (count - 1));
    return srgbCode(light > 0 ? Math.min(1, light) : 0);
  });
}

/** Converts 8-bit grey pixels in place. */
export function greyConverter(conversion: GreyConversion): PieceConverter {
  const words = Uint32Array.from(codesOf(conversion, 256), (code) => code * 0x010101);
  return {
    pieceRows: Number.POSITIVE_INFINITY,
    convert(samples) {
      const pixels = samples as Uint8Array;
      const found = pixelWords(pixels);
      for (let i = 0; i < found.length; i++) {
        const word = found[i]!;
        found[i] = (word & 0xff000000) | words[word & 255]!;
      }
      return pixels;
    },
  };
}

/** Converts 16-bit grey pixels, a row at a time. */
export function greyConverter16(conversion: GreyConversion, width: number, core: Core): PieceConverter {
  const codes = codesOf(conversion, CODES_16);
  const scratch = new Scratch(core, [width * 4 + ROW_SLACK]);
  return {
    pieceRows: 1,
    convert(samples) {
      const row = core.view(scratch.places[0]!, width * 4);
      const words = pixelWords(row);
      for (let i = 0; i < width; i++) {
        const alpha = samples[i * 4 + 3]! >> 8;
        words[i] = (alpha << 24) | (codes[samples[i * 4]!]! * 0x010101);
      }
      return row;
    },
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}
