import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { journey } from './journey.ts';
import {
  boxValues,
  cleanPhoto,
  dataTransferOf,
  download,
  open,
  served,
  tabTo,
  toWindow,
  useKey,
  waitForFaces,
} from './page_actions.ts';
import { classFaces, classJpeg, people, phoneJpeg, photoSize } from './photos.ts';
import { brightest, pixelsOf } from './pixel_measures.ts';
import { phone, swipe } from './touch.ts';

/** Pixels that an arrow key moves a box by: 1 % of the photo's longer side. */
const STEP = 9;

describe('by keyboard alone', () => {
  journey('from the first Tab to the download', { opens: true }, async ({ page }) => {
    // Awaited from the start: a chooser that opens before the listener is set up is never reported.
    const chooser = page.waitForEvent('filechooser');
    await open(page);
    const { keyboard } = page;
    await tabTo(page, '#key-toggle');
    await keyboard.press('Enter');
    await keyboard.press('Space');
    await tabTo(page, '#key-input');
    await keyboard.type(served!.key);
    await keyboard.press('Enter');
    await page.waitForSelector('#key-forget:visible');
    await keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('key-toggle');

    await tabTo(page, '#choose');
    await keyboard.press('Enter');
    await (await chooser).setFiles({
      name: 'holiday.jpg',
      mimeType: 'image/jpeg',
      buffer: await phoneJpeg(),
    });
    await waitForFaces(page);

    await tabTo(page, '#add-region');
    await keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.region'));
    const [x, y, w, h] = await boxValues(page);
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowDown');
    await keyboard.press('Shift+ArrowLeft');
    await keyboard.press('Control+ArrowUp');
    expect(await boxValues(page)).toEqual([x! + STEP, y! + STEP - 1, w! - STEP, h!]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain(
      'Region 1',
    );
    expect(await page.textContent('#announcer')).toContain('pixels at');

    // A second region, added and removed.
    await page.focus('#add-region');
    await keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.region').length === 2);
    await keyboard.press('Delete');
    await page.waitForFunction(() => document.querySelectorAll('.region').length === 1);

    await page.focus('#add-region');
    await tabTo(page, '#face-list button');
    await keyboard.press('Space');
    expect(await page.textContent('#faces-visible')).toBe('1 face is visible');
    await keyboard.press('Space');

    await tabTo(page, '#clean');
    await keyboard.press('Enter');
    await page.waitForSelector('#result:visible');
    await page.waitForFunction(() => document.activeElement?.id === 'result-title');
    expect(await page.textContent('#announcer')).toContain('Clean: 900 by 640 pixels');
    // All of the clean photo; the original by a key, and while the photo is held.
    expect(await page.isVisible('#before')).toBe(false);
    await page.focus('#show-original');
    for (const isShown of [true, false]) {
      await keyboard.press('Enter');
      expect(await page.isVisible('#before')).toBe(isShown);
    }
    await page.locator('#compare').hover();
    await page.mouse.down();
    await page.waitForSelector('#before:visible');
    await page.mouse.up();
    expect(await page.isVisible('#before')).toBe(false);
    expect(await page.locator('#report li').count()).toBe(4);
    expect(await page.isVisible('#snippet')).toBe(false);
    await tabTo(page, '#download');
    const { bytes } = await download(page, () => keyboard.press('Enter'));
    expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
  });
});

describe('by keyboard alone, of 26 faces and 3 regions', () => {
  const focused = (page: Page, attribute: string) =>
    page.evaluate((name) => document.activeElement?.getAttribute(name), attribute);

  journey('files, faces, their boxes and regions are one Tab each', async ({ page }) => {
    const { keyboard } = page;
    const file = { name: 'class.jpg', mimeType: 'image/jpeg', buffer: await classJpeg() };
    await page.setInputFiles('#file', [file, { ...file, name: 'other.jpg' }]);
    await waitForFaces(page);
    expect(await page.locator('#face-list button').count()).toBe(classFaces.length);
    for (const _ of [1, 2, 3]) await page.click('#add-region');
    await page.waitForSelector('.region >> nth=2');
    // None hides another.
    const labels = await page
      .locator('.region')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!.replace(/^Region \d/, '')));
    expect(new Set(labels).size).toBe(3);

    // From the head of the page to the button, counted.
    await page.focus('#language');
    const stops: string[] = [];
    const hidden: string[] = [];
    for (let presses = 0; presses < 80 && stops.at(-1) !== 'clean'; presses++) {
      await keyboard.press('Tab');
      hidden.push(
        ...(await page.evaluate(() => {
          const [focused, button] = [document.activeElement!, document.querySelector('.action')!];
          if (!focused.closest('.panel') || focused.closest('.action')) return [];
          const isBelow = focused.getBoundingClientRect().bottom > button.getBoundingClientRect().top;
          return isBelow ? [focused.outerHTML.slice(0, 80)] : [];
        })),
      );
      stops.push(
        await page.evaluate(() => {
          const { id, className, parentElement } = document.activeElement as HTMLElement;
          return id || parentElement?.id || parentElement?.parentElement?.id || className;
        }),
      );
    }
    expect(stops.length).toBeLessThan(36);
    // None of them is behind that button.
    expect(hidden).toEqual([]);
    for (const list of ['strip', 'overlay', 'face-list', 'regions'])
      expect(
        stops.filter((stop) => stop === list),
        list,
      ).toHaveLength(1);

    // Arrows go between regions, Enter into one, Escape back, and the box on the photo is marked.
    await tabTo(page, '#regions > *');
    await keyboard.press('Home');
    await keyboard.press('ArrowDown');
    expect(await focused(page, 'aria-label')).toMatch(/^Region 2, \d+ by \d+ pixels at/);
    expect(await page.locator('.region.pointed').getAttribute('aria-label')).toMatch(/^Region 2,/);
    expect(await page.isVisible('#row-help')).toBe(true);
    await keyboard.press('Enter');
    await keyboard.press('ArrowDown');
    const fills = () =>
      page
        .locator('#regions select[name="fill"]')
        .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value));
    expect(await fills()).toEqual(['solid', 'mosaic', 'solid']);
    await keyboard.press('Tab');
    expect(await focused(page, 'name')).toBe('shape');
    await keyboard.press('Tab');
    expect(await focused(page, 'aria-label')).toBe('Remove region 2');
    await tabTo(page, '#regions summary');
    await keyboard.press('Space');
    await tabTo(page, '#regions input');
    const before = await boxValues(page, '#regions > :nth-child(2)');
    await keyboard.press('ArrowUp');
    await keyboard.press('Escape');
    expect(await boxValues(page, '#regions > :nth-child(2)')).toEqual(before.with(0, before[0]! + 1));
    await keyboard.press('ArrowDown');
    expect(await focused(page, 'aria-label')).toMatch(/^Region 3,/);
    await keyboard.press('ArrowUp');
    await keyboard.press('Delete');
    expect(await page.locator('.region').count()).toBe(2);
    expect(await fills()).toEqual(['solid', 'solid']);
    expect(await focused(page, 'aria-label')).toMatch(/^Region 2,/);
    await keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('#regions'))).toBe(null);
  });
});

