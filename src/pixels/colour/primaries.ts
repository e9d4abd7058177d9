/** A 3 × 3 matrix, row by row. */
export type Matrix = readonly number[];
type Vector = readonly [number, number, number];
type Point = readonly [x: number, y: number];

/** CIE 1931 x, y of white, and of red, green and blue alone. */
export interface Primaries {
  readonly name: string;
  readonly white: Point;
  readonly red: Point;
  readonly green: Point;
  readonly blue: Point;
}

const D65: Point = [0.3127, 0.329];
/** CIE standard illuminant C, the white of the first colour television. */
const ILLUMINANT_C: Point = [0.31, 0.316];

const primaries = (name: string, white: Point, red: Point, green: Point, blue: Point): Primaries => ({
  name,
  white,
  red,
  green,
  blue,
});

/** ITU-R BT.709-6 section 3.2, and IEC 61966-2-1. */
export const BT_709 = primaries('BT.709', D65, [0.64, 0.33], [0.3, 0.6], [0.15, 0.06]);
/** Adobe RGB (1998) Color Image Encoding, version 2005-05. */
export const ADOBE_RGB = primaries('Adobe RGB (1998)', D65, [0.64, 0.33], [0.21, 0.71], [0.15, 0.06]);
/** SMPTE EG 432-1 primaries under D65. */
export const P3_D65 = primaries('Display P3', D65, [0.68, 0.32], [0.265, 0.69], [0.15, 0.06]);
const BT_2020 = primaries('BT.2020', D65, [0.708, 0.292], [0.17, 0.797], [0.131, 0.046]);
const BT_601_625 = primaries('BT.601 (625)', D65, [0.64, 0.33], [0.29, 0.6], [0.15, 0.06]);
const BT_601_525 = primaries('BT.601 (525)', D65, [0.63, 0.34], [0.31, 0.595], [0.155, 0.07]);

/** By ColourPrimaries of ITU-T H.273 (table 2). */
export const PRIMARIES_BY_CODE: Readonly<Record<number, Primaries>> = {
  1: BT_709,
  4: primaries('BT.470 M', ILLUMINANT_C, [0.67, 0.33], [0.21, 0.71], [0.14, 0.08]),
  5: BT_601_625,
  6: BT_601_525,
  7: BT_601_525,
  8: primaries('film', ILLUMINANT_C, [0.681, 0.319], [0.243, 0.692], [0.145, 0.049]),
  9: BT_2020,
  10: primaries('XYZ', [1 / 3, 1 / 3], [1, 0], [0, 1], [0, 0]),
  11: primaries('DCI-P3', [0.314, 0.351], [0.68, 0.32], [0.265, 0.69], [0.15, 0.06]),
  12: P3_D65,
  22: primaries('EBU 3213', D65, [0.63, 0.34], [0.295, 0.605], [0.155, 0.077]),
};

/** ICC.1:2022 section 7.2.16: the profile connection space's white. */
const D50: Vector = [0.9642, 1, 0.8249];

/** Cone responses by Bradford (ICC.1:2022 annex E). */
const BRADFORD: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];

export function multiply(a: Matrix, b: Matrix): Matrix {
  const product: number[] = [];
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      product.push(a[row]! * b[column]! + a[row + 1]! * b[column + 3]! + a[row + 2]! * b[column + 6]!);
    }
  }
  return product;
}

function apply(m: Matrix, [x, y, z]: Vector): Vector {
  return [
    m[0]! * x + m[1]! * y + m[2]! * z,
    m[3]! * x + m[4]! * y + m[5]! * z,
    m[6]! * x + m[7]! * y + m[8]! * z,
  ];
}

/** The inverse, by the adjugate; undefined if there is none. */
function inverse(matrix: Matrix): Matrix | undefined {
  const [a, b, c, d, e, f, g, h, i] = matrix as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const cofactors = [e * i - f * h, c * h - b * i, b * f - c * e];
  const determinant = a * cofactors[0]! + d * cofactors[1]! + g * cofactors[2]!;
  if (!(Math.abs(determinant) > 1e-9)) return undefined;
  return [
    ...cofactors,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ].map((value) => value / determinant);
}

const diagonal = ([x, y, z]: Vector): Matrix => [x, 0, 0, 0, y, 0, 0, 0, z];
const xyzOf = ([x, y]: Point): Vector => [x / y, 1, (1 - x - y) / y];

/**
 * The matrix from linear RGB of these primaries to XYZ under D50, adapted by Bradford as in ICC profiles (the
 * part before by SMPTE RP 177).
 * @returns undefined when the points make no triangle around the white
 */
export function toConnectionSpace({ white, red, green, blue }: Primaries): Matrix | undefined {
  if (!(white[0] > 0 && white[1] > 0)) return undefined;
  // Columns by x, y and z, not by luminance: blue at y = 0 is allowed.
  const columns = [red, green, blue].map(([x, y]) => [x, y, 1 - x - y] as const);
  const shape = [0, 1, 2].flatMap((row) => columns.map((column) => column[row]!));
  const backwards = inverse(shape);
  if (!backwards) return undefined;
  const whiteXyz = xyzOf(white);
  const amounts = apply(backwards, whiteXyz);
  if (!amounts.every((amount) => amount > 0)) return undefined;
  const from = apply(BRADFORD, whiteXyz);
  const to = apply(BRADFORD, D50);
  const gains = diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]);
  const adapt = multiply(inverse(BRADFORD)!, multiply(gains, BRADFORD));
  return multiply(adapt, multiply(shape, diagonal(amounts)));
}

/** XYZ under D50 to linear sRGB. */
export const FROM_CONNECTION_SPACE: Matrix = inverse(toConnectionSpace(BT_709)!)!;
/** The same to linear BT.2020. */
export const TO_BT_2020: Matrix = inverse(toConnectionSpace(BT_2020)!)!;
