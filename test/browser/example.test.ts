import sharp from 'sharp';
import { expect } from 'vitest';
import { journey } from './journey.ts';
import { cleanPhoto, download, drag, screenshot, waitForFaces } from './page_actions.ts';
import { photoSize } from './photos.ts';
import { brightest, pixelsOf } from './pixel_measures.ts';
import { phone } from './touch.ts';

const SIZE = { width: 1280, height: 853 };
/** The plate of the car in the example. */
const PLATE = { x: 900, y: 556, w: 138, h: 38 };

journey('a stranger tries the example: place, thumbnail, face, and a plate to cover', async ({ page }) => {
  await page.click('#example');
  const began = Date.now();
  await waitForFaces(page);
  console.log(`example: all of it is shown after ${((Date.now() - began) / 1000).toFixed(1)} s`);
  expect(await page.locator('.face').count()).toBe(1);
  expect(await page.textContent('.revealed')).toContain('48.137');
  expect(await page.textContent('.differing figcaption')).toContain('may show more than the picture');
  await screenshot(page, 'example-1-shown');
  const at = (x: number, y: number) =>
    [(x * photoSize.width) / SIZE.width, (y * photoSize.height) / SIZE.height] as const;
  await drag(page, at(PLATE.x, PLATE.y), at(PLATE.x + PLATE.w, PLATE.y + PLATE.h));
  await cleanPhoto(page);
  await screenshot(page, 'example-2-clean');
  const { name, bytes } = await download(page);
  expect(name).toBe('photo-1.jpg');
  const { exif, width, height } = await sharp(bytes).metadata();
  expect([exif, width, height]).toEqual([undefined, SIZE.width, SIZE.height]);
  const inside = { x: PLATE.x + 4, y: PLATE.y + 4, w: PLATE.w - 8, h: PLATE.h - 8 };
  expect(brightest(await pixelsOf(bytes), inside)).toBeLessThan(24);
});

journey(
  'the example says so where it does not come',
  { ...phone, remarks: /ERR_FAILED/ },
  async ({ page }) => {
    await page.route('**/example.*', (route) => route.abort());
    await page.tap('#example');
    await page.waitForSelector('#left-out:visible');
    expect(await page.isEnabled('#example')).toBe(true);
    await page.unroute('**/example.*');
    await page.tap('#example');
    await waitForFaces(page);
    expect(await page.isVisible('#left-out')).toBe(false);
    await screenshot(page, 'example-3-phone');
  },
);
