import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { webpEncoder } from '../../src/codecs/webp/encoder.ts';
import { corpusFolder } from '../fixtures/corpus.ts';
import type { Picture } from '../fixtures/pictures.ts';
import { rasterOf } from '../fixtures/raster.ts';

sharp.concurrency(1);
sharp.cache(false);

/** What names of camera photographs of the corpus begin with. */
export const CAMERA = join(corpusFolder, 'jpeg-camera', 'metadata-extractor-images__');

/** The middle of an image, or another part by where it lies in what is left. */
export async function middleOf(
  image: Sharp,
  most: Pick<Picture, 'width' | 'height'>,
  across = 0.5,
  down = 0.5,
): Promise<Picture> {
  const { width = 0, height = 0 } = await image.metadata();
  const size = { width: Math.min(width, most.width), height: Math.min(height, most.height) };
  const middle = {
    left: Math.floor((width - size.width) * across),
    top: Math.floor((height - size.height) * down),
    ...size,
  };
  const { data, info } = await image
    .extract(middle)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
}

export async function ownFile(picture: Picture, quality: number): Promise<Uint8Array> {
  using output = await webpEncoder.encode(rasterOf(picture), quality, 1 << 28);
  return output.bytes.slice();
}

export const libwebpFile = (
  { width, height, pixels }: Picture,
  quality: number,
  effort: number,
): Promise<Uint8Array> =>
  sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .webp({ quality, effort })
    .toBuffer();

/** Headlines, paragraphs, a chart and flat areas in saturated colours. */
export function graphics(width: number, height: number): Sharp {
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
export async function landscape(width: number, height: number): Promise<Sharp> {
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
