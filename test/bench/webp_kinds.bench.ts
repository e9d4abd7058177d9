// Bjøntegaard's differences of lossy WebP from libwebp's method 4 (sharp's) over kinds of pictures, as the
// table of docs/measurements/webp.md.
import '../../scripts/plain_node.mjs';
import { existsSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import type { Picture } from '../fixtures/pictures.ts';
import { photoFile } from './photos.ts';
import { bjontegaard, MEASURES, measuring, type Point, percent } from './rate_distortion.ts';

// After the hooks: these load WebAssembly.
const { CAMERA, graphics, landscape, libwebpFile, middleOf, ownFile } = await import('./webp_files.ts');
const { smoothPictures } = await import('../fixtures/webp_pictures.ts');
const { pngKinds } = await import('./png_kinds.ts');

const CURVE = [20, 40, 60, 75, 85, 92];
/** What both curves are compared on is cut smaller: of many kinds the middle tells as much. */
const CUT = { width: 640, height: 480 };

/** Parts of 640 × 480 of camera photographs: [name, file, left and top as parts of what is left]. */
const PARTS = [
  ['leaves and wall, phone', 'Apple_iPhone_6.jpg', 0.5, 0.5],
  ['upper left, phone', 'Apple_iPhone_6.jpg', 0.1, 0.05],
  ['lower right, phone', 'Apple_iPhone_6.jpg', 0.9, 0.9],
  ['middle, 12 MP phone', 'Samsung_SM-G935L_Galaxy_S7_Edge_.jpg', 0.5, 0.5],
  ['upper left, 12 MP phone', 'Samsung_SM-G935L_Galaxy_S7_Edge_.jpg', 0.1, 0.05],
  ['lower right, 12 MP phone', 'Samsung_SM-G935L_Galaxy_S7_Edge_.jpg', 0.9, 0.9],
  ['middle, compact', 'Trust_PowerCam_Zoom_LCD_710.JPG', 0.5, 0.5],
] as const;

const cut = (image: Sharp, across: number, down: number) => middleOf(image, CUT, across, down);

/** Pictures of many kinds, by name. */
async function* kinds(): AsyncGenerator<readonly [string, Picture]> {
  for (const [name, file, across, down] of PARTS) {
    if (existsSync(CAMERA + file)) yield [name, await cut(sharp(CAMERA + file), across, down)];
  }
  for (const [name, paint] of Object.entries(smoothPictures)) yield [name, paint(448, 336)];
  yield ['made photograph with grain', await cut(sharp(await photoFile(1, 'jpeg')), 0.5, 0.5)];
  yield ['made landscape', await cut(await landscape(1280, 960), 0.5, 0.5)];
  yield ['graphics with text', await cut(graphics(1280, 960), 0.5, 0.3)];
  for (const { name, picture } of await pngKinds()) {
    const { width, height, pixels } = picture;
    // Where alpha is, length is not of colours alone.
    if (name === 'logo, alpha') continue;
    yield [name, await cut(sharp(pixels, { raw: { width, height, channels: 4 } }), 0.3, 0.2)];
  }
}

console.log(`\n| length where it is as good | ${MEASURES.join(' | ')} |\n|---|---|---|---|`);
const all: number[][] = [];
for await (const [name, picture] of kinds()) {
  const measured = measuring(picture);
  const [own, m4]: [Point[], Point[]] = [[], []];
  for (const quality of CURVE) {
    own.push(await measured(await ownFile(picture, quality)));
    m4.push(await measured(await libwebpFile(picture, quality, 4)));
  }
  const row = MEASURES.map((by) => bjontegaard(own, m4, by));
  all.push(row);
  console.log(`| ${name} | ${row.map(percent).join(' | ')} |`);
}
const mean = MEASURES.map((_, i) => all.reduce((sum, row) => sum + row[i]!, 0) / all.length);
console.log(`| mean of ${all.length} | ${mean.map(percent).join(' | ')} |`);
