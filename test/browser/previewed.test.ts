import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { corpusBytes, corpusPresent } from '../fixtures/corpus.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { drawCar } from '../fixtures/drawn_scenes.ts';
import type { Picture } from '../fixtures/raster.ts';
import { journey } from './journey.ts';
import { cleanPhoto, cleanPng, drag, drop, screenshot } from './page_actions.ts';
import { people } from './photos.ts';

/** Other programs may be beside the browser. */
const PATIENT = { timeout: 20_000 };

/** People above a car with its plate. */
async function scene(): Promise<Buffer> {
  const [above, below] = [drawPeople(900, 640, people), drawCar().picture];
  const pixels = Buffer.concat([above.pixels, below.pixels]);
  return sharp(pixels, { raw: { width: 900, height: 1280, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();
}

async function openStreet(page: Page, photo: Buffer): Promise<void> {
  await drop(page, photo, 'street.png', 'image/png');
  await page.waitForSelector('.face');
  await page.waitForSelector('#progress', { state: 'hidden' });
}

/** The preview of the part that is kept: where it covers the photo, and with which colours. */
async function previewOf(page: Page): Promise<Picture> {
  const crop = await page
    .locator('#crop-box input')
    .evaluateAll((all) => all.map((one) => Number((one as HTMLInputElement).value)));
  const [x, y, width, height] = crop as [number, number, number, number];
  const read = () =>
    page.evaluate(
      ([left, top, across, down]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('#mosaic')!;
        const copy = new OffscreenCanvas(across, down).getContext('2d', { willReadFrequently: true })!;
        copy.drawImage(canvas, -left, -top);
        let text = '';
        for (const value of copy.getImageData(0, 0, across, down).data) text += String.fromCharCode(value);
        return btoa(text);
      },
      [x, y, width, height] as const,
    );
  return { width, height, pixels: new Uint8Array(Buffer.from(await read(), 'base64')) };
}

/** Turns the photo, keeps its middle, and leaves the second face visible. */
async function turnAndCrop(page: Page): Promise<void> {
  await page.click('#turn');
  await page.click('[data-tool="crop"]');
  await page.click('#add-region');
  await page.click('[data-tool="hide"]');
  await page.locator('#face-list button').nth(1).click();
}

/** By the preview and by the pixels: what is covered, and what is not. */
function expectSame(shown: Picture, result: Picture, plain: Picture): void {
  expect([result.width, result.height]).toEqual([shown.width, shown.height]);
  let [unseen, covered, other] = [0, 0, 0];
  for (let at = 0; at < shown.pixels.length; at += 4) {
    const apart = (one: Picture) =>
      Math.max(
        ...[0, 1, 2].map((channel) => Math.abs(one.pixels[at + channel]! - result.pixels[at + channel]!)),
      );
    if (shown.pixels[at + 3] === 0) {
      if (apart(plain) > 0) unseen++;
    } else {
      covered++;
      if (apart(shown) > 24) other++;
    }
  }
  expect(unseen).toBe(0);
  expect(covered).toBeGreaterThan(1000);
  expect(other).toBeLessThan(covered / 200);
}

describe('after a turn and a crop', () => {
  const photos = [
    { name: 'drawn people and a plate', plates: true, read: scene },
    {
      name: 'seven people',
      plates: false,
      read: async () =>
        sharp(corpusBytes({ file: 'faces/gen_group7_exif6.jpg' }))
          .autoOrient()
          .png()
          .toBuffer(),
    },
  ].slice(0, corpusPresent ? 2 : 1);
  for (const { name, plates, read } of photos) {
    journey(`the result covers what the preview did, to the pixel: ${name}`, async ({ page }) => {
      await openStreet(page, await read());
      if (plates) {
        await page.check('#plates');
        await page.waitForSelector('.thing');
        await page.waitForSelector('#progress', { state: 'hidden' });
      }
      await turnAndCrop(page);
      await expect
        .poll(async () => (await previewOf(page)).pixels.some((value) => value > 0), PATIENT)
        .toBe(true);
      const shown = await previewOf(page);
      const hidden = await page.locator('.face[aria-pressed="true"]:not(.spot)').count();
      await screenshot(page, `shown-4-${plates ? 'plate' : 'group'}`);
      const result = await cleanPng(page);
      const report = await page.textContent('#report');
      await screenshot(page, `shown-5-${plates ? 'plate' : 'group'}-result`);

      // In Edit it is as it was.
      await page.click('[data-view="edit"]');
      expect(await page.locator('.face[aria-pressed="true"]:not(.spot)').count()).toBe(hidden);
      await page.uncheck('#faces');
      if (plates) await page.uncheck('#plates');
      expectSame(shown, result, await cleanPng(page));
      if (plates) expect(report).toContain('1 number plate was covered.');
    });
  }

  journey(
    'the service gets what was shown, and is asked to find nothing',
    { by: 'key' },
    async ({ page, requests }) => {
      await openStreet(page, await scene());
      await page.check('#plates');
      await page.waitForSelector('.thing');
      await page.waitForSelector('#progress', { state: 'hidden' });
      await page.locator('#face-list button').nth(1).click();
      await cleanPhoto(page);
      await page.click('[data-view="edit"]');
      await page.locator('#face-list button').nth(1).click();
      await turnAndCrop(page);
      await drag(page, [300, 300], [350, 350]);
      await cleanPng(page);
      const [before, after] = requests
        .map((address) => new URL(address))
        .filter(({ pathname }) => pathname === '/v1/sanitize')
        .map(({ searchParams }) => JSON.parse(searchParams.get('ops') ?? '{}'));
      expect(Object.keys(before.pixelate)).toEqual(['areas', 'verify']);
      expect(before.pixelate).toMatchObject({ areas: [{}, { kind: 'plate' }], verify: 'list' });
      expect(after).toMatchObject({ rotate: 90, crop: {} });
      // The same places of the same picture, whichever way up it is shown.
      expect(after.pixelate.areas).toEqual(before.pixelate.areas);
      expect(Object.keys(after.pixelate)).toEqual(['areas', 'regions', 'verify']);
    },
  );
});
