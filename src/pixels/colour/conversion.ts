import type { LightCurve } from '../../core/kernels/colour.ts';
import type { Matrix } from './primaries.ts';
import { type ToneConversion, tonedLight } from './tone.ts';
import { srgbCode } from './transfer.ts';

/** What the samples of a pixel are, apart from alpha. */
export type Samples = 'grey' | 'rgb' | 'cmyk';

/** A curve for each channel, then a matrix from its linear light to linear sRGB. */
export interface MatrixConversion {
  readonly kind: 'matrix';
  readonly curves: readonly [LightCurve, LightCurve, LightCurve];
  readonly matrix: Matrix;
}

/** One curve to linear light. */
export interface GreyConversion {
  readonly kind: 'grey';
  readonly curve: LightCurve;
}

/** Tables of a profile, for LittleCMS to read. */
export interface TableConversion {
  readonly kind: 'table';
  readonly profile: Uint8Array;
  readonly samples: Samples;
}

/** A conversion from stored colours to sRGB. */
export type Conversion = MatrixConversion | GreyConversion | TableConversion | ToneConversion;

/** Conversions that are functions of one colour. */
type Computed = MatrixConversion | GreyConversion | ToneConversion;

/** Up to this difference of codes, a picture counts as sRGB. */
const TOLERANCE = 1;
/** The codes of the grid that a conversion is tried on: both ends, and dark codes, where curves differ. */
const GRID = [0, 12, 64, 128, 192, 255];

/** Whether every code stays the same, give or take one: then converting could only add rounding errors. */
export function changesNothing(conversion: Conversion): boolean {
  if (conversion.kind === 'table' || conversion.kind === 'tone') return false;
  for (let code = 0; code < 256; code++) {
    if (!sameCodes(conversion, code, code, code)) return false;
  }
  if (conversion.kind === 'grey') return true;
  return GRID.every((red) =>
    GRID.every((green) => GRID.every((blue) => sameCodes(conversion, red, green, blue))),
  );
}

function sameCodes(conversion: Computed, ...codes: [number, number, number]): boolean {
  return convertCodes(conversion, codes).every((code, i) => Math.abs(code - codes[i]!) <= TOLERANCE);
}

const bound = (light: number) => (light > 0 ? Math.min(1, light) : 0);

/** Converts one colour of 8-bit codes: the reference for the kernels. */
export function convertCodes(
  conversion: Computed,
  codes: readonly [number, number, number],
): [number, number, number] {
  if (conversion.kind === 'grey') {
    const code = srgbCode(bound(conversion.curve(codes[0] / 255)));
    return [code, code, code];
  }
  if (conversion.kind === 'tone') {
    const [red, green, blue] = codes.map((code) => code / 255) as [number, number, number];
    return tonedLight(conversion, [red, green, blue]).map((light) => srgbCode(bound(light))) as [
      number,
      number,
      number,
    ];
  }
  const { curves, matrix } = conversion;
  const [red, green, blue] = codes.map((code, i) => bound(curves[i]!(code / 255))) as [
    number,
    number,
    number,
  ];
  const row = (at: number) =>
    srgbCode(bound(matrix[at]! * red + matrix[at + 1]! * green + matrix[at + 2]! * blue));
  return [row(0), row(3), row(6)];
}
