import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { drawCar, drawChat, drawWords } from '../fixtures/drawn_scenes.ts';
import type { Picture } from '../fixtures/raster.ts';
import { journey } from './journey.ts';
import { cleanPng, drop, screenshot } from './page_actions.ts';
import type { Rectangle } from './pixel_measures.ts';

const pngOf = ({ width, height, pixels }: Picture): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();

/** The share of a rectangle that is black. */
function blackShare({ width, pixels }: Picture, { x, y, w, h }: Rectangle): number {
  let black = 0;
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w; column++) {
      const at = (row * width + column) * 4;
      if (pixels[at]! + pixels[at + 1]! + pixels[at + 2]! < 24) black++;
    }
  }
  return black / (w * h);
}

async function openPicture(page: Page, picture: Picture, name: string): Promise<void> {
  await drop(page, await pngOf(picture), name, 'image/png');
  await page.waitForSelector('#workbench:visible');
  await page.waitForSelector('#findings > *');
  await page.waitForSelector('#progress', { state: 'hidden' });
}

/** Ticks what is to be looked for, and waits until it has been. */
async function look(page: Page, tick: '#text' | '#plates'): Promise<void> {
  expect(await page.isChecked(tick)).toBe(false);
  await page.check(tick);
  await page.waitForSelector('.thing');
  await page.waitForSelector('#progress', { state: 'hidden' });
}

/** The photo's boxes that are hidden or not, in its pixels. */
const boxesOf = (page: Page, { width }: Picture, isHidden: boolean): Promise<Rectangle[]> =>
  page.evaluate(
    ([hidden, across]) => {
      const frame = document.querySelector('#frame')!.getBoundingClientRect();
      const scale = across / frame.width;
      return [...document.querySelectorAll(`.thing[aria-pressed="${hidden}"]`)].map((element) => {
        const box = element.getBoundingClientRect();
        const [x, y] = [(box.x - frame.x) * scale, (box.y - frame.y) * scale];
        return { x, y, w: box.width * scale, h: box.height * scale };
      });
    },
    [isHidden, width] as const,
  );

/** Clicks the middle of a place of the photo. */
async function clickAt(page: Page, { width }: Picture, { x, y, w, h }: Rectangle): Promise<void> {
  const frame = (await page.locator('#frame').boundingBox())!;
  const scale = frame.width / width;
  await page.mouse.click(frame.x + (x + w / 2) * scale, frame.y + (y + h / 2) * scale);
}

/** Whether two pictures have the same pixels within a box, but for its outermost ones. */
function isSame(one: Picture, other: Picture, { x, y, w, h }: Rectangle): boolean {
  for (let row = Math.ceil(y) + 1; row < y + h - 1; row++) {
    const [start, end] = [Math.ceil(x) + 1, Math.floor(x + w) - 1].map((at) => (row * one.width + at) * 4);
    for (let at = start!; at < end!; at++) if (one.pixels[at] !== other.pixels[at]) return false;
  }
  return true;
}

