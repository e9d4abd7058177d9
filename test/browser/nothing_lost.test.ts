import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { visit } from './chromium.ts';
import { journey } from './journey.ts';
import {
  cleanPhoto,
  download,
  drag,
  drop,
  dropPhonePhoto,
  open,
  screenshot,
  served,
  waitForFaces,
} from './page_actions.ts';
import { HEIC_HEAD, heic, people, phoneJpeg, photoSize, uprightPicture } from './photos.ts';
import { brightest, detail, pixelsOf } from './pixel_measures.ts';

/** The photo as a bitmap of 24 bits, with BITMAPINFOHEADER: browsers read it, the pipeline not. */
function bitmap(): Buffer {
  const { width, height, pixels } = uprightPicture();
  const stride = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + stride * height);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 4;
      const to = 54 + (height - 1 - y) * stride + x * 3;
      for (const channel of [0, 1, 2]) file[to + channel] = pixels[from + 2 - channel]!;
    }
  }
  return file;
}

/**
 * Makes the browser read HEIC, as Safari does and Chromium can't: what decodes pictures is given the JPEG
 * that `heic` has within. A stand-in for the browser's decoder alone; the way of the page is its own.
 */
async function readsHeic(page: Page): Promise<void> {
  const stub = (head: number) => {
    const inner = (image: unknown) =>
      image instanceof Blob && image.type === 'image/heic'
        ? image.slice(head, image.size, 'image/jpeg')
        : image;
    const decode = globalThis.createImageBitmap as (...given: unknown[]) => Promise<ImageBitmap>;
    const address = URL.createObjectURL.bind(URL) as (image: unknown) => string;
    Object.assign(globalThis, {
      createImageBitmap: (image: unknown, ...given: unknown[]) => decode(inner(image), ...given),
    });
    URL.createObjectURL = (image: unknown) => address(inner(image));
  };
  await page.addInitScript(stub, HEIC_HEAD);
  await page.route('**/playground/picture_worker.*', async (route) => {
    const answer = await route.fetch();
    const body = `(${String(stub)})(${HEIC_HEAD});\n${await answer.text()}`;
    await route.fulfill({ response: answer, body });
  });
}

/** Whether closing the page asks first. The answer is to stay. */
async function asksWhenLeft(page: Page): Promise<boolean> {
  const asks = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.type() === 'beforeunload';
  });
  const reloads = page.waitForEvent('framenavigated').then(() => false);
  for (const either of [asks, reloads]) either.catch(() => undefined);
  await page.evaluate(() => setTimeout(() => location.reload(), 0));
  return Promise.race([asks, reloads]);
}

describe.skipIf(!served)('nothing is lost silently', () => {
  journey('back leaves the editor, not the page, and forward comes back to the edits', async ({ page }) => {
    await dropPhonePhoto(page);
    await drag(page, [350, 480], [520, 600]);
    await page.goBack();
    expect([await page.isVisible('#intake'), await page.isVisible('#workbench')]).toEqual([true, false]);
    await page.click('#resume');
    await page.waitForSelector('#workbench:visible');
    expect(await page.locator('.region').count()).toBe(1);
    await page.click('#leave');
    await page.waitForSelector('#intake:visible');
    await page.goForward();
    await page.waitForSelector('#workbench:visible');
    expect(await page.locator('.region').count()).toBe(1);
    // The skip link makes an entry of its own, which leaves nothing.
    await page.evaluate(() => document.querySelector<HTMLElement>('.skip')!.click());
    expect(await page.isVisible('#workbench')).toBe(true);
    await cleanPhoto(page);
    const { bytes } = await download(page);
    expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
    const drawn = { x: 356, y: 486, w: 158, h: 108 };
    expect(brightest(await pixelsOf(bytes), drawn)).toBeLessThan(24);
  });

  journey('leaving with edits, or with a clean file that was not saved, asks first', async ({ page }) => {
    await dropPhonePhoto(page);
    await drag(page, [350, 480], [520, 600]);
    expect(await asksWhenLeft(page)).toBe(true);
    await cleanPhoto(page);
    expect(await asksWhenLeft(page)).toBe(true);
    await download(page);
    // Reloads, since nothing would be lost.
    expect(await asksWhenLeft(page)).toBe(false);
    await page.waitForSelector('#intake:visible');
  });

  it.each([
    ['scan.bmp', 'image/bmp', () => bitmap(), async () => undefined],
    ['IMG_1.heic', 'image/heic', async () => heic(await phoneJpeg()), readsHeic],
  ] as const)(
    'what only the browser reads is converted here on request: %s',
    async (file, type, make, prepare) => {
      await using visitor = await visit();
      const { page } = visitor;
      await prepare(page);
      await open(page);
      await drop(page, await make(), file, type);
      await page.waitForSelector('#error-message:visible');
      expect(await page.textContent('#error-message')).toContain('Your browser can read it');
      await screenshot(page, 'light-10-convert');
      await page.click('#error-message button:has-text("Convert here and go on")');
      await waitForFaces(page);
      expect(await page.isVisible('#error-message')).toBe(false);
      await cleanPhoto(page);
      const { name, bytes } = await download(page);
      expect(name).toBe('photo-1.jpg');
      expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
      const pixels = await pixelsOf(bytes);
      for (const face of people) expect(detail(pixels, face)).toBeLessThan(0.1);
      expect(visitor.sent).toEqual([]);
      expect(visitor.consoleOutput).toEqual([]);
    },
  );

  journey('too many pixels are made fewer here on request', async ({ page }) => {
    const large = await sharp({ create: { width: 9000, height: 6000, channels: 3, background: '#7a6' } })
      .jpeg({ quality: 60 })
      .toBuffer();
    await page.setInputFiles('#file', { name: 'large.jpg', mimeType: 'image/jpeg', buffer: large });
    await page.waitForSelector('#error-message:visible');
    await page.click('#error-message button:has-text("Make it smaller here and go on")');
    await page.waitForFunction(() =>
      /JPEG, \d+ × \d+/.test(document.querySelector('#findings')?.textContent ?? ''),
    );
    await page.waitForSelector('#progress', { state: 'hidden' });
    await page.uncheck('#faces');
    await cleanPhoto(page);
    const { bytes } = await download(page);
    const { width, height } = scan(new Uint8Array(bytes))!;
    expect(width * height).toBeLessThanOrEqual(48e6);
    expect(width / height).toBeCloseTo(1.5, 2);
  });
});
