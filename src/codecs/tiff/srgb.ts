/** Steps of the curve's table: fine enough to round correctly except for a few codes near black. */
const STEPS = 1 << 14;

/** IEC 61966-2-1: linear light to code, at 0, 1/STEPS … 1; built at first use. */
let codes: Uint8Array | undefined;

/** Linear light (black 0, white 1) to sRGB code 0 to 255; values beyond are clipped, NaN becomes 0. */
export function srgbEncoder(): (linear: number) => number {
  codes ??= Uint8Array.from({ length: STEPS + 1 }, (_, index) => {
    const linear = index / STEPS;
    return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
  });
  const table = codes;
  return (linear) => (linear > 0 ? table[linear < 1 ? Math.round(linear * STEPS) : STEPS]! : 0);
}

/** ICC D50, PCS white (ICC.1:2022 section 7.2.16). */
const WHITE_X = 0.9642;
const WHITE_Z = 0.8249;

/** XYZ under D50 to linear sRGB: IEC 61966-2-1's matrix with Bradford's adaptation from D65 (Lindbloom). */
const TO_LINEAR = [
  3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.033454, 0.0719453, -0.2289914, 1.4052427,
] as const;

/**
 * Writes red, green and blue to out[at].
 * @param lightness L* 0 to 100 as 0 to 255
 * @param a a* −128 to 127 as 0 to 255; `b` likewise
 */
export type LabToSrgb = (lightness: number, a: number, b: number, out: Uint8Array, at: number) => void;

/** CIE 15: the inverse of f(t) = t^(1/3), a straight line below t = (6/29)³. */
const inverse = (f: number) => (f > 6 / 29 ? f * f * f : (f - 4 / 29) * 3 * (6 / 29) ** 2);

/** CIE L*a*b* under D50 to sRGB; colours outside sRGB are clipped. */
export function labToSrgb(): LabToSrgb {
  const code = srgbEncoder();
  const fy = Float64Array.from({ length: 256 }, (_, code) => ((code * 100) / 255 + 16) / 116);
  const [rx, ry, rz, gx, gy, gz, bx, by, bz] = TO_LINEAR;
  return (lightness, a, b, out, at) => {
    const middle = fy[lightness]!;
    const x = WHITE_X * inverse(middle + (a - 128) / 500);
    const y = inverse(middle);
    const z = WHITE_Z * inverse(middle - (b - 128) / 200);
    out[at] = code(rx * x + ry * y + rz * z);
    out[at + 1] = code(gx * x + gy * y + gz * z);
    out[at + 2] = code(bx * x + by * y + bz * z);
  };
}
