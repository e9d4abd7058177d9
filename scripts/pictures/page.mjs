// `npm run picture:page`: the picture of the page in README.md, docs/pictures/page.webp. A drawn scene with a
// place, a camera and an author is dropped on the built page in Chromium.
import '../plain_node.mjs';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { servePage } from './page_server.mjs';

const { drawPeople } = await import('../../test/fixtures/drawn_face.ts');
const { exifSegment } = await import('../../test/fixtures/jpeg_writer/segments.ts');
const { ascii, child, rational, writeTiffStructure } = await import('../../test/fixtures/tiff_structure.ts');

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const SIZE = { width: 1500, height: 1000 };
const PEOPLE = [
  { x: 160, y: 420, w: 225, h: 295 },
  { x: 620, y: 330, w: 255, h: 336 },
  { x: 1110, y: 440, w: 215, h: 282 },
];
const WINDOW = { width: 1280, height: 800 };

const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
if (!browserPath) throw new Error('The picture needs Chromium');
const served = await servePage();
const browser = await chromium.launch({ executablePath: browserPath, args: ['--headless', '--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: WINDOW, serviceWorkers: 'block' });
  page.setDefaultTimeout(120_000);
  await page.goto(served.origin);
  await page.setInputFiles('#file', { name: 'holiday.jpg', mimeType: 'image/jpeg', buffer: await photo() });
  await page.waitForSelector('.face');
  await page.waitForSelector('#progress', { state: 'hidden' });
  const shot = await page.screenshot();
  await sharp(shot).webp({ quality: 82, effort: 6 }).toFile('docs/pictures/page.webp');
} finally {
  await browser.close();
  served.stop();
}

/** The scene as a camera would write it. */
async function photo() {
  const { width, height, pixels } = drawPeople(SIZE.width, SIZE.height, PEOPLE);
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: 92 })
    .toBuffer();
  const exif = writeTiffStructure([
    [
      ascii(271, 'Example'),
      ascii(272, 'Camera 7'),
      ascii(315, 'Erika Mustermann'),
      child(34665, [ascii(36867, '2026:05:31 17:02:11'), ascii(36881, '+02:00'), ascii(42033, 'SN-0042')]),
      child(34853, [
        ascii(1, 'N'),
        rational(2, 48, 1, 51, 1, 296, 10),
        ascii(3, 'E'),
        rational(4, 2, 1, 17, 1, 402, 10),
      ]),
    ],
  ]);
  return Buffer.concat([jpeg.subarray(0, 2), exifSegment(exif), jpeg.subarray(2)]);
}
