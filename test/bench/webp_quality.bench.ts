// Rate and distortion of lossy WebP beside libwebp (sharp's, methods 2, 4 and 6) on three camera photographs
// of the corpus and three made scenes, as the tables of docs/measurements/webp.md.
import '../../scripts/plain_node.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { corpusFolder } from '../fixtures/corpus.ts';
import { photoFile } from './photos.ts';

// After the hooks: these load WebAssembly.
const { rasterOf } = await import('../fixtures/raster.ts');
const { webpEncoder } = await import('../../src/codecs/webp/encoder.ts');

const QUALITIES = [30, 40, 50, 60, 70, 75, 80, 85, 90, 92, 95, 100];
const METHODS = [2, 4, 6] as const;
/** Pictures are cut to their middle: what is more takes longer and tells no more. */
const MOST = { width: 1280, height: 960 };
sharp.concurrency(1);
sharp.cache(false);

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { width = 0, height = 0 } = await image.metadata();
  const size = { width: Math.min(width, MOST.width), height: Math.min(height, MOST.height) };
  const middle = { left: (width - size.width) >> 1, top: (height - size.height) >> 1, ...size };
  const { data, info } = await image
    .extract(middle)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: new Uint8Array(data) };
}

async function ownFile({ width, height, rgba }: Pixels, quality: number): Promise<Uint8Array> {
  using output = await webpEncoder.encode(rasterOf({ width, height, pixels: rgba }), quality, 1 << 28);
  return output.bytes.slice();
}

