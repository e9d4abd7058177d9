import sharp from 'sharp';
import type { Picture } from '../fixtures/pictures.ts';
import { ssimulacra2Beside } from './ssimulacra2.ts';

/** A file of a picture: how long it is, and how like the picture. */
export interface Point {
  readonly length: number;
  /** Of all samples of red, green and blue, in dB. */
  readonly psnr: number;
  /** Of luma, in dB: −10 log10(1 − SSIM). */
  readonly ssim: number;
  /** 100 for the same. */
  readonly ssimulacra2: number;
}

export const MEASURES = ['psnr', 'ssim', 'ssimulacra2'] as const;
type Measure = (typeof MEASURES)[number];

/**
 * Measures files, read by sharp, of an opaque picture of at least 113 × 113.
 * @param by what is asked for; others, which take time, may be NaN
 */
export function measuring(
  picture: Picture,
  by: readonly Measure[] = MEASURES,
): (file: Uint8Array) => Promise<Point> {
  const luma = lumaOf(picture.pixels);
  const beside = by.includes('ssimulacra2') ? ssimulacra2Beside(picture) : () => Number.NaN;
  return async (file) => {
    const { width, height } = picture;
    const pixels = new Uint8Array(await sharp(file).ensureAlpha().raw().toBuffer());
    let sum = 0;
    for (let i = 0; i < pixels.length; i++) sum += (pixels[i]! - picture.pixels[i]!) ** 2;
    return {
      length: file.length,
      psnr: 10 * Math.log10((255 * 255 * width * height * 3) / Math.max(sum, 1)),
      ssim: -10 * Math.log10(1 - ssim(luma, lumaOf(pixels), width, height)),
      ssimulacra2: beside({ width, height, pixels }),
    };
  };
}

function lumaOf(pixels: Uint8Array): Float32Array {
  const luma = new Float32Array(pixels.length / 4);
  for (let i = 0; i < luma.length; i++) {
    luma[i] = 0.257 * pixels[i * 4]! + 0.504 * pixels[i * 4 + 1]! + 0.098 * pixels[i * 4 + 2]!;
  }
  return luma;
}

/** Wang et al. 2004, in blocks of 8 × 8, every four samples. */
function ssim(a: Float32Array, b: Float32Array, width: number, height: number): number {
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  let total = 0;
  let blocks = 0;
  for (let top = 0; top + 8 <= height; top += 4) {
    for (let left = 0; left + 8 <= width; left += 4) {
      let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
      for (let y = top; y < top + 8; y++) {
        for (let i = y * width + left, end = i + 8; i < end; i++) {
          const u = a[i]!;
          const v = b[i]!;
          sa += u;
          sb += v;
          saa += u * u;
          sbb += v * v;
          sab += u * v;
        }
      }
      const [ma, mb] = [sa / 64, sb / 64];
      const [va, vb, cov] = [saa / 64 - ma * ma, sbb / 64 - mb * mb, sab / 64 - ma * mb];
      total += ((2 * ma * mb + c1) * (2 * cov + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
      blocks++;
    }
  }
  return total / blocks;
}

/** The length at which a curve reaches a value: its logarithm is nearly linear in decibels. */
export function lengthAt(curve: readonly Point[], by: Measure, value: number): number {
  const sorted = [...curve].sort((a, b) => a[by] - b[by]);
  const found = sorted.findIndex((point) => point[by] >= value);
  const upper = found < 0 ? sorted.length - 1 : Math.max(found, 1);
  const [p, q] = [sorted[upper - 1]!, sorted[upper]!];
  const part = (value - p[by]) / (q[by] - p[by]);
  return Math.exp(Math.log(p.length) + part * Math.log(q.length / p.length));
}

/**
 * Bjøntegaard's difference (VCEG-M33): how much longer our files are than theirs where they are as good, in
 * the geometric mean over all that both reach, between points on straight lines.
 * @returns 1.05 for 5 % longer
 */
export function bjontegaard(ours: readonly Point[], theirs: readonly Point[], by: Measure): number {
  const ends = (curve: readonly Point[]) => {
    const values = curve.map((point) => point[by]);
    return [Math.min(...values), Math.max(...values)] as const;
  };
  const [[a, b], [c, d]] = [ends(ours), ends(theirs)];
  const [from, to] = [Math.max(a, c), Math.min(b, d)];
  const STEPS = 200;
  let sum = 0;
  for (let i = 0; i < STEPS; i++) {
    const value = from + ((i + 0.5) / STEPS) * (to - from);
    sum += Math.log(lengthAt(ours, by, value) / lengthAt(theirs, by, value));
  }
  return Math.exp(sum / STEPS);
}

/** How much longer a ratio of lengths is. @param value 1.05 for 5 % longer */
export const percent = (value: number) =>
  `${value >= 1 ? '+' : '−'}${Math.abs((value - 1) * 100).toFixed(1)} %`;