const opsOf = async (page: Page) => {
  await page.click('#snippet-title');
  await page.click('[data-snippet="curl"]');
  await page.waitForSelector('#snippet:has-text("curl ")');
  return JSON.parse(/ops=(\{.*\})'/.exec((await page.textContent('#snippet'))!)![1]!);
};

describe('text that is looked for', () => {
  journey(
    'is found in a chat by one tick, shown as it will be, and not in the clean picture',
    async (visit) => {
      const { page, requests } = visit;
      const isOfReading = (address: string) => address.includes('/readable_detector');
      const { picture, names, others } = drawChat();
      await openPicture(page, picture, 'chat with Alex.png');
      expect(requests.filter(isOfReading)).toEqual([]);
      await look(page, '#text');
      expect(requests.filter(isOfReading)).not.toEqual([]);
      const hidden = await boxesOf(page, picture, true);
      for (const line of [...names, ...others]) {
        const { x, y, w, h } = line;
        const shown = hidden.some((box) => box.y < y + h / 2 && box.y + box.h > y + h / 2 && box.x < x + w);
        expect(shown, line.text).toBe(true);
      }
      expect(await page.locator('#things li').count()).toBe(hidden.length);
      expect(await page.textContent('#things-found')).toBe(`${hidden.length} texts found, all hidden.`);
      await screenshot(page, 'reading-1-chat');

      const clean = await cleanPng(page);
      expect(await page.textContent('#result')).toMatch(/\d lines? of text (was|were) covered\./);
      for (const line of [...names, ...others])
        expect(blackShare(clean, line), line.text).toBeGreaterThan(0.9);
      await screenshot(page, 'reading-2-clean');
      const { pixelate } = await opsOf(page);
      expect(pixelate).toMatchObject({ areas: hidden.map(() => ({ kind: 'text' })), verify: 'list' });
    },
  );

  journey(
    'stays visible where its box is switched off, and only there; that can be undone',
    async ({ page }) => {
      const { picture, names, others } = drawChat();
      await openPicture(page, picture, 'chat with Alex.png');
      await look(page, '#text');
      const count = await page.locator('.thing').count();
      const pressed = () => page.locator('.thing[aria-pressed="true"]').count();
      await page.locator('#things button').first().click();
      expect(await pressed()).toBe(count - 1);
      await page.keyboard.press('Control+z');
      await expect.poll(pressed).toBe(count);

      const left = others[1]!;
      await clickAt(page, picture, left);
      await expect.poll(pressed).toBe(count - 1);
      expect(await page.locator('#things button[aria-pressed="false"]').count()).toBe(1);
      expect(await page.isChecked('#all-text')).toBe(false);
      const [box] = await boxesOf(page, picture, false);
      await screenshot(page, 'reading-3-one-left');
      const clean = await cleanPng(page);
      expect(await page.textContent('#result')).toContain('1 place with text or a plate stays visible');
      expect(isSame(clean, picture, box!)).toBe(true);
      for (const line of [...names, ...others])
        if (line !== left) expect(blackShare(clean, line), line.text).toBeGreaterThan(0.9);
      await screenshot(page, 'reading-4-one-left');

      // All of it by one switch, then one line alone.
      await page.click('[data-view="edit"]');
      await page.check('#all-text');
      expect(await pressed()).toBe(count);
      await page.uncheck('#all-text');
      expect(await pressed()).toBe(0);
      await clickAt(page, picture, left);
      expect(await pressed()).toBe(1);
      const open = await cleanPng(page);
      expect(blackShare(open, left)).toBeGreaterThan(0.9);
      for (const visible of await boxesOf(page, picture, false))
        expect(isSame(open, picture, visible)).toBe(true);
    },
  );

  journey(
    'of a page is switched off at once, and its words are hidden by a click on each',
    async ({ page }) => {
      const { picture, words } = drawWords();
      await openPicture(page, picture, 'page.png');
      await look(page, '#text');
      const count = await page.locator('.thing').count();
      expect(count).toBeGreaterThan(250);
      expect(await page.locator('#things li').count()).toBe(24);
      expect(await page.textContent('#things .note')).toBe(`+ ${count - 24} on the photo: tap them there`);
      await page.uncheck('#all-text');
      await clickAt(page, picture, words[150]!);
      await clickAt(page, picture, words[7]!);
      expect(await page.locator('.thing[aria-pressed="true"]').count()).toBe(2);
      await screenshot(page, 'reading-5-page');
      const clean = await cleanPng(page);
      for (const [index, word] of words.entries()) {
        const isHidden = index === 150 || index === 7;
        expect(blackShare(clean, word) > 0.9, `${index}`).toBe(isHidden);
        if (!isHidden) expect(isSame(clean, picture, word)).toBe(true);
      }
      expect(await page.textContent('#result')).toContain('2 lines of text were covered.');
    },
  );
});

describe('a number plate that is looked for', () => {
  journey('is covered in the picture of a car for sale', async ({ page }) => {
    const { picture, plate } = drawCar();
    await openPicture(page, picture, 'car.png');
    await look(page, '#plates');
    expect(await page.textContent('#things')).toContain('Plate 1');
    await screenshot(page, 'reading-6-car');
    const clean = await cleanPng(page);
    expect(await page.textContent('#result')).toContain('1 number plate was covered.');
    expect(blackShare(clean, plate)).toBeGreaterThan(0.95);
    const lights = { x: 200, y: 310, w: 80, h: 50 };
    expect(isSame(clean, picture, lights)).toBe(true);
    await screenshot(page, 'reading-7-clean');
    expect((await opsOf(page)).pixelate).toMatchObject({ areas: [{ kind: 'plate' }], verify: 'list' });
  });
});
