import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { visit } from './chromium.ts';
import { people, phoneJpeg } from './photos.ts';
import { clean, drag, drop, onScreen, open, served, settled, shoot, useKey } from './steps.ts';

const MOST_KILOBYTES = 60;

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds wrong with the page as it is now, one line a fault. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const looks = [
  ['light', { colorScheme: 'light' as const }],
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { ...phone, colorScheme: 'light' as const, reducedMotion: 'reduce' as const }],
] as const;

describe.skipIf(!served)('how it looks', () => {
  it.each(looks)('%s: no state has a fault that axe knows', async (name, options) => {
    await using visitor = await visit(options);
    const { page } = visitor;
    const faults: string[] = [];
    const look = async (state: string) => {
      await shoot(page, `${name}-${state}`);
      faults.push(...(await violations(page)).map((fault) => `${state}: ${fault}`));
    };
    await open(page);
    await look('1-empty');
    await page.click('#key-toggle');
    await look('2-key');
    await page.click('#key-toggle');
    await useKey(page);
    await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
    await settled(page);
    await look('3-faces');
    if (name !== 'phone') {
      await drag(page, [350, 480], [520, 600]);
      await page.click('[data-tool="crop"]');
      await drag(page, [60, 40], [860, 620]);
      await page.click('[data-tool="hide"]');
      const { x, y, w, h } = people[1]!;
      const face = await onScreen(page, x + w / 2, y + h / 2);
      await page.mouse.click(face.x, face.y);
      expect(await page.textContent('#faces-found')).toContain('1 left as it is');
      await look('4-edited');
    }
    await clean(page);
    await look('5-result');
    await drop(page, Buffer.from('These are words.'), 'words.txt', 'text/plain');
    await page.waitForSelector('#trouble:visible');
    await look('6-trouble');
    expect(faults).toEqual([]);
  });

  it('is here at once, is light, and asks nobody for anything', async () => {
    await using visitor = await visit();
    const { page, requests, printed } = visitor;
    const sizes: Promise<number>[] = [];
    page.on('response', (answer) => {
      if (/\.(js|css)$/.test(answer.url())) sizes.push(answer.body().then((body) => gzipSync(body).length));
    });
    await open(page);
    await page.waitForSelector('#intake:visible');
    await page.waitForLoadState('networkidle');
    const kilobytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1024;
    expect(sizes).toHaveLength(2);
    expect(kilobytes).toBeGreaterThan(1);
    expect(kilobytes).toBeLessThanOrEqual(MOST_KILOBYTES);
    expect(requests.filter((address) => !address.startsWith(served!.address))).toEqual([]);
    expect(requests.filter((address) => address.includes('/v1/'))).toEqual([]);
    expect(printed).toEqual([]);
  });

  it('keeps the key to this page, unless it is asked to keep it for the tab', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    const stored = () =>
      page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
    await open(page);
    await useKey(page);
    expect(await stored()).toBe('[{},{},""]');
    await page.click('#key-toggle');
    await page.check('#key-keep');
    expect(await stored()).toContain(served!.key);
    await page.reload();
    expect(await page.textContent('#key-toggle')).toBe('API key in use');
    await page.click('#key-toggle');
    await page.click('#key-forget');
    expect(await stored()).toBe('[{},{},""]');
  });
});
