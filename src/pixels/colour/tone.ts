import type { LightCurve } from '../../core/kernels/colour.ts';
import type { Matrix } from './primaries.ts';

/** Diffuse white of HDR pictures in candelas a square metre (ITU-R BT.2408): light 1 of this file. */
export const DIFFUSE_WHITE = 203;
/** The peak assumed for a picture that states none, in candelas a square metre (BT.2100-2). */
const ASSUMED_PEAK = 1000;

/**
 * BT.2100-2 table 5: exponent and weights of the light-to-light function for a display of 1,000 candelas a
 * square metre.
 */
const SYSTEM_EXPONENT = 0.2;
export const LUMINANCE: readonly [number, number, number] = [0.2627, 0.678, 0.0593];
/** What that display shows for scene light 1. */
const SCENE_PEAK = ASSUMED_PEAK / DIFFUSE_WHITE;

/** The conversion of a high dynamic range picture: what its codes mean, and how much the light is reduced. */
export interface ToneConversion {
  readonly kind: 'tone';
  /** A code's light: of the display, where 1 is diffuse white, or of the scene, where 1 is the maximum. */
  readonly curve: LightCurve;
  readonly light: 'display' | 'scene';
  /** From the picture's linear light to that of BT.2020; `toSrgb`: to that of sRGB. */
  readonly toBt2020: Matrix;
  readonly toSrgb: Matrix;
  /** The brightest light, 1 (diffuse white) or more. */
  readonly peak: number;
}

/**
 * The peak of a tone conversion, at least diffuse white.
 * @param luminance stated by the file (MaxCLL, else the mastering display's), candelas a square metre
 */
export const peakOf = (luminance = ASSUMED_PEAK): number => Math.max(1, luminance / DIFFUSE_WHITE);

/** How far a curve bends between its knee and white. */
const KAPPA = 0.65;

/**
 * Maps light to a display without headroom by the reference-white tone mapping of SMPTE ST 2094-50 (annex C,
 * for pictures without metadata of their own), which Chromium applies. Below diffuse white it is a straight
 * line, which halves light if the peak is 1,000 candelas or more; above, a quadratic Bézier curve that
 * reaches 1 at the peak.
 * @param peak the brightest light, where 1 is diffuse white; at 1 only brighter light changes
 */
export function toneCurve(peak: number): LightCurve {
  if (!(peak > 1)) return (light) => Math.min(1, light);
  const white = 1 - 0.5 * Math.min(1, Math.log(peak) / Math.log(SCENE_PEAK));
  const middle = { x: 1 - KAPPA + KAPPA / white, y: (1 - KAPPA) * white + KAPPA };
  const [x2, x1] = [1 - 2 * middle.x + peak, 2 * (middle.x - 1)];
  const [y2, y1] = [white - 2 * middle.y + 1, 2 * (middle.y - white)];
  return (light) => {
    if (light <= 1) return light * white;
    if (light >= peak) return 1;
    // Where x(t) is the light; this form of the solution has no small divisor.
    const t = (2 * (light - 1)) / (x1 + Math.sqrt(x1 * x1 + 4 * x2 * (light - 1)));
    return white + t * (y1 + t * y2);
  };
}

/** The factor that turns scene light of this luminance (0 to 1) into a display's. */
export const sceneGain = (luminance: number): number =>
  SCENE_PEAK * Math.max(0, luminance) ** SYSTEM_EXPONENT;

const row = (matrix: Matrix, at: number, [red, green, blue]: readonly [number, number, number]) =>
  matrix[at]! * red + matrix[at + 1]! * green + matrix[at + 2]! * blue;

/**
 * Linear sRGB of one colour; it may lie outside of 0 to 1. All channels are multiplied by the same factor,
 * that of the brightest channel of BT.2020, so that hues stay. The reference for the kernel.
 * @param codes 0 to 1
 */
export function tonedLight(
  { curve, light, toBt2020, toSrgb, peak }: ToneConversion,
  codes: readonly [number, number, number],
): [number, number, number] {
  const stored = codes.map(curve) as [number, number, number];
  const wide = [row(toBt2020, 0, stored), row(toBt2020, 3, stored), row(toBt2020, 6, stored)] as const;
  const gain = light === 'display' ? 1 : sceneGain(row(LUMINANCE, 0, wide));
  const brightest = Math.max(...wide) * gain;
  const factor = brightest > 0 ? (gain * toneCurve(peak)(brightest)) / brightest : 0;
  return [factor * row(toSrgb, 0, stored), factor * row(toSrgb, 3, stored), factor * row(toSrgb, 6, stored)];
}

/** The same for a grey picture: one channel. */
export function tonedGrey({
  curve,
  light,
  peak,
}: Pick<ToneConversion, 'curve' | 'light' | 'peak'>): LightCurve {
  const toned = toneCurve(peak);
  return (code) => {
    const stored = curve(code);
    return toned(light === 'display' ? stored : stored * sceneGain(stored));
  };
}
