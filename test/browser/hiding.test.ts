import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { journey } from './journey.ts';
import {
  cleanPhoto,
  cleanPng,
  drag,
  drop,
  open,
  screenshot,
  tabTo,
  toWindow,
  useKey,
  waitForFaces,
} from './page_actions.ts';
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
      expect(pixelate).toMatchObject({ except: [{}] });
      expect(pixelate).not.toHaveProperty('faces');
      expect(pixelate).not.toHaveProperty('regions');
      expect(pixelate).not.toHaveProperty('strength');
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
      expect(await page.textContent('#result')).toContain('1 face stays visible, as you chose.');
    },
  );

  journey(
    'is the box that a face was given: by pointer and keys, undone and made again',
    async ({ page }) => {
      await openPhoto(page);
      await page.uncheck('#faces');
      const none = await cleanPng(page);
      await page.click('[data-view="edit"]');
      await page.check('#faces');
      /** The boxes in pixels of the photo. */
      const boxes = () =>
        page.locator('.face').evaluateAll((all, width) => {
          const frame = document.querySelector('#frame')!.getBoundingClientRect();
          const scale = width / frame.width;
          return all.map((one) => {
            const { x, y, width: w, height: h } = one.getBoundingClientRect();
            return { x: (x - frame.x) * scale, y: (y - frame.y) * scale, w: w * scale, h: h * scale };
          });
        }, photoSize.width);
      const [firstBox, secondBox] = [0, 1].map((at) => async () => (await boxes())[at]!) as [
        () => Promise<Rectangle>,
        () => Promise<Rectangle>,
      ];
      const found = await boxes();
      // Away from the face, then longer by the handle at its lower right.
      const middle = [first.x + first.w / 2, first.y + first.h / 2] as const;
      await drag(page, middle, [middle[0] + 150, middle[1] + 200]);
      const put = await firstBox();
      expect(put.x).toBeGreaterThan(found[0]!.x + 140);
      await drag(page, [put.x + put.w, put.y + put.h], [put.x + put.w + 20, put.y + put.h + 20]);
      const given = await boxes();
      expect(given[1]).toEqual(found[1]);
      const box = given[0]!;
      expect(box.w).toBeGreaterThan(put.w + 10);
      await expect.poll(() => previewAt(page, box.x + 10, box.y + 10), PATIENT).toEqual(BLACK);
      await screenshot(page, 'hiding-6-moved');
      await page.keyboard.press('Control+z');
      expect((await firstBox()).w).toBeCloseTo(put.w, 0);
      await page.keyboard.press('Control+z');
      expect(await boxes()).toEqual(found);
      await page.keyboard.press('Control+y');
      await page.keyboard.press('Control+y');
      expect(await boxes()).toEqual(given);

      // By keys: all boxes are one stop, and what was found comes back.
      await page.focus('#stage');
      await tabTo(page, '#overlay button');
      await page.keyboard.press('End');
      await page.keyboard.press('PageUp');
      await page.keyboard.press('PageDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Shift+ArrowRight');
      const byKeys = await secondBox();
      expect(await firstBox()).toEqual(box);
      expect(byKeys.y).toBeLessThan(found[1]!.y - 2);
      expect(byKeys.w).toBeGreaterThan(found[1]!.w + 2);
      await page.keyboard.press('Delete');
      expect(await boxes()).toEqual(given);

      const result = await cleanPng(page);
      const inside = {
        x: Math.ceil(box.x),
        y: Math.ceil(box.y),
        w: Math.floor(box.w) - 1,
        h: Math.floor(box.h) - 1,
      };
      expect(brightest(result, inside)).toBe(0);
      // The face itself, but for what the box still covers.
      for (let y = first.y; y < Math.min(first.y + first.h, box.y - 2); y++) {
        for (let x = first.x + 20; x < Math.min(first.x + first.w - 20, box.x - 2); x++)
          expect(colourAt(result, x, y).join()).toBe(colourAt(none, x, y).join());
      }
      const report = await page.textContent('#result');
      expect(report).toContain('1 face was found and hidden.');
      expect(report).toContain('1 face was hidden, as you chose.');
      expect(report).not.toContain('stays visible');
    },
  );

  journey(
    'by the second look is shown before it is saved, and each of it can be taken back',
    { opens: true },
    async ({ page }) => {
      const hand = { x: 380, y: 430, w: 90, h: 120, confidence: 0.7 };
      // Drawn people have nothing that only the second look takes for a face: the answer is made to say so.
      await page.addInitScript((added) => {
        const { json } = Response.prototype;
        Response.prototype.json = async function read() {
          const answer = await json.call(this);
          if (!answer.report) return answer;
          if (!answer.report.secondLook) throw new Error('The second look was not asked for');
          return { ...answer, report: { ...answer.report, facesOnSecondLook: 1, secondLook: [added] } };
        };
      }, hand);
      await open(page);
      await useKey(page);
      await openPhoto(page);
      await cleanPhoto(page);
      expect(await page.textContent('#result')).toContain('A second look found 1 spot that may be a face');
      const spot = page.locator('#added-list button');
      expect(await spot.getAttribute('aria-pressed')).toBe('true');
      const mark = (await page.locator('#compare-added .mark').boundingBox())!;
      const compare = (await page.locator('#compare').boundingBox())!;
      // Its tight box: the report's is padded by 1.5.
      expect((mark.x - compare.x) / compare.width).toBeCloseTo(395 / 900, 2);
      expect(mark.height / compare.height).toBeCloseTo(80 / 640, 2);
      await screenshot(page, 'hiding-4-second-look');

      await spot.click();
      await page.waitForSelector('#added-list [aria-pressed="false"]');
      const snippet = () => page.textContent('#snippet');
      await expect.poll(snippet, PATIENT).toContain('"except":[{"x":395,"y":450,"w":60,"h":80}]');
      await screenshot(page, 'hiding-5-taken-back');
      // And hidden again, without the edit that it was.
      await spot.click();
      await page.waitForSelector('#added-list [aria-pressed="true"]');
      await expect.poll(snippet, PATIENT).not.toContain('except');
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
