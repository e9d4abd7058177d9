// `npm run picture:page`: the picture of the page in README.md, docs/pictures/page.webp, and the film of a
// journey through it, docs/pictures/page_film.webp. The built page is driven in Chromium with its example.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { servePage } from './page_server.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const WINDOW = { width: 1280, height: 800 };
const FILM_WIDTH = 960;
/** The car's plate in the example, in shares of its sides: left, top, right, bottom. */
const PLATE = [0.7, 0.65, 0.813, 0.698];
const STEPS = 5;

const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
if (!browserPath) throw new Error('The picture needs Chromium');
const served = await servePage();
const browser = await chromium.launch({ executablePath: browserPath, args: ['--headless', '--no-sandbox'] });
const frames = [];
try {
  const page = await browser.newPage({ viewport: WINDOW, serviceWorkers: 'block' });
  page.setDefaultTimeout(120_000);
  /** @param milliseconds that the film shows it */
  const shoot = async (milliseconds) => frames.push({ shot: await page.screenshot(), milliseconds });

  await page.goto(served.origin);
  await shoot(1600);
  await page.hover('#example');
  await shoot(700);
  await page.click('#example');
  await page.waitForSelector('.face');
  await page.waitForSelector('.town:not(:empty)');
  await page.waitForSelector('#progress', { state: 'hidden' });
  await shoot(2600);
  const photo = await page.locator('#frame').boundingBox();
  const at = (x, y) => [photo.x + x * photo.width, photo.y + y * photo.height];
  const [left, top, right, bottom] = PLATE;
  await page.mouse.move(...at(left, top));
  await page.mouse.down();
  for (let step = 1; step <= STEPS; step++) {
    const part = step / STEPS;
    await page.mouse.move(...at(left + (right - left) * part, top + (bottom - top) * part));
    await shoot(160);
  }
  await page.mouse.up();
  await page.mouse.move(...at(0.5, 0.02));
  await shoot(1400);
  await sharp(frames.at(-1).shot).webp({ quality: 80, effort: 6 }).toFile('docs/pictures/page.webp');
  await page.click('#clean');
  await page.waitForSelector('#result:visible');
  await page.waitForSelector('#progress', { state: 'hidden' });
  await shoot(2200);
  await page.click('#show-original');
  await shoot(1500);
  await page.click('#show-original');
  await page.mouse.move(...at(0.5, 0.02));
  await shoot(2400);
} finally {
  await browser.close();
  served.stop();
}

const smaller = await Promise.all(frames.map(({ shot }) => sharp(shot).resize(FILM_WIDTH).png().toBuffer()));
await sharp(smaller, { join: { animated: true } })
  .webp({ quality: 70, effort: 5, delay: frames.map(({ milliseconds }) => milliseconds), loop: 0 })
  .toFile('docs/pictures/page_film.webp');
