// Rate and distortion of lossy WebP beside libwebp (sharp's, methods 2, 4 and 6) on three camera photographs
// of the corpus and three made scenes, as the table of docs/measurements/webp.md.
import '../../scripts/plain_node.mjs';
import { existsSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { photoFile } from './photos.ts';
import { lengthAt, measuring, type Point, percent } from './rate_distortion.ts';

// After the hooks: these load WebAssembly.
const { CAMERA, graphics, landscape, libwebpFile, middleOf, ownFile } = await import('./webp_files.ts');

const QUALITIES = [30, 40, 50, 60, 70, 75, 80, 85, 90, 92, 95, 100];
/** Pictures are cut to their middle: what is more takes longer and tells no more. */
const MOST = { width: 1280, height: 960 };
const METHODS = [2, 4, 6] as const;

const decibels = (value: number) => value.toFixed(2);

async function compare(name: string, image: Sharp): Promise<void> {
  const picture = await middleOf(image, MOST);
  const measured = measuring(picture, ['psnr', 'ssim']);
  const own: Point[] = [];
  for (const quality of QUALITIES) own.push(await measured(await ownFile(picture, quality)));
  console.log(`\n### ${name}, ${picture.width} × ${picture.height}\n`);
  console.log(
    '| q | bytes | PSNR | SSIM | m4 bytes | PSNR | SSIM | at equal q | equal PSNR: m2 | m4 | m6 | equal SSIM: m2 | m4 | m6 |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const [i, quality] of QUALITIES.entries()) {
    const theirs: Point[] = [];
    for (const method of METHODS) {
      theirs.push(await measured(await libwebpFile(picture, quality, method)));
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

for (const [name, file] of [
  ['Camera photograph, 8 MP phone', 'Apple_iPhone_6.jpg'],
  ['Camera photograph, 12 MP phone', 'Samsung_SM-G935L_Galaxy_S7_Edge_.jpg'],
  ['Camera photograph, 1 MP compact', 'Trust_PowerCam_Zoom_LCD_710.JPG'],
] as const) {
  const path = CAMERA + file;
  if (existsSync(path)) await compare(name, sharp(path));
  else console.log(`${name}: not here`);
}
await compare('Made photograph with grain', sharp(await photoFile(1, 'jpeg')));
await compare('Made landscape: sky and foliage', await landscape(1280, 960));
await compare('Graphics with text', graphics(1280, 960));
