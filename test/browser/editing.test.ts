import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { journey } from './journey.ts';
import {
  boxValues,
  cleanPhoto,
  download,
  drag,
  drop,
  dropPhonePhoto,
  open,
  screenshot,
  tabTo,
  toWindow,
} from './page_actions.ts';
import { boardPhoto, people, SEEN_ABOVE_BOARD } from './photos.ts';
import { brightest, detail, difference, maxBlockDeviation, pixelsOf } from './pixel_measures.ts';
import { moveFingers, phone, swipe } from './touch.ts';

const centre = ({ x, y, w, h }: (typeof people)[number]) => [x + w / 2, y + h / 2] as const;

const zoomOf = async (page: Page) => Number.parseFloat((await page.textContent('#zoom-fit'))!) / 100;

async function openPhoto(page: Page, file?: Buffer): Promise<Buffer> {
  if (page.url() === 'about:blank') await open(page);
  if (!file) return dropPhonePhoto(page);
  await drop(page, file, 'holiday.jpg', 'image/jpeg');
  await page.waitForSelector('.face');
  await page.waitForSelector('#progress', { state: 'hidden' });
  return file;
}

describe('zoom', () => {
  journey(
    'by wheel, keys, buttons and double click; what is drawn then lies where it was drawn',
    { opens: true },
    async ({ page }) => {
      const photo = await openPhoto(page);
      // Where a shirt ends, so that there is something to hide.
      const [x, y] = [360, 402] as const;
      const spot = await toWindow(page, x, y);
      await page.mouse.move(spot.x, spot.y);
      await page.mouse.wheel(0, -300);
      await page.waitForFunction(
        () => Number.parseFloat(document.querySelector('#zoom-fit')!.textContent!) > 150,
      );
      // What was under the pointer still is.
      const after = await toWindow(page, x, y);
      expect(Math.hypot(after.x - spot.x, after.y - spot.y)).toBeLessThan(1.5);

      await drag(page, [320, 420], [400, 385]);
      const [left, top, width, height] = await boxValues(page);
      for (const [actual, expected] of [
        [left!, 320],
        [top!, 385],
        [width!, 80],
        [height!, 35],
      ] as const) {
        expect(Math.abs(actual - expected)).toBeLessThan(2);
      }
      const drawnCount = await page.locator('.region').count();
      const held = await toWindow(page, 0, 0);
      await page.keyboard.down('Space');
      await drag(page, [300, 400], [320, 400]);
      await page.keyboard.up('Space');
      expect((await toWindow(page, 0, 0)).x).toBeGreaterThan(held.x + 5);
      expect(await page.locator('.region').count()).toBe(drawnCount);
      const zoomed = await zoomOf(page);
      await page.click('#zoom-in');
      expect(await zoomOf(page)).toBeCloseTo(1.5 * zoomed, 1);
      await page.focus('#stage');
      const before = await toWindow(page, 0, 0);
      await page.keyboard.press('ArrowRight');
      expect((await toWindow(page, 0, 0)).x).toBeCloseTo(before.x - 60, 0);
      await page.keyboard.press('0');
      expect(await zoomOf(page)).toBe(1);
      expect(await page.isDisabled('#zoom-out')).toBe(true);
      await page.keyboard.press('+');
      await screenshot(page, 'editing-zoomed');
      await page.keyboard.press('-');
      expect(await zoomOf(page)).toBe(1);
      const corner = await toWindow(page, 850, 60);
      await page.mouse.dblclick(corner.x, corner.y);
      expect(await zoomOf(page)).toBe(3);
      await page.mouse.dblclick(corner.x, corner.y);
      expect(await zoomOf(page)).toBe(1);
      expect(await page.locator('.region').count()).toBe(1);

      await cleanPhoto(page);
      const { bytes } = await download(page);
      const drawn = { x: left!, y: top!, w: width!, h: height! };
      expect(maxBlockDeviation(await pixelsOf(photo), drawn, 19)).toBeGreaterThan(40);
      expect(brightest(await pixelsOf(bytes), drawn)).toBeLessThan(24);
    },
  );

  journey('moves a focused region into sight', { opens: true }, async ({ page }) => {
    await openPhoto(page);
    await drag(page, [20, 20], [80, 70]);
    await drag(page, [820, 560], [880, 620]);
    const corner = await toWindow(page, 895, 20);
    await page.mouse.dblclick(corner.x, corner.y);
    const inStage = () =>
      page.evaluate(() => {
        const stage = document.querySelector('#stage')!.getBoundingClientRect();
        const box = document.activeElement!.getBoundingClientRect();
        return (
          box.left >= stage.left - 1 &&
          box.top >= stage.top - 1 &&
          box.right <= stage.right + 1 &&
          box.bottom <= stage.bottom + 1
        );
      });
    await page.focus('#stage');
    await tabTo(page, '#overlay button');
    await page.keyboard.press('End');
    for (const key of ['PageUp', 'PageDown']) {
      await page.keyboard.press(key);
      expect(await page.evaluate(() => document.activeElement!.className)).toContain('region');
      expect(await inStage()).toBe(true);
    }
  });
});

