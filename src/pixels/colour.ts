import { LIGHT_STEPS, MatrixConverter, matrixConverterBytes } from '../../wasm/colour.ts';
import type { DecodedRaster, Raster, Size } from '../codecs/types.ts';
import type { Conversion, MatrixConversion, TableConversion } from './colour/conversion.ts';
import { converted, type PieceConverter } from './colour/converted.ts';
import { DEEP_CODES, deepGreyConverter, greyConverter } from './colour/grey_converter.ts';
import { srgbCode } from './colour/transfer.ts';

/**
 * sRGB of what the decoder gives: the first step of all. Deep strips are read where there are any; inks by a CMYK profile.
 * @throws Fault whatever reading the source throws
 * @returns undefined when the profile turns out to be of no use
 */
export async function toSrgb(source: DecodedRaster, conversion: Conversion): Promise<Raster | undefined> {
  const deep = source.deepStrips !== undefined;
  const form = deep ? 'deep' : 'pixels';
  switch (conversion.kind) {
    case 'grey':
      return converted(source, {
        form,
        grey: true,
        open: (width) => (deep ? deepGreyConverter(conversion, width) : greyConverter(conversion)),
      });
    case 'matrix':
      return converted(source, {
        form,
        // Rounding may tint a grey.
        grey: false,
        open: (width) => matrixConverter(conversion, width, deep),
      });
    case 'table':
      return throughTables(source, conversion);
  }
}

/** Bytes of LittleCMS: its heap, and one piece of rows. */
const TABLE_BYTES = 26 * 1024 * 1024;

/**
 * Bytes that converting holds, reading the source not counted.
 * @param deep samples have more than 8 bits
 */
export function colourCost(conversion: Conversion, { width }: Size, deep: boolean): number {
  switch (conversion.kind) {
    case 'grey':
      return (deep ? DEEP_CODES : 1024) + width * 4;
    case 'matrix':
      return matrixConverterBytes(width, deep);
    case 'table':
      return TABLE_BYTES + width * 4;
  }
}

let codes: Uint8Array | undefined;

/** The sRGB code of linear light in LIGHT_STEPS. */
function codeTable(): Uint8Array {
  codes ??= Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, step) => srgbCode(step / LIGHT_STEPS));
  return codes;
}

function matrixConverter({ curves, matrix }: MatrixConversion, width: number, deep: boolean): PieceConverter {
  return new MatrixConverter(width, { curves, matrix, codes: codeTable() }, deep);
}

/** LittleCMS is loaded here only: for a profile with tables. */
async function throughTables(
  source: DecodedRaster,
  conversion: TableConversion,
): Promise<Raster | undefined> {
  const inks = conversion.samples === 'cmyk';
  if (inks && !source.inks) return undefined;
  const deep = !inks && source.deepStrips !== undefined;
  const { tableConverters } = await import('./colour/table_converter.ts');
  const open = await tableConverters(conversion, deep);
  return open && converted(source, { form: inks ? 'inks' : deep ? 'deep' : 'pixels', grey: false, open });
}
