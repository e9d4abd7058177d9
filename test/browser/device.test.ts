import { describe, expect } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { greenOverRed } from '../fixtures/green_over_red.ts';
import { journey } from './journey.ts';
import { cleanPhoto, download, drag, drop, dropPhonePhoto, open, waitForFaces } from './page_actions.ts';
import { people, phoneJpeg, photoSize, tiff } from './photos.ts';
import {
  alignToBlocks,
  brightest,
  detail,
  difference,
  maxBlockDeviation,
  pixelsOf,
} from './pixel_measures.ts';

/** The default block edge in pixels: 3 % of the short side. */
const BLOCK = 19;

describe('on this device, without a key', () => {
  journey(
    'from a dropped photo to a clean file, and no byte of it leaves the page',
    { opens: true },
    async ({ page, context }) => {
      const photo = await phoneJpeg();
      const loaded: string[] = [];
      // Of the context, so that requests of workers are seen too.
      context.on('request', (request) => loaded.push(request.url()));
      await open(page);
      expect(await page.textContent('#drop')).toContain('Your photo stays on this device.');
      await dropPhonePhoto(page, photo);
      expect(await page.locator('.face').count()).toBe(people.length);
      expect(await page.textContent('#findings')).toContain('where it was taken');
      await drag(page, [350, 480], [520, 600]);
      expect(await page.textContent('#action')).toContain('Nothing is sent.');
      await cleanPhoto(page);
      const report = await page.textContent('#result');
      expect(report).toContain('no metadata is left');
      expect(report).toContain('2 faces were found and hidden.');
      expect(await page.textContent('#cost')).toMatch(
        /^Done on this device in \d+\.\d s\. Nothing was sent\.$/,
      );

      const { name, bytes } = await download(page);
      expect(name).toBe('photo-1.jpg');
      expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, orientation: 1, blocks: [] });
      const before = await pixelsOf(photo);
      const after = await pixelsOf(bytes);
      const drawn = { x: 350, y: 480, w: 170, h: 120 };
      const inner = { x: 356, y: 486, w: 158, h: 108 };
      expect(maxBlockDeviation(before, inner, BLOCK)).toBeGreaterThan(40);
      expect(brightest(after, inner)).toBeLessThan(24);
      for (const face of people) expect(detail(after, face)).toBeLessThan(0.1);
      // More than its padding of 1.5, and a block of 60 to each side.
      const around = people.map(({ x, y, w, h }) => ({
        x: Math.max(0, x - w / 2 - 60),
        y: Math.max(0, y - h / 2 - 60),
        w: w * 2 + 120,
        h: h * 2 + 120,
      }));
      expect(difference(before, after, [alignToBlocks(drawn, BLOCK), ...around]).mean).toBeLessThan(2.5);

      // The same call in Node gives the same bytes.
      const snippet = (await page.textContent('#snippet'))!;
      expect(snippet).toContain("import { sanitize } from 'image-sanitizer'");
      const ops = JSON.parse(/sanitize\(photo, (\{.*\})\);/s.exec(snippet)![1]!);
      expect(Buffer.from((await sanitize(photo, ops)).bytes).equals(bytes)).toBe(true);

      // The log covers the workers: what they loaded is in it.
      expect(
        loaded.filter((address) => /\/(?:core|face_detector|yunet_n)[\w-]*\.[^/]*\.gz$/.test(address)),
      ).toHaveLength(3);
    },
  );

  journey(
    'a format that the browser can’t display is shown from a clean copy made here',
    async ({ page }) => {
      await drop(page, await tiff(), 'scan.tif', 'image/tiff');
      await page.waitForSelector('#picture:visible');
      await page.waitForSelector('.face');
      await cleanPhoto(page);
      const { bytes } = await download(page);
      expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
    },
  );

  journey(
    'an AVIF with predicted layers is cleaned here, by a module that comes for it alone',
    { opens: true },
    async ({ page, context }) => {
      const modules: string[] = [];
      context.on('request', (request) => {
        if (request.url().includes('/libavif.')) modules.push(request.url());
      });
      await open(page);
      await dropPhonePhoto(page);
      expect(modules).toEqual([]);
      await drop(page, Buffer.from(greenOverRed()), 'layers.avif', 'image/avif');
      await page.waitForSelector('#picture:visible');
      await cleanPhoto(page);
      const { bytes } = await download(page);
      expect(scan(new Uint8Array(bytes))).toMatchObject({ width: 32, height: 16, blocks: [] });
      expect(modules.length).toBeGreaterThan(0);
    },
  );

  journey(
    'a face finder that does not arrive is asked for again on request',
    { opens: true },
    async ({ page, context }) => {
      await context.route('**/face_detector.*', (route) => route.abort());
      await open(page);
      await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
      await page.waitForSelector('#error-message:visible');
      expect(await page.textContent('#error-message')).toContain('could not be loaded');
      await context.unroute('**/face_detector.*');
      await page.click('#error-message button:has-text("Try again")');
      await waitForFaces(page);
      await cleanPhoto(page);
    },
  );
});