describe('on a phone', () => {
  journey(
    'a swipe scrolls, two fingers zoom, a tap on a crop shows a face, and Hide draws',
    { ...phone, opens: true },
    async ({ page, context }) => {
      const photo = await openPhoto(page);
      const session = await context.newCDPSession(page);
      await page.locator('#frame').scrollIntoViewIfNeeded();
      await page.evaluate(() => scrollTo(0, 0));
      const scrolled = () => page.evaluate(() => scrollY);

      await swipe(page, session, [450, 600], [450, 60]);
      await page.waitForFunction(() => scrollY > 60);
      expect(await page.locator('.region').count()).toBe(0);
      await page.evaluate(() => scrollTo(0, 0));

      // Two fingers, from 200 pixels apart to 600.
      await moveFingers(page, session, [
        [
          [350, 320],
          [150, 200],
        ],
        [
          [550, 320],
          [750, 440],
        ],
      ]);
      expect(await zoomOf(page)).toBeGreaterThan(2.5);
      expect(await scrolled()).toBe(0);
      await screenshot(page, 'editing-phone-zoomed');
      // One finger now moves the photo.
      const before = await toWindow(page, 0, 0);
      await swipe(page, session, [450, 320], [400, 300]);
      const after = await toWindow(page, 0, 0);
      expect(after.x).toBeLessThan(before.x - 10);
      expect(after.y).toBeLessThan(before.y - 5);
      expect(await scrolled()).toBe(0);
      await page.tap('#zoom-fit');
      expect(await zoomOf(page)).toBe(1);

      const crops = page.locator('#face-list button');
      expect(await crops.count()).toBe(people.length);
      for (const crop of await crops.all()) {
        const { width, height } = (await crop.boundingBox())!;
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      }
      await crops.nth(1).tap();
      expect(await crops.nth(1).getAttribute('aria-pressed')).toBe('false');
      expect(await page.textContent('#faces-visible')).toBe('1 face is visible');

      await page.tap('[data-tool="hide"]');
      await page.evaluate(() => scrollTo(0, 0));
      await swipe(page, session, [350, 480], [520, 600]);
      await page.waitForSelector('.region');
      expect(await scrolled()).toBe(0);
      const [x, y, w, h] = await boxValues(page);
      await screenshot(page, 'editing-phone-drawn');
      await cleanPhoto(page);
      const { bytes } = await download(page);
      const [source, result] = [await pixelsOf(photo), await pixelsOf(bytes)];
      const left = people.find((face) => detail(result, face) > 0.1)!;
      expect(people.filter((face) => detail(result, face) < 0.1)).toHaveLength(1);
      expect(detail(source, left)).toBeGreaterThan(0.12);
      const drawn = { x: x!, y: y!, w: w!, h: h! };
      expect(detail(result, drawn)).toBeLessThan(detail(source, drawn) / 2);
    },
  );
});

