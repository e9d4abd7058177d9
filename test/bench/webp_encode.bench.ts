// Lossy WebP encoding in the core beside libwebp: length at equal PSNR against cwebp's method 4, and
// structural similarity there; CPU time beside cwebp and sharp; counted memory. Pixels come from memory.
import '../../scripts/plain_node.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { photoFile } from './photos.ts';
import { cpuTime, megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { createCore } = await import('../../src/core/instance.ts');
const { ROW_SLACK } = await import('../../src/core/sizes.ts');
const { webpEncoder } = await import('../../src/codecs/webp/encoder.ts');

const CORPUS = '../shared/corpus/jpeg-camera';
const STRIP_ROWS = 16;
const TARGETS = [75, 92];
/** Qualities around the targets, to interpolate between. */
const QUALITIES = [64, 70, 75, 80, 86, 90, 92, 94];
sharp.concurrency(1);
sharp.cache(false);
const folder = mkdtempSync(join(tmpdir(), 'webp-bench-'));

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  readonly rgb: Uint8Array;
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const rgba = await sharp(data, { raw: { width, height, channels: 3 } })
    .ensureAlpha()
    .raw()
    .toBuffer();
  return { width, height, rgba, rgb: data };
}

async function encode(
  { width, height, rgba }: Pixels,
  quality: number,
): Promise<{ file: Buffer; held: number }> {
  using core = createCore();
  const at = core.alloc(STRIP_ROWS * width * 4 + ROW_SLACK);
  const stride = width * 4;
  const source = {
    width,
    height,
    opaque: true,
    grey: false,
    core,
    *strips() {
      for (let y = 0; y < height; y += STRIP_ROWS) {
        const rows = Math.min(STRIP_ROWS, height - y);
        const pixels = core.view(at, rows * stride);
        pixels.set(rgba.subarray(y * stride, (y + rows) * stride));
        yield { y, rows, pixels };
      }
    },
  };
  using output = await webpEncoder.encode(source, quality, 1 << 28);
  return { file: Buffer.from(output.bytes), held: core.heldBytes + output.retainedBytes };
}

function writePpm({ width, height, rgb }: Pixels): string {
  const path = join(folder, 'in.ppm');
  writeFileSync(path, Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), rgb]));
  return path;
}

function cwebp(ppm: string, quality: number): Buffer {
  const out = join(folder, 'out.webp');
  execFileSync('cwebp', ['-quiet', '-m', '4', '-q', `${quality}`, ppm, '-o', out]);
  return readFileSync(out);
}

const lumaOf = (rgb: Uint8Array, i: number) => 0.257 * rgb[i]! + 0.504 * rgb[i + 1]! + 0.098 * rgb[i + 2]!;

interface Quality {
  /** PSNR of all samples, of luma; SSIM of luma in blocks of 8 × 8, in dB. */
  readonly rgb: number;
  readonly luma: number;
  readonly ssim: number;
}

async function qualityOf(file: Buffer, { rgb, width, height }: Pixels): Promise<Quality> {
  const decoded = await sharp(file).removeAlpha().raw().toBuffer();
  let sum = 0;
  let lumaSum = 0;
  for (let i = 0; i < rgb.length; i++) sum += (rgb[i]! - decoded[i]!) ** 2;
  for (let i = 0; i < rgb.length; i += 3) lumaSum += (lumaOf(rgb, i) - lumaOf(decoded, i)) ** 2;
  const decibels = (error: number, count: number) => 10 * Math.log10((255 * 255 * count) / error);
  return {
    rgb: decibels(sum, rgb.length),
    luma: decibels(lumaSum, rgb.length / 3),
    ssim: -10 * Math.log10(1 - ssim(rgb, decoded, width, height)),
  };
}

/** Wang et al. 2004, of luma, in blocks of 8 × 8 that do not overlap. */
function ssim(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  let total = 0;
  let blocks = 0;
  for (let top = 0; top + 8 <= height; top += 8) {
    for (let left = 0; left + 8 <= width; left += 8) {
      let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
      for (let y = top; y < top + 8; y++) {
        for (let x = left; x < left + 8; x++) {
          const u = lumaOf(a, (y * width + x) * 3);
          const v = lumaOf(b, (y * width + x) * 3);
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

/** The length at which a curve reaches a quality: its logarithm is nearly linear in decibels. */
function lengthAt(
  curve: readonly (Quality & { length: number })[],
  by: keyof Quality,
  value: number,
): number {
  const sorted = [...curve].sort((a, b) => a[by] - b[by]);
  const found = sorted.findIndex((point) => point[by] >= value);
  const upper = found < 0 ? sorted.length - 1 : Math.max(found, 1);
  const [p, q] = [sorted[upper - 1]!, sorted[upper]!];
  const part = (value - p[by]) / (q[by] - p[by]);
  return Math.exp(Math.log(p.length) + part * Math.log(q.length / p.length));
}

const percent = (value: number) => `${value >= 1 ? '+' : ''}${((value - 1) * 100).toFixed(1)} %`;

async function compare(name: string, pixels: Pixels) {
  const ppm = writePpm(pixels);
  const curve: (Quality & { quality: number; length: number })[] = [];
  for (const quality of QUALITIES) {
    const { file } = await encode(pixels, quality);
    curve.push({ quality, length: file.length, ...(await qualityOf(file, pixels)) });
  }
  for (const quality of TARGETS) {
    const theirs = cwebp(ppm, quality);
    const reached = await qualityOf(theirs, pixels);
    const own = curve.find((point) => point.quality === quality)!;
    const at = (by: keyof Quality) => percent(lengthAt(curve, by, reached[by]) / theirs.length);
    console.log(
      `${name} q${quality}: ${at('rgb')} at equal PSNR, ${at('luma')} of luma, ${at('ssim')} at equal SSIM; ` +
        `${percent(own.length / theirs.length)} at equal quality`,
    );
  }
}

async function time(name: string, pixels: Pixels, quality: number, rounds: number) {
  const { width, height, rgb } = pixels;
  let held = 0;
  const times = await race(
    {
      core: async () => {
        held = (await encode(pixels, quality)).held;
      },
      sharp: async () => {
        await sharp(rgb, { raw: { width, height, channels: 3 } })
          .webp({ quality, effort: 4 })
          .toBuffer();
      },
    },
    rounds,
    cpuTime,
  );
  console.log(
    `${name} q${quality}: ${ms(times.core!)}, sharp ${ms(times.sharp!)} (${ratio(times.core!, times.sharp!)} of its time); holds ${megabytes(held)}`,
  );
}

for (const file of [
  'Apple_iPhone_6.jpg',
  'Samsung_SM-G935L_Galaxy_S7_Edge_.jpg',
  'Trust_PowerCam_Zoom_LCD_710.JPG',
]) {
  const path = `${CORPUS}/metadata-extractor-images__${file}`;
  if (existsSync(path)) await compare(file, await pixelsOf(sharp(path)));
  else console.log(`${file}: not here`);
}
await compare('1 MP made', await pixelsOf(sharp(await photoFile(1, 'jpeg'))));
for (const megapixels of [1, 12, 50]) {
  const pixels = await pixelsOf(sharp(await photoFile(megapixels, 'jpeg')));
  for (const quality of TARGETS)
    await time(`${megapixels} MP made`, pixels, quality, megapixels < 20 ? 3 : 1);
}
rmSync(folder, { recursive: true });
