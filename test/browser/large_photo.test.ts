import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { visit } from './chromium.ts';
import { download, open, served } from './page_actions.ts';

const size = { width: 4032, height: 3024 };
const face = { x: 1200, y: 700, w: 900, h: 1150 };

/** Tasks of the main thread that took longer than 50 ms, in milliseconds (Long Tasks API). */
declare global {
  interface Window {
    longTasks: number[];
  }
}

describe.skipIf(!served)('a photo of 12 megapixels', () => {
  it('from the first visit without a key to the clean file; how long it takes is printed', async () => {
    const { pixels } = drawPeople(size.width, size.height, [face]);
    const photo = await sharp(pixels, { raw: { ...size, channels: 4 } })
      .removeAlpha()
      .jpeg({ quality: 90 })
      .toBuffer();
    await using visitor = await visit();
    const { page } = visitor;
    await page.addInitScript(() => {
      window.longTasks = [];
      new PerformanceObserver((list) => {
        window.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
      }).observe({ type: 'longtask', buffered: true });
    });
    await open(page);
    await page.setInputFiles('#file', { name: 'large.jpg', mimeType: 'image/jpeg', buffer: photo });
    // As soon as it can be pressed: what is still to be done waits for nobody.
    const started = await page.evaluate(() => performance.now());
    await page.click('#clean:not([disabled])');
    await page.waitForSelector('#result:visible');
    const [ended, longTasks] = await page.evaluate(() => [performance.now(), window.longTasks] as const);
    const { bytes } = await download(page);
    expect(scan(new Uint8Array(bytes))).toMatchObject({ ...size, blocks: [] });
    expect(await page.textContent('#report')).toContain('1 face was found and pixelated.');
    expect(visitor.requests.filter((address) => address.includes('/v1/'))).toEqual([]);
    console.log(
      `12 megapixels: ${((ended - started) / 1000).toFixed(1)} s from the chosen file to the clean one, ` +
        `${(ended / 1000).toFixed(1)} s since the page was asked for; long tasks: ${longTasks.join(', ') || 'none'} ms`,
    );
  });
});
