import type { Raster, Size, StoredRaster } from '../codecs/types.ts';
import type { Core } from '../core/instance.ts';
import { CODES_16, LIGHT_STEPS, MatrixConverter, matrixConverterBytes } from '../core/kernels/colour.ts';
import { ToneConverter, toneConverterBytes } from '../core/kernels/tone.ts';
import type { Conversion, GreyConversion, MatrixConversion, TableConversion } from './colour/conversion.ts';
import { converted } from './colour/converted.ts';
import { greyConverter, greyConverter16 } from './colour/grey_converter.ts';
import { LUMINANCE, sceneGain, type ToneConversion, toneCurve } from './colour/tone.ts';
import { srgbCode } from './colour/transfer.ts';

/** Ends a slice before work that takes about a whole one. */
export type EndSlice = () => Promise<void> | undefined;

/**
 * Converts the decoded image to sRGB, from 16-bit strips if the decoder offers them, and from CMYK strips for
 * a CMYK profile.
 * @param endSlice lets others run between pieces of opening a long profile
 * @throws Fault whatever reading the source throws
 * @returns undefined when the profile cannot be used
 */
export async function toSrgb(
  source: StoredRaster,
  conversion: Conversion,
  endSlice: EndSlice = () => undefined,
): Promise<Raster | undefined> {
  switch (conversion.kind) {
    case 'grey':
      return greyStep(source, conversion);
    case 'matrix':
      return matrixStep(source, conversion);
    case 'tone':
      return toneStep(source, conversion);
    case 'table':
      return tableStep(source, conversion, endSlice);
  }
}

const formOf = (source: StoredRaster) => (source.strips16 ? '16-bit' : '8-bit');

/** A grey picture, by one curve. */
export function greyStep(source: StoredRaster, conversion: GreyConversion): Raster {
  const form = formOf(source);
  const open = (width: number, core: Core) =>
    form === '16-bit' ? greyConverter16(conversion, width, core) : greyConverter(conversion);
  return converted(source, { form, grey: true, open });
}

/** A picture of three channels, by curves and a matrix. Rounding may tint its greys. */
export function matrixStep(source: StoredRaster, { curves, matrix }: MatrixConversion): Raster {
  const form = formOf(source);
  const open = (width: number, core: Core) =>
    new MatrixConverter(core, width, { curves, matrix, codes: codeTable() }, form === '16-bit');
  return converted(source, { form, grey: false, open });
}

/** A picture of high dynamic range. */
export function toneStep(source: StoredRaster, conversion: ToneConversion): Raster {
  const form = formOf(source);
  const { curve, light, toSrgb, toBt2020, peak } = conversion;
  const colour = {
    curve,
    toSrgb,
    toBt2020,
    luminance: LUMINANCE,
    toned: toneCurve(peak),
    peak,
    sceneGain: light === 'scene' ? sceneGain : undefined,
    codes: codeTable(),
  };
  const open = (width: number, core: Core) => new ToneConverter(core, width, colour, form === '16-bit');
  return converted(source, { form, grey: false, open });
}

/** Bytes of LittleCMS' heap before a profile is opened, and of one piece of rows. */
const TABLE_BYTES = 19 * 1024 * 1024;
/** The profile, and five times its bytes in LittleCMS' heap (`heapBytes` of colour/lcms.ts). */
const PROFILE_COPIES = 6;

/**
 * Bytes that converting holds, without those for reading the source.
 * @param is16Bit samples have more than 8 bits
 */
export function colourCost(conversion: Conversion, { width }: Size, is16Bit: boolean): number {
  switch (conversion.kind) {
    case 'grey':
      return (is16Bit ? CODES_16 : 1024) + width * 4;
    case 'matrix':
      return matrixConverterBytes(width, is16Bit);
    case 'tone':
      return toneConverterBytes(width, is16Bit);
    case 'table':
      return TABLE_BYTES + PROFILE_COPIES * conversion.profile.length + width * 4;
  }
}

let codes: Uint8Array | undefined;

/** The 8-bit sRGB code of linear light 0, 1 / LIGHT_STEPS … 1. */
function codeTable(): Uint8Array {
  codes ??= Uint8Array.from({ length: LIGHT_STEPS + 1 }, (_, step) => srgbCode(step / LIGHT_STEPS));
  return codes;
}

/** Loads LittleCMS: only profiles with tables need it. */
async function tableStep(
  source: StoredRaster,
  conversion: TableConversion,
  endSlice: EndSlice,
): Promise<Raster | undefined> {
  const cmyk = conversion.samples === 'cmyk';
  if (cmyk && !source.cmyk) return undefined;
  const form = cmyk ? 'cmyk' : formOf(source);
  const { loadLcms, tableConverters } = await import('./colour/table_converter.ts');
  await loadLcms();
  const opening = tableConverters(conversion, form === '16-bit');
  let step = opening.next();
  for (; !step.done; step = opening.next()) await endSlice();
  const open = step.value;
  return open && converted(source, { form, grey: false, open });
}
