import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { journey } from './journey.ts';
import { cleanPng, drag, drop, screenshot, tabTo, toWindow, waitForFaces } from './page_actions.ts';
import { people, phoneJpeg, photoSize } from './photos.ts';
import { brightest, colourAt, pixelsOf, type Rectangle } from './pixel_measures.ts';

/** As it is seen, with its opacity. */
const BLACK = [0, 0, 0, 255];
const [first, second] = people as [Rectangle, Rectangle];
/** Between and below the two people. */
const solid = { x: 380, y: 430, w: 100, h: 90 };
const blocks = { x: 380, y: 540, w: 100, h: 76 };

async function openPhoto(page: Page): Promise<void> {
  await drop(page, await phoneJpeg(), 'Anna at the clinic.jpg', 'image/jpeg');
  await waitForFaces(page);
}

/** Other programs may be beside the browser. */
const PATIENT = { timeout: 20_000 };

const draw = (page: Page, { x, y, w, h }: Rectangle) => drag(page, [x, y], [x + w, y + h]);

async function tap(page: Page, { x, y, w, h }: Rectangle): Promise<void> {
  const middle = await toWindow(page, x + w / 2, y + h / 2);
  await page.mouse.click(middle.x, middle.y);
}

/** What the preview shows at a place of the photo: red, green, blue, opacity. */
const previewAt = (page: Page, x: number, y: number) =>
  page.evaluate(
    ([left, top, width]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('#mosaic')!;
      const scale = canvas.width / width;
      // A copy: reading from the page's own canvas again and again makes the browser remark on it.
      const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
      copy.drawImage(canvas, -Math.round(left * scale), -Math.round(top * scale));
      return [...copy.getImageData(0, 0, 1, 1).data];
    },
    [x, y, photoSize.width] as const,
  );

