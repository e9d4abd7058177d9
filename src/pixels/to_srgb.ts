import type { Raster, Size, StoredRaster } from '../codecs/types.ts';
import { LIGHT_STEPS, MatrixConverter, matrixConverterBytes } from '../core/colour.ts';
import type { Core } from '../core/instance.ts';
import type { Conversion, GreyConversion, MatrixConversion, TableConversion } from './colour/conversion.ts';
import { converted } from './colour/converted.ts';
import { DEEP_CODES, deepGreyConverter, greyConverter } from './colour/grey_converter.ts';
import { srgbCode } from './colour/transfer.ts';

/**
 * sRGB of what the decoder gives: the first step of all. Deep strips are read where there are any; inks by a
 * CMYK profile.
 * @throws Fault whatever reading the source throws
 * @returns undefined when the profile turns out to be of no use
 */
export async function toSrgb(source: StoredRaster, conversion: Conversion): Promise<Raster | undefined> {
  switch (conversion.kind) {
    case 'grey':
      return greyStep(source, conversion);
    case 'matrix':
      return matrixStep(source, conversion);
    case 'table':
      return throughTables(source, conversion);
  }
}

const formOf = (source: StoredRaster) => (source.strips16 ? 'deep' : 'pixels');

/** A grey picture, by one curve. */
export function greyStep(source: StoredRaster, conversion: GreyConversion): Raster {
  const form = formOf(source);
  const open = (width: number, core: Core) =>
    form === 'deep' ? deepGreyConverter(conversion, width, core) : greyConverter(conversion);
  return converted(source, { form, grey: true, open });
}

/** A picture of three channels, by curves and a matrix. Its greys may be tinted by rounding. */
export function matrixStep(source: StoredRaster, { curves, matrix }: MatrixConversion): Raster {
  const form = formOf(source);
  const open = (width: number, core: Core) =>
    new MatrixConverter(core, width, { curves, matrix, codes: codeTable() }, form === 'deep');
  return converted(source, { form, grey: false, open });
}

/** Bytes of LittleCMS' heap with nothing in it to speak of, and of one piece of rows. */
const TABLE_BYTES = 19 * 1024 * 1024;
/** The profile itself, and what `heapBytes` of colour/lcms.ts allows for it. */
const PROFILE_COPIES = 6;

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
      return TABLE_BYTES + PROFILE_COPIES * conversion.profile.length + width * 4;
  }
}

let codes: Uint8Array | undefined;

/** The sRGB code of linear light in LIGHT_STEPS. */
function codeTable(): Uint8Array {
  codes ??= Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, step) => srgbCode(step / LIGHT_STEPS));
  return codes;
}

/** LittleCMS is loaded here only: for a profile with tables. */
async function throughTables(source: StoredRaster, conversion: TableConversion): Promise<Raster | undefined> {
  const cmyk = conversion.samples === 'cmyk';
  if (cmyk && !source.cmyk) return undefined;
  const form = cmyk ? 'cmyk' : formOf(source);
  const { tableConverters } = await import('./colour/table_converter.ts');
  const open = tableConverters(conversion, form === 'deep');
  return open && converted(source, { form, grey: false, open });
}
