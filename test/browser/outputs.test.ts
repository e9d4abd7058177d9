import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { jpegQuality } from '../../src/metadata/jpeg/quality.ts';
import { scan } from '../../src/metadata/scan.ts';
import { journey } from './journey.ts';
import { cleanPhoto, download, drop, open } from './page_actions.ts';

const size = { width: 300, height: 200 };

/** A PNG with a transparent corner, the rest of one colour. */
const transparentPng = () =>
  sharp({ create: { ...size, channels: 4, background: { r: 200, g: 60, b: 40, alpha: 1 } } })
    .composite([
      {
        input: { create: { width: 90, height: 60, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } },
        blend: 'dest-out',
        left: 0,
        top: 0,
      },
      {
        input: { create: { width: 90, height: 60, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 1 } } },
        blend: 'dest-out',
        left: 0,
        top: 0,
      },
    ])
    .png()
    .toBuffer();

/** An animation of two frames, red and green. */
const animation = () => {
  const frame = (red: number, green: number) =>
    Buffer.from(Array.from({ length: 300 * 100 }, () => [red, green, 0]).flat());
  const pixels = Buffer.concat([frame(250, 0), frame(0, 250)]);
  return sharp(pixels, { raw: { width: 300, height: 200, channels: 3, pageHeight: 100 } })
    .gif({ delay: [100, 100] })
    .toBuffer();
};

describe('outputs', () => {
  journey('have the original’s format, and what another takes is said before', async ({ page }) => {
    await drop(page, await transparentPng(), 'sign.png', 'image/png');
    await page.waitForFunction(() =>
      document.querySelector('#format')?.textContent?.includes('As the original (PNG)'),
    );
    await page.waitForSelector('#progress', { state: 'hidden' });
    expect(await page.textContent('#consequences')).toBe('');
    expect(await page.isVisible('#quality-row')).toBe(false);
    await page.selectOption('#format', 'jpeg');
    expect(await page.textContent('#consequences')).toContain('Transparent parts become white');
    expect(await page.isVisible('#quality-row')).toBe(true);
    await cleanPhoto(page);
    const white = await download(page);
    expect(white.name).toBe('photo-1.jpg');
    const { data } = await sharp(white.bytes)
      .extract({ left: 20, top: 20, width: 1, height: 1 })
      .raw()
      .toBuffer({
        resolveWithObject: true,
      });
    expect(Math.min(...data)).toBeGreaterThan(250);

    await page.click('[data-view="edit"]');
    await page.selectOption('#format', 'auto');
    await page.click('#clean');
    await page.waitForFunction(() =>
      document.querySelector('#download')?.textContent?.startsWith('Download PNG, '),
    );
    const kept = await download(page);
    expect(scan(new Uint8Array(kept.bytes))).toMatchObject({ format: 'png', ...size, blocks: [] });
    const corner = await sharp(kept.bytes)
      .extract({ left: 20, top: 20, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(corner[3]).toBe(0);

    await drop(page, await animation(), 'moving.gif', 'image/gif');
    await page.waitForFunction(() =>
      document.querySelector('#consequences')?.textContent?.includes('only its first frame is kept'),
    );
    expect(await page.textContent('#format')).toContain('As the original (JPEG)');
  });

  journey(
    'have the quality of a JPEG at most, until another is chosen, and are offered smaller where they grow',
    async ({ page }) => {
      // Detail of all sizes, as photographs have it.
      const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
      const made = { width: 600, height: 400, channels: 3 as const };
      const photo = await sharp({ create: { ...made, background: '#808080', noise } })
        .blur(1.5)
        .jpeg({ quality: 61 })
        .toBuffer();
      const qualityOf = (bytes: Buffer) => jpegQuality(scan(bytes)!.density!.meanStep);
      await drop(page, photo, 'photo.jpg', 'image/jpeg');
      await page.waitForFunction(() =>
        document.querySelector('#quality-value')?.textContent?.startsWith('61, '),
      );
      await page.waitForSelector('#progress', { state: 'hidden' });
      await cleanPhoto(page);
      const first = (await download(page)).bytes;
      expect(qualityOf(first)).toBe(61);
      expect(first.length).toBeLessThan(photo.length * 1.02);

      await page.click('[data-view="edit"]');
      await page.fill('#quality', '95');
      expect(await page.textContent('#quality-value')).toBe('95');
      await page.click('#clean');
      await page.waitForFunction(() => document.querySelector('#sizes')?.textContent?.includes('larger'));
      const chosen = (await download(page)).bytes;
      expect(qualityOf(chosen)).toBe(95);
      expect(chosen.length).toBeGreaterThan(photo.length * 1.5);
      // It was chosen, so there is nothing to offer.
      expect(await page.isVisible('#growth')).toBe(false);
      await page.click('[data-view="edit"]');
      await page.click('#quality-by-photo');
      expect(await page.textContent('#quality-value')).toMatch(/^61, /);

      // A WebP that is smaller than its pixels at the usual quality.
      const webp = await sharp(photo).webp({ quality: 5 }).toBuffer();
      await drop(page, webp, 'small.webp', 'image/webp');
      await page.waitForFunction(() =>
        document.querySelector('#quality-value')?.textContent?.startsWith('80, '),
      );
      await page.waitForSelector('#progress', { state: 'hidden' });
      await cleanPhoto(page);
      const grown = (await download(page)).bytes;
      expect(grown.length).toBeGreaterThan(webp.length);
      expect(await page.textContent('#growth')).toContain('larger than the original');
      await page.click('#make-smaller');
      await page.waitForSelector('#growth', { state: 'hidden' });
      await page.waitForSelector('#progress', { state: 'hidden' });
      const smaller = (await download(page)).bytes;
      expect(smaller.length).toBeLessThan(grown.length * 0.8);
      expect(Number(await page.inputValue('#quality'))).toBeLessThan(80);
    },
  );

  journey(
    'are copied as a picture, and settings come back at the next visit, photos not',
    { opens: true },
    async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await open(page);
      await drop(page, await transparentPng(), 'sign.png', 'image/png');
      await page.waitForSelector('#progress', { state: 'hidden' });
      await page.check('#grayscale');
      await page.check('#keep-names');
      await page.selectOption('#format', 'webp');
      await cleanPhoto(page);
      expect(await page.getAttribute('#download', 'download')).toBe('sign-clean.webp');
      await page.bringToFront();
      await page.click('#copy-image');
      await page.waitForFunction(() => document.querySelector('#announcer')?.textContent?.includes('copied'));
      const copied = await page.evaluate(async () => {
        const [item] = await navigator.clipboard.read();
        const bitmap = await createImageBitmap(await item!.getType('image/png'));
        return { width: bitmap.width, height: bitmap.height };
      });
      expect(copied).toEqual(size);
      expect(await page.isVisible('#clean-another')).toBe(true);

      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
      expect(stored).toContain('webp');
      expect(stored).not.toMatch(/sign|region|crop|blob:/);
      await page.reload();
      await page.waitForSelector('#intake:visible');
      expect(await page.isChecked('#grayscale')).toBe(true);
      expect(await page.inputValue('#format')).toBe('webp');
      expect(await page.isChecked('#keep-names')).toBe(false);
    },
  );
});