describe('undo and redo', () => {
  journey(
    'by buttons and keys, a drag at a time; the result is that of what is shown',
    { opens: true },
    async ({ page }) => {
      const photo = await openPhoto(page);
      expect(await page.isDisabled('#undo')).toBe(true);
      const count = () => page.locator('.region').count();

      await drag(page, [350, 480], [520, 600]);
      await drag(page, [435, 540], [435, 480]);
      const moved = await boxValues(page);
      const face = await toWindow(page, ...centre(people[1]!));
      await page.mouse.click(face.x, face.y);
      await page.click('#advanced summary');
      await page.fill('#strength', '5');
      expect(await page.textContent('#faces-visible')).toBe('1 face is visible');

      await page.keyboard.press('Control+z');
      expect(await page.inputValue('#strength')).toBe('3');
      await page.keyboard.press('Control+z');
      expect(await page.textContent('#faces-found')).toContain('all hidden');
      await page.keyboard.press('Control+z');
      expect((await boxValues(page))[1]! - moved[1]!).toBeGreaterThan(50);
      await page.click('#undo');
      expect(await count()).toBe(0);
      expect(await page.isDisabled('#undo')).toBe(true);
      await page.click('#redo');
      await page.keyboard.press('Control+Shift+z');
      expect(await boxValues(page)).toEqual(moved);
      await page.keyboard.press('Control+y');
      expect(await page.textContent('#faces-visible')).toBe('1 face is visible');

      // Deleted and brought back.
      await page.focus('.region');
      await page.keyboard.press('Delete');
      expect(await count()).toBe(0);
      await page.keyboard.press('Control+z');
      expect(await count()).toBe(1);
      // A new step forgets what was undone.
      await page.keyboard.press('Control+z');
      await drag(page, [20, 20], [90, 90]);
      expect(await page.isDisabled('#redo')).toBe(true);
      await page.keyboard.press('Control+z');

      await cleanPhoto(page);
      const { bytes } = await download(page);
      const [source, result] = [await pixelsOf(photo), await pixelsOf(bytes)];
      const [x, y, w, h] = moved;
      expect(brightest(result, { x: x!, y: y!, w: w!, h: h! })).toBeLessThan(24);
      const undone = { x: 20, y: 20, w: 70, h: 70 };
      expect(detail(result, undone)).toBeGreaterThan(detail(source, undone) / 2);
    },
  );
});

describe('crop', () => {
  journey('with handles, held to a ratio, to the pixel', { opens: true }, async ({ page }) => {
    const photo = await openPhoto(page);
    await page.click('[data-tool="crop"]');
    await page.selectOption('#crop-ratio', '1:1');
    expect(await boxValues(page, '#crop-box .box-row')).toEqual([130, 0, 640, 640]);
    // By the handle at the lower right, then by the left edge.
    await drag(page, [770, 640], [570, 440]);
    let [x, y, w, h] = await boxValues(page, '#crop-box .box-row');
    expect([x, y]).toEqual([130, 0]);
    expect(w).toBe(h);
    expect(Math.abs(w! - 440)).toBeLessThan(4);
    await page.selectOption('#crop-ratio', '16:9');
    await drag(page, [350, y! + h! / 2], [350, y! + h! / 2 + 60]);
    [x, y, w, h] = await boxValues(page, '#crop-box .box-row');
    expect(Math.abs(w! / h! - 16 / 9)).toBeLessThan(0.01);
    await screenshot(page, 'editing-crop');
    await page.click('[data-tool="hide"]');
    await cleanPhoto(page);
    const { bytes } = await download(page);
    const result = await pixelsOf(bytes);
    expect([result.width, result.height]).toEqual([w, h]);
    // It is that part of the photo: between both people, where nothing is hidden.
    const strip = { left: 370, width: 80, height: h! - 20 };
    const cut = (file: Buffer, left: number, top: number) =>
      sharp(file)
        .rotate()
        .extract({ ...strip, left, top })
        .png()
        .toBuffer();
    const before = await sharp(photo).rotate().toBuffer();
    const expected = await pixelsOf(await cut(before, strip.left, y! + 10));
    const actual = await pixelsOf(await cut(bytes, strip.left - x!, 10));
    expect(difference(expected, actual, []).mean).toBeLessThan(4);
  });
});

describe('uncertain spots', () => {
  /** What is seen of the person behind the board. */
  const seen = { ...people[1]!, h: Math.floor(people[1]!.h * SEEN_ABOVE_BOARD) };

  journey('are marked on the photo, and hidden on request', { opens: true }, async ({ page }) => {
    await openPhoto(page, await boardPhoto());
    const spots = page.locator('#spot-list button');
    const states = () => spots.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.state));
    expect(await page.locator('#face-list button').count()).toBe(1);
    expect(await states()).toEqual(['shown']);
    const mark = (await page.locator('.spot').boundingBox())!;
    const middle = await toWindow(page, ...centre(people[1]!));
    expect(Math.abs(mark.x + mark.width / 2 - middle.x)).toBeLessThan(15);
    await screenshot(page, 'editing-spots');
    await spots.first().click();
    expect(await states()).toEqual(['hidden']);
    await cleanPhoto(page);
    const result = await pixelsOf((await download(page)).bytes);
    expect(detail(result, people[0]!)).toBeLessThan(0.1);
    expect(detail(result, seen)).toBeLessThan(0.1);
    expect(await page.textContent('#result')).toContain('2 faces were found and hidden.');
    // Taken back by its own button.
    await page.click('[data-view="edit"]');
    await spots.first().click();
    expect(await states()).toEqual(['shown']);
  });
});