const libwebpFile = ({ width, height, rgba }: Pixels, quality: number, effort: number): Promise<Uint8Array> =>
  sharp(rgba, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .webp({ quality, effort })
    .toBuffer();

interface Point {
  readonly length: number;
  /** Of all samples of red, green and blue, in dB. */
  readonly psnr: number;
  /** Of luma, in dB: −10 log10(1 − SSIM). */
  readonly ssim: number;
}

function lumaOf({ rgba }: Pick<Pixels, 'rgba'>): Float32Array {
  const luma = new Float32Array(rgba.length / 4);
  for (let i = 0; i < luma.length; i++) {
    luma[i] = 0.257 * rgba[i * 4]! + 0.504 * rgba[i * 4 + 1]! + 0.098 * rgba[i * 4 + 2]!;
  }
  return luma;
}

async function pointOf(file: Uint8Array, picture: Pixels, luma: Float32Array): Promise<Point> {
  const rgba = new Uint8Array(await sharp(file).ensureAlpha().raw().toBuffer());
  let sum = 0;
  for (let i = 0; i < rgba.length; i++) sum += (rgba[i]! - picture.rgba[i]!) ** 2;
  const psnr = 10 * Math.log10((255 * 255 * picture.width * picture.height * 3) / Math.max(sum, 1));
  const similarity = ssim(luma, lumaOf({ rgba }), picture.width, picture.height);
  return { length: file.length, psnr, ssim: -10 * Math.log10(1 - similarity) };
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
function lengthAt(curve: readonly Point[], by: 'psnr' | 'ssim', value: number): number {
  const sorted = [...curve].sort((a, b) => a[by] - b[by]);
  const found = sorted.findIndex((point) => point[by] >= value);
  const upper = found < 0 ? sorted.length - 1 : Math.max(found, 1);
  const [p, q] = [sorted[upper - 1]!, sorted[upper]!];
  const part = (value - p[by]) / (q[by] - p[by]);
  return Math.exp(Math.log(p.length) + part * Math.log(q.length / p.length));
}

const percent = (value: number) => `${value >= 1 ? '+' : '−'}${Math.abs((value - 1) * 100).toFixed(1)} %`;
const decibels = (value: number) => value.toFixed(2);

async function compare(name: string, image: Sharp): Promise<void> {
  const picture = await pixelsOf(image);
  const luma = lumaOf(picture);
  const own: Point[] = [];
  for (const quality of QUALITIES) own.push(await pointOf(await ownFile(picture, quality), picture, luma));
  console.log(`\n### ${name}, ${picture.width} × ${picture.height}\n`);
  console.log(
    '| q | bytes | PSNR | SSIM | m4 bytes | PSNR | SSIM | at equal q | equal PSNR: m2 | m4 | m6 | equal SSIM: m2 | m4 | m6 |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const [i, quality] of QUALITIES.entries()) {
    const theirs: Point[] = [];
    for (const method of METHODS) {
      theirs.push(await pointOf(await libwebpFile(picture, quality, method), picture, luma));
    }
    const at = (by: 'psnr' | 'ssim') =>
      theirs.map((point) => percent(lengthAt(own, by, point[by]) / point.length));
    const [ours, m4] = [own[i]!, theirs[1]!];
    const cells = [
      ...[quality, ours.length, decibels(ours.psnr), decibels(ours.ssim)],
      ...[m4.length, decibels(m4.psnr), decibels(m4.ssim), percent(ours.length / m4.length)],
      ...at('psnr'),
      ...at('ssim'),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

/** Headlines, paragraphs, a chart and flat areas in saturated colours. */
function graphics(width: number, height: number): Sharp {
  const lines = Array.from(
    { length: 22 },
    (
      _,
      i,
    ) => `<text x="40" y="${250 + i * 30}" font-size="${14 + (i % 3) * 4}" fill="${i % 4 ? '#222' : '#b0121b'}">
      Line ${i * 7919} of a page with figures ${i * 31}.${i} and words of several lengths</text>`,
  ).join('');
  const bars = Array.from(
    { length: 9 },
    (_, i) =>
      `<rect x="${760 + i * 54}" y="${860 - ((i * 53) % 9) * 60}" width="40" height="${((i * 53) % 9) * 60 + 20}" fill="hsl(${i * 40}, 85%, 45%)"/>`,
  ).join('');
  return sharp(
    Buffer.from(`<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg">
      <rect width="100%" height="100%" fill="#fdfdf8"/><rect width="100%" height="150" fill="#123a6b"/>
      <text x="40" y="100" font-size="72" font-family="sans-serif" fill="#ffd23c">A headline</text>
      <circle cx="980" cy="260" r="90" fill="none" stroke="#0a8f4b" stroke-width="9"/>${lines}${bars}</svg>`),
  ).removeAlpha();
}

/** Smooth sky above fine foliage. */
async function landscape(width: number, height: number): Promise<Sharp> {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const ridge = height * 0.45 + 60 * Math.sin(x / 170) + 25 * Math.sin(x / 41 + 1);
      const at = (y * width + x) * 3;
      if (y < ridge) rgb.set([90 + (y / height) * 130, 140 + (y / height) * 90, 215 + (y / height) * 30], at);
      else {
        const leaf = Math.sin(x * 0.9 + Math.sin(y * 0.31) * 5) * Math.cos(y * 0.7 + Math.sin(x * 0.23) * 4);
        const shade = 60 + 35 * leaf + 25 * Math.sin(x / 37) * Math.cos(y / 29);
        rgb.set([shade * 0.7 + 10, shade + 25, shade * 0.35 + 8], at);
      }
    }
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

for (const [name, file] of [
  ['Camera photograph, 8 MP phone', 'Apple_iPhone_6.jpg'],
  ['Camera photograph, 12 MP phone', 'Samsung_SM-G935L_Galaxy_S7_Edge_.jpg'],
  ['Camera photograph, 1 MP compact', 'Trust_PowerCam_Zoom_LCD_710.JPG'],
] as const) {
  const path = join(corpusFolder, 'jpeg-camera', `metadata-extractor-images__${file}`);
  if (existsSync(path)) await compare(name, sharp(path));
  else console.log(`${name}: not here`);
}
await compare('Made photograph with grain', sharp(await photoFile(1, 'jpeg')));
await compare('Made landscape: sky and foliage', await landscape(1280, 960));
await compare('Graphics with text', graphics(1280, 960));
