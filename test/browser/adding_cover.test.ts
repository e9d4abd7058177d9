import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { journey } from './journey.ts';
import {
  cleanPhoto,
  cleanPng,
  drag,
  dropPhonePhoto,
  open,
  screenshot,
  tabTo,
  toWindow,
} from './page_actions.ts';
import { people } from './photos.ts';
import { detail, type Rectangle } from './pixel_measures.ts';
import { phone, swipe } from './touch.ts';

const [first] = people as [Rectangle, Rectangle];
const middle = [first.x + first.w / 2, first.y + first.h / 2] as const;

/** Where the faces are marked, and whether they are hidden. */
const facesOf = (page: Page) =>
  page.locator('.face:not(.thing, .spot)').evaluateAll((all) =>
    all.map((one) => {
      const { style } = one as HTMLElement;
      return [style.translate, style.width, style.height, one.getAttribute('aria-pressed')].join();
    }),
  );

/** Each place where the page counts faces that can be seen. */
async function expectVisible(page: Page, sentence: string): Promise<void> {
  await expect.poll(() => page.textContent('#faces-visible'), { timeout: 20_000 }).toBe(sentence);
  expect(await page.locator('#strip-count.exposed').allTextContents()).toEqual(sentence ? [sentence] : []);
}

/** The ratio of contrast of a text to what is behind it (WCAG 2.2), by its styles. */
const contrastOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const luminance = (colour: string) => {
      const [red, green, blue] = colour
        .match(/[\d.]+/g)!
        .slice(0, 3)
        .map((value) => Number(value) / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as [
        number,
        number,
        number,
      ];
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    let behind: Element | null = element;
    while (behind && /rgba\(.*, 0\)|transparent/.test(getComputedStyle(behind).backgroundColor))
      behind = behind.parentElement;
    const [light, dark] = [
      luminance(getComputedStyle(element).color),
      luminance(behind ? getComputedStyle(behind).backgroundColor : 'rgb(255, 255, 255)'),
    ].sort((a, b) => b - a) as [number, number];
    return (light + 0.05) / (dark + 0.05);
  });

describe('cover is only added', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    journey(
      `by a drag of the mouse, on a face, too; a face that is tapped is said to be visible, ${colorScheme}`,
      { colorScheme },
      async ({ page }) => {
        await dropPhonePhoto(page);
        const found = await facesOf(page);
        await drag(page, middle, [middle[0] + 200, middle[1] + 200]);
        expect(await facesOf(page)).toEqual(found);
        expect(await page.locator('.region').count()).toBe(1);
        await expectVisible(page, '');
        expect(await page.textContent('#faces-found')).toBe('2 faces found, all hidden.');
        expect(await page.textContent('#face-list')).not.toContain('shown');
        const result = await cleanPng(page);
        for (const face of people) expect(detail(result, face)).toBeLessThan(0.1);
        expect(await page.textContent('#result-title')).toBe('Clean');
        // All of it at once: nothing that is hidden is folded.
        const report = (await page.textContent('#report'))!;
        expect(report).toContain('2 faces were found and hidden.');
        expect(report).toContain('1 region was covered in black.');

        await page.click('[data-view="edit"]');
        const other = await toWindow(page, first.x + 10, first.y + 10);
        await page.mouse.click(other.x, other.y);
        await expectVisible(page, '1 face is visible');
        expect(await page.textContent('#announcer')).toContain('1 face is visible');
        for (const place of ['#faces-visible', '#strip-count'])
          expect(await contrastOf(page, place)).toBeGreaterThan(4.5);
        await screenshot(page, `shown-1-visible-${colorScheme}`);
        await cleanPhoto(page);
        await page.waitForSelector('#stale', { state: 'hidden' });
        expect(await page.textContent('#report .exposed')).toBe('1 face is visible');
        expect(await contrastOf(page, '#report .exposed')).toBeGreaterThan(4.5);
        expect(await page.textContent('#result-title')).toBe('Metadata removed.');
        await screenshot(page, `shown-2-visible-result-${colorScheme}`);
      },
    );
  }

  journey('by a finger that starts on a face', { ...phone, opens: true }, async ({ page, context }) => {
    await open(page);
    await dropPhonePhoto(page);
    const session = await context.newCDPSession(page);
    await page.tap('[data-tool="hide"]');
    await page.evaluate(() => scrollTo(0, 0));
    const found = await facesOf(page);
    await swipe(page, session, middle, [middle[0] + 150, middle[1] + 150]);
    expect(await facesOf(page)).toEqual(found);
    expect(await page.locator('.region').count()).toBe(1);
    await expectVisible(page, '');
    const place = await toWindow(page, first.x + 10, first.y + 10);
    await page.touchscreen.tap(place.x, place.y);
    await expectVisible(page, '1 face is visible');
    await page.touchscreen.tap(place.x, place.y);
    await expectVisible(page, '');
    expect(await facesOf(page)).toEqual(found);
    await screenshot(page, 'shown-3-phone');
    const result = await cleanPng(page);
    for (const face of people) expect(detail(result, face)).toBeLessThan(0.1);
  });

  journey('and keys lead from face to face, and never move one', async ({ page }) => {
    await dropPhonePhoto(page);
    const found = await facesOf(page);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.face);
    await page.focus('#stage');
    await tabTo(page, '#overlay button');
    const start = await focused();
    await page.keyboard.press('ArrowRight');
    const next = await focused();
    expect([start, next].toSorted()).toEqual(['0', '1']);
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe(start);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(next);
    for (const key of ['ArrowDown', 'Shift+ArrowRight', 'Control+ArrowLeft', 'Delete', 'Backspace'])
      await page.keyboard.press(key);
    expect(await facesOf(page)).toEqual(found);
    await page.keyboard.press('Enter');
    await expectVisible(page, '1 face is visible');
    await page.keyboard.press('Space');
    await expectVisible(page, '');
    expect(await facesOf(page)).toEqual(found);
  });

  journey('and with faces off nothing is called clean', async ({ page }) => {
    await dropPhonePhoto(page);
    await page.uncheck('#faces');
    await cleanPhoto(page);
    expect(await page.textContent('#result-title')).toBe('Metadata removed. Faces are visible.');
    expect(await page.textContent('#report .exposed')).toBe('2 faces are visible');
    await page.click('[data-view="edit"]');
    await expectVisible(page, '2 faces are visible');
  });
});
