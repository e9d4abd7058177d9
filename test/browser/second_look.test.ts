import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { journey } from './journey.ts';
import { cleanPng, download, dropPhonePhoto, open, screenshot, tabTo, useKey } from './page_actions.ts';
import { detail, pixelsOf } from './pixel_measures.ts';
import { phone } from './touch.ts';

describe('what a second look finds', () => {
  const hand = { x: 380, y: 430, w: 90, h: 120, confidence: 0.7 };

  /**
   * Drawn people have nothing that only a second look takes for a face: the first answer is made to say so.
   */
  async function openWithHand(page: Page): Promise<void> {
    await page.addInitScript((listed) => {
      const { json } = Response.prototype;
      let isFirst = true;
      Response.prototype.json = async function read() {
        const answer = await json.call(this);
        if (!answer.report || !isFirst) return answer;
        isFirst = false;
        return { ...answer, report: { ...answer.report, facesOnSecondLook: 1, secondLook: [listed] } };
      };
    }, hand);
    await open(page);
    await useKey(page);
    await dropPhonePhoto(page);
  }

  const presses = [
    { name: 'the mouse', options: {}, press: (page: Page) => page.click('#missed-list button') },
    { name: 'a finger', options: phone, press: (page: Page) => page.tap('#missed-list button') },
    {
      name: 'keys',
      options: {},
      press: async (page: Page) => {
        await page.focus('#result-title');
        await tabTo(page, '#missed-list button');
        await page.keyboard.press('Enter');
      },
    },
  ];
  for (const { name, options, press } of presses) {
    journey(
      `is offered, and hidden only when asked, by ${name}`,
      { ...options, opens: true },
      async ({ page }) => {
        await openWithHand(page);
        const opsOf = async () => {
          if (!(await page.isVisible('#snippet'))) await page.click('#snippet-title');
          await page.click('[data-snippet="curl"]');
          await page.waitForSelector('#snippet:has-text("curl ")');
          return JSON.parse(/ops=(\{.*\})'/.exec((await page.textContent('#snippet'))!)![1]!);
        };
        const before = await cleanPng(page);
        expect(await page.textContent('#result')).not.toContain('hid it');
        expect(await page.isVisible('#missed')).toBe(true);
        expect(await page.textContent('#missed-title')).toBe('Maybe missed: hide?');
        expect(await page.textContent('#announcer')).toMatch(/hidden\. .*Maybe missed: hide\?$/);
        expect((await opsOf()).pixelate).toMatchObject({ areas: [{}, {}], verify: 'list' });
        expect(await page.textContent('#report')).toContain('2 faces were found and hidden.');
        const thumbnail = await page
          .locator('#missed-list canvas')
          .evaluate((canvas: HTMLCanvasElement) => [
            ...canvas.getContext('2d')!.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data,
          ]);
        expect(thumbnail[3]).toBe(255);
        const mark = (await page.locator('#compare-missed .mark').boundingBox())!;
        const compare = (await page.locator('#compare').boundingBox())!;
        // Its tight box: the report's is padded by 1.5.
        expect((mark.x - compare.x) / compare.width).toBeCloseTo(395 / 900, 1);
        await page.locator('#missed').scrollIntoViewIfNeeded();
        await screenshot(page, `shown-6-missed-${name.replace(' ', '-')}`);

        await press(page);
        await page.waitForSelector('#missed', { state: 'hidden' });
        await page.waitForSelector('#progress', { state: 'hidden' });
        await expect
          .poll(() => page.textContent('#report'), { timeout: 20_000 })
          .toContain('3 faces were found and hidden.');
        const { areas } = (await opsOf()).pixelate;
        expect(areas).toHaveLength(3);
        expect(areas).toContainEqual({ x: 380, y: 430, w: 90, h: 120 });
        const after = await pixelsOf((await download(page)).bytes);
        expect(detail(before, hand)).toBeGreaterThan(0.02);
        expect(detail(after, hand)).toBeLessThan(detail(before, hand) / 2);
        // It is a face that the person added: Edit has it, and a tap takes it back.
        await page.click('[data-view="edit"]');
        expect(await page.locator('#face-list button').count()).toBe(3);
      },
    );
  }
});
