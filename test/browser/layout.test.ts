import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { visit } from './chromium.ts';
import { journey } from './journey.ts';
import {
  cleanPhoto,
  drag,
  drop,
  dropPhonePhoto,
  open,
  screenshot,
  served,
  toWindow,
  useKey,
} from './page_actions.ts';
import { boardPhoto, people } from './photos.ts';
import { phone } from './touch.ts';

/** Limit on document, with its style, and script together, compressed. */
const MAX_KILOBYTES = 68;
/** Limit on what the page’s worker loads before there is a photo, compressed: the core and the pipeline. */
const MAX_WORKER_KILOBYTES = 345;

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Accessibility violations that axe finds in the page's current state, one line each. */
async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axeSource);
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[];
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Rows that the head of the page takes: what stands beside each other is one. */
const headRows = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll<HTMLElement>('.top p, .top a, .top button, .top select')]
      .filter(({ offsetParent }) => offsetParent)
      .map((element) => {
        const { top, bottom, height } = element.getBoundingClientRect();
        return { top, bottom, isBroken: element.matches('p') && height > 30 };
      })
      .sort((a, b) => a.top - b.top);
    let rows = 0;
    let end = Number.NEGATIVE_INFINITY;
    for (const { top, bottom } of boxes) {
      if (top >= end - 1) rows++;
      end = Math.max(end, bottom);
    }
    // Text that is broken takes a row more.
    return rows + boxes.filter(({ isBroken }) => isBroken).length;
  });