describe('from the clipboard', () => {
  journey('a pasted photo is inspected', { by: 'key' }, async ({ page }) => {
    const transfer = await dataTransferOf(page, await phoneJpeg(), 'image.jpg', 'image/jpeg');
    await transfer.evaluate((data) =>
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })),
    );
    await waitForFaces(page);
    expect(await page.textContent('#findings')).toContain('900 × 640');
  });
});

describe('on a phone', () => {
  journey(
    'by touch, 360 pixels wide, with nothing to scroll sideways',
    { ...phone, opens: true },
    async ({ page, context }) => {
      const expectNoOverflow = async () =>
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await open(page);
      await expectNoOverflow();
      await useKey(page);
      await expectNoOverflow();
      await page.setInputFiles('#file', {
        name: 'holiday.jpg',
        mimeType: 'image/jpeg',
        buffer: await phoneJpeg(),
      });
      await waitForFaces(page);
      await expectNoOverflow();
      const session = await context.newCDPSession(page);
      await page.locator('#frame').scrollIntoViewIfNeeded();
      await page.tap('[data-tool="hide"]');
      await swipe(page, session, [350, 480], [520, 600]);
      await page.waitForSelector('.region');
      const drawn = await boxValues(page);
      [350, 480, 170, 120].forEach((expected, at) => {
        expect(Math.abs(drawn[at]! - expected)).toBeLessThan(8);
      });
      // Moved down by its middle.
      await swipe(page, session, [435, 540], [435, 570]);
      expect((await boxValues(page))[1]! - drawn[1]!).toBeGreaterThan(15);

      const face = people[1]!;
      const middle = await toWindow(page, face.x + face.w / 2, face.y + face.h / 2);
      await page.touchscreen.tap(middle.x, middle.y);
      await page.waitForFunction(() =>
        document.querySelector('#faces-visible')?.textContent?.includes('1 face is'),
      );
      await page.touchscreen.tap(middle.x, middle.y);
      await page.waitForFunction(() =>
        document.querySelector('#faces-found')?.textContent?.includes('all hidden'),
      );
      const [x, y, w, h] = await boxValues(page);
      await cleanPhoto(page);
      await expectNoOverflow();
      const { bytes } = await download(page);
      expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
      expect(brightest(await pixelsOf(bytes), { x: x!, y: y!, w: w!, h: h! })).toBeLessThan(24);
    },
  );
});