const opsOf = async (page: Page) => {
  await page.click('#snippet-title');
  await page.click('[data-snippet="curl"]');
  await page.waitForSelector('#snippet:has-text("curl ")');
  return JSON.parse(/ops=(\{.*\})'/.exec((await page.textContent('#snippet'))!)![1]!);
};

describe('what is hidden', () => {
  journey(
    'is black where it was drawn, blocks where that was chosen, and the preview shows it',
    async ({ page }) => {
      await openPhoto(page);
      await draw(page, solid);
      await draw(page, blocks);
      await page.selectOption('#regions .box-row >> nth=1 >> select', 'mosaic');
      await expect.poll(() => previewAt(page, solid.x + 50, solid.y + 45), PATIENT).toEqual(BLACK);
      await expect
        .poll(async () => (await previewAt(page, blocks.x + 50, blocks.y + 38))[3], PATIENT)
        .toBe(255);
      const seen = await previewAt(page, blocks.x + 50, blocks.y + 38);
      await screenshot(page, 'hiding-1-drawn');

      const result = await cleanPng(page);
      expect(brightest(result, solid)).toBe(0);
      expect(brightest(result, blocks)).toBeGreaterThan(0);
      const block = colourAt(result, blocks.x + 50, blocks.y + 38);
      for (const channel of [0, 1, 2]) expect(Math.abs(block[channel]! - seen[channel]!)).toBeLessThan(8);
      const report = await page.textContent('#result');
      expect(report).toContain('1 region was covered in black.');
      expect(report).toContain('Short text and numbers in blocks can still be guessed: cover them in black.');

      await page.click('[data-view="edit"]');
      await page.selectOption('#face-fill', 'solid');
      await expect
        .poll(() => previewAt(page, first.x + first.w / 2, first.y + first.h / 2), PATIENT)
        .toEqual(BLACK);
      await screenshot(page, 'hiding-2-faces');
      const covered = await cleanPng(page);
      for (const face of people) expect(brightest(covered, face)).toBe(0);
    },
  );

  journey(
    'is an oval where that was chosen, by pointer and keys, as the preview shows it to the pixel',
    async ({ page }) => {
      await openPhoto(page);
      await page.focus('[data-tool="crop"]');
      await tabTo(page, '[data-shape="ellipse"]');
      await page.keyboard.press('Enter');
      expect(await page.getAttribute('[data-shape="ellipse"]', 'aria-pressed')).toBe('true');
      await draw(page, solid);
      const oval = page.locator('#overlay .ellipse');
      expect(await oval.getAttribute('aria-label')).toContain('oval');
      const seen = await oval.boundingBox();
      // Moved, made larger, and both undone at once.
      await page.focus('#stage');
      await tabTo(page, '#overlay button');
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Shift+ArrowDown');
      const changed = await oval.boundingBox();
      expect(changed!.x).toBeLessThan(seen!.x);
      expect(changed!.height).toBeGreaterThan(seen!.height);
      await page.keyboard.press('Control+z');
      expect(await oval.boundingBox()).toEqual(seen);
      await expect.poll(() => previewAt(page, solid.x + 50, solid.y + 45), PATIENT).toEqual(BLACK);
      expect((await previewAt(page, solid.x + 6, solid.y + 6))[3]).toBe(0);

      const shape = '#regions .box-row select[name="shape"]';
      expect(await page.inputValue(shape)).toBe('ellipse');
      await page.selectOption(shape, 'rectangle');
      await expect.poll(() => previewAt(page, solid.x + 6, solid.y + 6), PATIENT).toEqual(BLACK);
      await page.keyboard.press('Control+z');
      await expect.poll(() => previewAt(page, solid.x + 6, solid.y + 6), PATIENT).not.toEqual(BLACK);

      // Another by the button, in blocks.
      await page.click('#add-region');
      expect(await oval.count()).toBe(2);
      await page.selectOption('#regions .box-row >> nth=1 >> select', 'mosaic');
      await page.uncheck('#faces');
      await screenshot(page, 'hiding-7-ovals');
      const preview = await pixelsOf(
        Buffer.from(
          (
            await page.evaluate(() => document.querySelector<HTMLCanvasElement>('#mosaic')!.toDataURL())
          ).slice(22),
          'base64',
        ),
      );
      expect(preview).toMatchObject(photoSize);
      const result = await cleanPng(page);
      await screenshot(page, 'hiding-8-ovals-clean');
      let [inBlack, inBlocks] = [0, 0];
      for (let y = 0; y < photoSize.height; y++) {
        for (let x = 0; x < photoSize.width; x++) {
          const isBlack = colourAt(result, x, y).join() === '0,0,0';
          const shown = preview.pixels.subarray((y * photoSize.width + x) * 4).subarray(0, 4);
          if (y >= solid.y - 2 && isBlack) {
            inBlack++;
            expect([...shown], `${x}, ${y}`).toEqual(BLACK);
          } else if (shown[3] === 255) {
            inBlocks++;
            expect(Math.max(...shown.subarray(0, 3))).toBeGreaterThan(0);
          } else expect(shown[3], `${x}, ${y}`).toBe(0);
        }
      }
      const round = (Math.PI / 4) * solid.w * solid.h;
      expect(inBlack).toBeGreaterThan(round);
      expect(inBlack).toBeLessThan(round * 1.06);
      expect(inBlocks).toBeGreaterThan(0);
      const { pixelate } = await opsOf(page);
      expect(pixelate.regions).toMatchObject([{ fill: 'solid', shape: 'ellipse' }, { shape: 'ellipse' }]);
    },
  );

  journey(
    'is not one face that was tapped: it stays to the pixel, and the other’s blocks are the same',
    async ({ page }) => {
      await openPhoto(page);
      const both = await cleanPng(page);
      await page.click('[data-view="edit"]');
      await page.uncheck('#faces');
      const none = await cleanPng(page);
      await page.click('[data-view="edit"]');
      await page.check('#faces');
      await tap(page, second);
      await expect
        .poll(async () => (await previewAt(page, second.x + 60, second.y + 80))[3], PATIENT)
        .toBe(0);
      const one = await cleanPng(page);
      await screenshot(page, 'hiding-3-spared');
      const { pixelate } = await opsOf(page);
      expect(Object.keys(pixelate)).toEqual(['areas', 'verify']);
      expect(pixelate.areas).toHaveLength(1);
      let spared = 0;
      for (let y = 0; y < photoSize.height; y++) {
        for (let x = 0; x < photoSize.width; x++) {
          const [now, before, plain] = [one, both, none].map((pixels) => colourAt(pixels, x, y).join());
          // Left of the middle is the face that is hidden, right of it the one that stays.
          if (x < photoSize.width / 2) expect(now).toBe(before);
          else {
            expect(now).toBe(plain);
            if (now !== before) spared++;
          }
        }
      }
      expect(spared).toBeGreaterThan(second.w * second.h);
      expect(await page.textContent('#result')).toContain('1 face is visible');
    },
  );

  journey(
    'is faces again at the next visit and for the next photos, whatever was chosen before',
    async ({ page }) => {
      await openPhoto(page);
      await page.uncheck('#faces');
      await page.check('#grayscale');
      expect(await page.textContent('#faces-found')).toBe('Faces are left as they are.');
      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await openPhoto(page);
      expect(await page.isChecked('#grayscale')).toBe(true);
      expect(await page.isChecked('#faces')).toBe(true);

      await page.uncheck('#faces');
      await page.click('#leave');
      await page.waitForSelector('#intake:visible');
      await openPhoto(page);
      expect(await page.isChecked('#faces')).toBe(true);
    },
  );
});