/** Texts that are cut off at the side, by what holds them or by the window; none where one can scroll to. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cut: string[] = [];
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const holder = text.parentElement!;
      if (!text.nodeValue!.trim() || !holder.checkVisibility() || holder.closest('.unseen, .skip, option'))
        continue;
      range.selectNodeContents(text);
      const { left, right } = range.getBoundingClientRect();
      for (let around: Element | null = holder; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        if (overflowX === 'auto' || overflowX === 'scroll') break;
        const box = around.getBoundingClientRect();
        if (
          (overflowX === 'visible' && around !== document.body) ||
          (left > box.left - 1 && right < box.right + 1)
        )
          continue;
        cut.push(text.nodeValue!.trim());
        break;
      }
    }
    return cut;
  });

const layouts = [
  ['light', { colorScheme: 'light' as const }],
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { ...phone, colorScheme: 'light' as const, reducedMotion: 'reduce' as const }],
] as const;

describe.skipIf(!served)('layout', () => {
  it.each(layouts)('%s: axe finds no violation in any state', async (name, options) => {
    await using visitor = await visit(options);
    const { page } = visitor;
    const found: string[] = [];
    const check = async (step: string) => {
      await screenshot(page, `${name}-${step}`);
      found.push(...(await violations(page)).map((violation) => `${step}: ${violation}`));
    };
    await open(page);
    await check('1-empty');
    for (const language of ['en', 'de']) {
      await page.goto(`${served!.address}/privacy#${language}`);
      await check(`1-privacy-${language}`);
    }
    await open(page);
    await page.click('#key-toggle');
    await check('2-key');
    await page.click('#key-toggle');
    const most = name === 'phone' ? 2 : 1;
    const heads = [await headRows(page)];
    await useKey(page);
    heads.push(await headRows(page));
    await page.selectOption('#language', 'de');
    await page.waitForSelector('html[lang="de"]');
    heads.push(await headRows(page));
    await page.selectOption('#language', 'en');
    expect(Math.max(...heads)).toBeLessThanOrEqual(most);
    await dropPhonePhoto(page);
    await check('3-faces');
    await page.click('.blocks summary');
    await check('3-findings');
    await page.click('.blocks summary');
    if (name !== 'phone') {
      await drag(page, [350, 480], [520, 600]);
      await page.click('[data-tool="crop"]');
      await drag(page, [60, 40], [860, 620]);
      await page.click('[data-tool="hide"]');
      const { x, y, w, h } = people[1]!;
      const face = await toWindow(page, x + w / 2, y + h / 2);
      await page.mouse.click(face.x, face.y);
      expect(await page.textContent('#faces-visible')).toBe('1 face is visible');
      await check('4-edited');
    }
    await cleanPhoto(page);
    await check('5-result');
    await drop(page, Buffer.from('These are words.'), 'words.txt', 'text/plain');
    await page.waitForSelector('#error-message:visible');
    await check('6-error');
    expect(found).toEqual([]);
  });

  it.each([
    ['right-to-left', {}],
    ['right-to-left on a phone', phone],
    ['German', { locale: 'de-DE' }],
    ['German on a phone', { ...phone, locale: 'de-DE' }],
    ['twice as large', { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2, locale: 'de-DE' }],
    ['tablet', { viewport: { width: 820, height: 1180 }, hasTouch: true }],
    ['forced colours', { forcedColors: 'active' as const, viewport: { width: 1440, height: 900 } }],
  ])('%s: nothing to scroll sideways, no text is cut, and axe finds no violation', async (name, options) => {
    await using visitor = await visit(options);
    const { page } = visitor;
    const found: string[] = [];
    const check = async (step: string) => {
      await screenshot(page, `${name}-${step}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await cutTexts(page), step).toEqual([]);
      found.push(...(await violations(page)).map((violation) => `${step}: ${violation}`));
    };
    await open(page);
    if (name.startsWith('right'))
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await check('empty');
    await drop(page, await boardPhoto(), 'holiday.jpg', 'image/jpeg');
    await page.waitForSelector('.spot');
    await page.waitForSelector('#progress', { state: 'hidden' });
    await page.click('#add-region');
    await page.click('#regions summary');
    // Boxes lie over the faces whatever the direction of the text.
    const { x, y, w, h } = people[0]!;
    const middle = await toWindow(page, x + w / 2, y + h / 2);
    const box = (await page.locator('.face:not(.spot)').boundingBox())!;
    expect(Math.abs(box.x + box.width / 2 - middle.x)).toBeLessThan(12);
    await check('faces');
    await cleanPhoto(page);
    await check('result');
    expect(found).toEqual([]);
  });

  journey('prints a receipt: what came out and the proof, without the original', async ({ page }) => {
    await dropPhonePhoto(page);
    await cleanPhoto(page);
    await page.emulateMedia({ media: 'print' });
    await screenshot(page, 'print');
    for (const shown of ['#after', '#sizes', '#report'])
      expect(await page.isVisible(shown), shown).toBe(true);
    for (const left of [
      '#before',
      '#show-original',
      '#snippet',
      '#download',
      '#clean-another',
      '#language',
      '#zoom',
    ])
      expect(await page.isVisible(left), left).toBe(false);
  });

  journey(
    'loads a small script and style, then its worker, and makes no calls and no foreign requests',
    { opens: true },
    async ({ page, context, requests }) => {
      const sizes = new Map<string, Promise<number>>();
      context.on('response', (answer) => {
        const name = new URL(answer.url()).pathname;
        if (/\/$|\.(js|gz)$/.test(name)) {
          sizes.set(
            name,
            answer.body().then((body) => (name.endsWith('.gz') ? body : gzipSync(body)).length),
          );
        }
      });
      const core = context.waitForEvent('response', (answer) => answer.url().includes('/core.'));
      await open(page);
      await page.waitForSelector('#intake:visible');
      await (await core).finished();
      await page.waitForLoadState('networkidle');
      const kilobytesOf = async (isCounted: (name: string) => boolean) => {
        const counted = [...sizes].filter(([name]) => isCounted(name)).map(([, size]) => size);
        return (await Promise.all(counted)).reduce((sum, size) => sum + size, 0) / 1024;
      };
      // The document, its script, and what that imports before it runs.
      const linked = await page
        .locator('link[rel="modulepreload"], script[src]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? one.getAttribute('src')));
      expect(linked.length).toBeGreaterThan(0);
      const isPage = (name: string) => name === '/' || linked.includes(name);
      const ofPage = await kilobytesOf(isPage);
      const ofWorker = await kilobytesOf((name) => !isPage(name));
      console.log(`first visit: page ${ofPage.toFixed(1)} KB, worker ${ofWorker.toFixed(1)} KB, compressed`);
      expect(ofPage).toBeGreaterThan(1);
      expect(ofPage).toBeLessThanOrEqual(MAX_KILOBYTES);
      // The core is there, and neither the face detector nor the colour conversion.
      expect(ofWorker).toBeGreaterThan(150);
      expect(ofWorker).toBeLessThanOrEqual(MAX_WORKER_KILOBYTES);
      expect(
        [...sizes.keys()].filter((name) => /face_detector|yunet|ort|lcms|session|libavif/.test(name)),
      ).toEqual([]);
      expect(requests.filter((address) => !address.startsWith(served!.address))).toEqual([]);
      expect(requests.filter((address) => address.includes('/v1/'))).toEqual([]);
    },
  );

  journey('stores the key only when asked to keep it for the tab', { opens: true }, async ({ page }) => {
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
