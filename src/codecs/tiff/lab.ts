import { srgbEncoder } from './srgb_curve.ts';

/** ICC D50, PCS white (ICC.1:2022 section 7.2.16). */
const WHITE_X = 0.9642;
const WHITE_Z = 0.8249;

/** XYZ under D50 to linear sRGB: IEC 61966-2-1's matrix with Bradford's adaptation from D65 (Lindbloom). */
const TO_LINEAR = [
  3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.033454, 0.0719453, -0.2289914, 1.4052427,
] as const;

interface LabToSrgb {
  /**
   * Writes red, green and blue to out[at].
   * @param lightness L* 0 to 100 as 0 to 255
   * @param a a* −128 to 127 as 0 to 255; `b` likewise
   */
  write(lightness: number, a: number, b: number, out: Uint8Array, at: number): void;
}

/** CIE 15: the inverse of f(t) = t^(1/3), straight below t = (6/29)³. */
const inverse = (f: number) => (f > 6 / 29 ? f * f * f : (f - 4 / 29) * 3 * (6 / 29) ** 2);

let built: LabToSrgb | undefined;

/** CIE L*a*b* under D50 to sRGB; colours outside sRGB are cut off. */
export function labTable(): LabToSrgb {
  built ??= makeLabTable();
  return built;
}

function makeLabTable(): LabToSrgb {
  const code = srgbEncoder();
  const fy = Float64Array.from({ length: 256 }, (_, code) => ((code * 100) / 255 + 16) / 116);
  const [rx, ry, rz, gx, gy, gz, bx, by, bz] = TO_LINEAR;
  return {
    write(lightness, a, b, out, at) {
      const middle = fy[lightness]!;
      const x = WHITE_X * inverse(middle + (a - 128) / 500);
      const y = inverse(middle);
      const z = WHITE_Z * inverse(middle - (b - 128) / 200);
      out[at] = code(rx * x + ry * y + rz * z);
      out[at + 1] = code(gx * x + gy * y + gz * z);
      out[at + 2] = code(bx * x + by * y + bz * z);
    },
  };
}
