import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journey } from './journey.ts';
import { drop, open, useKey, waitForFaces } from './page_actions.ts';
import { phoneJpeg, photoSize } from './photos.ts';

const COUNT = 330;
/** One that is not turned. */
const AT = 103;
const LINE = `.thing >> nth=${AT}`;

/** A page of lines in reading order, some of them turned. */
const lines = Array.from({ length: COUNT }, (_, n) => {
  const [x, y] = [(n % 11) * 80 + 6, Math.floor(n / 11) * 21 + 4];
  const corners = [
    { x, y: y + 6 },
    { x: x + 68, y },
    { x: x + 70, y: y + 9 },
    { x: x + 2, y: y + 15 },
  ];
  return { kind: 'text', x, y, w: 70, h: 15, confidence: 0.9, ...(n % 3 === 0 && { corners }) };
});

const answerWithLines = (page: Page) =>
  page.addInitScript((boxes) => {
    const { json } = Response.prototype;
    Response.prototype.json = async function read() {
      const answer = await json.call(this);
      return answer.boxes ? { ...answer, boxes } : answer;
    };
  }, lines);

journey(
  'hundreds of lines lie where they were found, and have styles that no layout makes anew',
  { opens: true },
  async ({ page }) => {
    await answerWithLines(page);
    await open(page);
    await useKey(page);
    await drop(page, await phoneJpeg(), 'page.jpg', 'image/jpeg');
    await waitForFaces(page);
    await page.check('#text');
    await page.waitForSelector('.thing');
    await page.waitForSelector('#progress', { state: 'hidden' });
    expect(await page.locator('.thing').count()).toBe(COUNT);
    const line = lines[AT]!;
    const isAtLine = async () => {
      const frame = (await page.locator('#frame').boundingBox())!;
      const box = (await page.locator(LINE).boundingBox())!;
      const scale = frame.width / photoSize.width;
      expect((box.x - frame.x) / scale).toBeCloseTo(line.x, 0);
      expect((box.y - frame.y) / scale).toBeCloseTo(line.y, 0);
      expect(box.width / scale).toBeCloseTo(line.w, 0);
      expect(box.height / scale).toBeCloseTo(line.h, 0);
    };
    await isAtLine();
    // Those that hang on the container's size are computed anew at every layout, five times for one tap.
    const styles = await page.locator('.thing').evaluateAll((all) => all.map((one) => one.style.cssText));
    expect(styles.filter((style) => /\dcq|var\(/.test(style))).toEqual([]);
    await page.locator(LINE).dispatchEvent('click');
    await page.waitForSelector('.thing[aria-pressed="false"]');
    await page.click('#zoom-in');
    await isAtLine();
  },
);
