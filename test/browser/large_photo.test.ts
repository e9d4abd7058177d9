import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { visit } from './chromium.ts';
import { download, open, served } from './page_actions.ts';
import { described, mainThreadTasks } from './page_trace.ts';
import { pixelsOf } from './pixel_measures.ts';

const size = { width: 4032, height: 3024 };
const face = { x: 1200, y: 700, w: 900, h: 1150 };
/** Edge of the blocks over a face of this size in a picture of this one: see src/sanitize/mosaic_plan.ts. */
const BLOCK = 304;
/** Pixels from a block's border to where it is looked at. */
const INNER = 12;

/** What the preview shows at points of the photo: red, green, blue, opacity. */
const previewAt = (page: Page, points: readonly (readonly [x: number, y: number])[]) =>
  page.evaluate(
    ({ places, width }) => {
      const canvas = document.querySelector<HTMLCanvasElement>('#mosaic')!;
      const scale = canvas.width / width;
      const context = canvas.getContext('2d')!;
      return places.map(([x, y]) => [...context.getImageData(x * scale, y * scale, 1, 1).data]);
    },
    { places: points, width: size.width },
  );

describe.skipIf(!served)('a photo of 12 megapixels', () => {
  it('from the first visit without a key to the clean file; how long it takes is printed', async () => {
    const { pixels } = drawPeople(size.width, size.height, [face]);
    const photo = await sharp(pixels, { raw: { ...size, channels: 4 } })
      .removeAlpha()
      .jpeg({ quality: 90 })
      .toBuffer();
    const folder = mkdtempSync(join(tmpdir(), 'large-photo-'));
    const path = join(folder, 'large.jpg');
    writeFileSync(path, photo);
    try {
      await using visitor = await visit();
      const { page } = visitor;
      let [started, ended] = [0, 0];
      const tasks = await mainThreadTasks(page, async () => {
        await open(page);
        // As a file of the disk: contents that come from here would be decoded on the page's thread.
        await page.setInputFiles('#file', path);
        // As soon as it can be pressed: what is still to be done waits for nobody.
        started = await page.evaluate(() => performance.now());
        await page.click('#clean:not([disabled])');
        await page.waitForSelector('#result:visible');
        ended = await page.evaluate(() => performance.now());
      });
      const { bytes } = await download(page);
      expect(scan(new Uint8Array(bytes))).toMatchObject({ ...size, blocks: [] });
      expect(await page.textContent('#result')).toContain('1 face was found and hidden.');
      expect(visitor.sent).toEqual([]);

      // Blocks of the close-up are where the preview shows them: points to both sides of their borders.
      await page.click('[data-view="edit"]');
      // Pressed before it was looked through, the photo was cleaned first.
      if (await page.isVisible('#detect')) await page.click('#detect');
      await page.waitForSelector('.face');
      await page.waitForSelector('#progress', { state: 'hidden' });
      const clean = await pixelsOf(bytes);
      const across = (start: number) =>
        [start, start + BLOCK].flatMap((border) => [border - INNER, border + INNER]);
      const left = Math.ceil((face.x + face.w / 4) / BLOCK) * BLOCK;
      const top = Math.ceil((face.y + face.h / 4) / BLOCK) * BLOCK;
      const points = across(left).flatMap((x) => across(top).map((y) => [x, y] as const));
      const shown = await previewAt(page, points);
      const made = points.map(([x, y]) => {
        const at = (y * clean.width + x) * 4;
        return [...clean.pixels.subarray(at, at + 4)];
      });
      // The canvas averages a smaller copy by its own rule, so its colours differ a little.
      const apart = (a: readonly number[], b: readonly number[]) =>
        Math.max(...a.map((value, channel) => Math.abs(value - b[channel]!)));
      points.forEach(([x, y], index) => {
        expect(apart(shown[index]!, made[index]!), `at ${x}, ${y}`).toBeLessThan(20);
      });
      const [first, second] = [made[0]!, made[made.length - 1]!];
      expect(apart(first, second)).toBeGreaterThan(40);

      const long = tasks.filter(({ clock }) => clock > 50).toSorted((a, b) => b.clock - a.clock);
      console.log(
        `12 megapixels: ${((ended - started) / 1000).toFixed(1)} s from the chosen file to the clean one, ` +
          `${(ended / 1000).toFixed(1)} s since the page was asked for; ` +
          `longest task ${Math.round(Math.max(...tasks.map(({ cpu }) => cpu)))} ms of CPU; ` +
          `by the clock over 50 ms: ${long.map(described).join('; ') || 'none'}`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
