import type { LightCurve } from '../../core/kernels/colour.ts';
import { DIFFUSE_WHITE } from './tone.ts';

/** IEC 61966-2-1: code to linear light, both 0 to 1. */
export const srgbLight: LightCurve = (code) =>
  code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4;

/** Linear light 0 to 1 to the 8-bit sRGB code, rounded. */
export const srgbCode = (light: number): number =>
  Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));

const linearLight: LightCurve = (code) => code;

/** Adobe RGB (1998) Color Image Encoding: 2 + 51/256. */
export const ADOBE_GAMMA = 563 / 256;

export const gammaLight =
  (gamma: number): LightCurve =>
  (code) =>
    code ** gamma;

/** SMPTE ST 240: a straight line below 0.0913. */
const smpte240: LightCurve = (code) => (code < 0.0913 ? code / 4 : ((code + 0.1115) / 1.1115) ** (1 / 0.45));

/**
 * ITU-R BT.2100-2 table 4: the perceptual quantizer, up to 10,000 candelas a square metre; 1 is diffuse
 * white.
 */
function perceptualQuantizer(code: number): number {
  const root = code ** (32 / 2523);
  const peaks = Math.max(root - 3424 / 4096, 0) / (2413 / 128 - (2392 / 128) * root);
  return (10_000 / DIFFUSE_WHITE) * peaks ** (16_384 / 2610);
}

/** BT.2100-2 table 5: scene light of hybrid log-gamma, 0 to 1. */
function hybridLogGamma(code: number): number {
  const a = 0.17883277;
  const b = 1 - 4 * a;
  const c = 0.5 - a * Math.log(4 * a);
  return code <= 0.5 ? (code * code) / 3 : (Math.exp((code - c) / a) + b) / 12;
}

interface Transfer {
  readonly name: string;
  readonly light: LightCurve;
  /** Only for high dynamic range: whose light it is. */
  readonly range?: 'display' | 'scene';
}

const SRGB: Transfer = { name: 'sRGB', light: srgbLight };

/**
 * By TransferCharacteristics of ITU-T H.273 (table 3). BT.709's camera curve and similar ones (1, 6, 11, 12,
 * 14, 15) are shown as sRGB, as in Chromium: pictures are judged on displays, and a display's curve is not
 * the camera's.
 */
const TRANSFER_BY_CODE: Readonly<Record<number, Transfer>> = {
  4: { name: 'gamma 2.2', light: gammaLight(2.2) },
  5: { name: 'gamma 2.8', light: gammaLight(2.8) },
  7: { name: 'SMPTE 240', light: smpte240 },
  8: { name: 'linear', light: linearLight },
  16: { name: 'PQ', light: perceptualQuantizer, range: 'display' },
  17: { name: 'gamma 2.6', light: (code) => (code ** 2.6 * 52.37) / 48 },
  18: { name: 'HLG', light: hybridLogGamma, range: 'scene' },
};

/** Those of H.273 that mean a curve: not those reserved, unspecified (2) or logarithmic (9, 10). */
export const isTransferCode = (code: number): boolean =>
  code >= 1 && code <= 18 && ![2, 3, 9, 10].includes(code);

export const transferByCode = (code: number): Transfer => TRANSFER_BY_CODE[code] ?? SRGB;
