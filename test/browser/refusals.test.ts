import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { visit } from './chromium.ts';
import { journey } from './journey.ts';
import { cleanPhoto, drag, drop, open, screenshot, served, useKey, useService } from './page_actions.ts';
import { heic, phoneJpeg } from './photos.ts';

/** Written by the browser itself when a request fails; a page can't prevent it. */
const BROWSER_MESSAGE = /^error: Failed to load resource/;

describe.skipIf(!served)('what can’t be done', () => {
  it.each([
    ['this device', async () => undefined],
    ['the service', useKey],
  ])('a file that is no image gets a message, and the next one is accepted, by %s', async (_, choose) => {
    await using visitor = await visit();
    const { page } = visitor;
    await open(page);
    await choose(page);
    await drop(page, Buffer.from('These are words.'), 'words.txt', 'text/plain');
    await page.waitForSelector('#error-message:visible');
    const message = await page.textContent('#error-message');
    expect(message).toContain('This image can’t be read');
    expect(message).toContain('Choose a complete JPEG');
    expect(await page.getAttribute('#error-message', 'role')).toBe('alert');
    expect(await page.isVisible('#intake')).toBe(true);
    // Chromium can't decode HEIC either: what to do is said, in the person's language, with a button for it.
    await drop(page, heic(Buffer.from('no picture')), 'IMG_1.HEIC', 'image/heic');
    await page.waitForSelector('#error-message:has-text("This browser can’t read HEIC photos")');
    expect(await page.textContent('#error-message')).toContain('Open this page in Safari');
    const chooser = page.waitForEvent('filechooser');
    await page.click('#error-message button:has-text("Choose the JPEG")');
    await chooser;
    await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
    await page.waitForSelector('.blocks');
    expect(await page.isVisible('#error-message')).toBe(false);
    expect(visitor.consoleOutput.filter((line) => !BROWSER_MESSAGE.test(line))).toEqual([]);
  });

  journey('a file that is too large never leaves the machine', { by: 'service' }, async ({ page }) => {
    // Of the disk: as contents, so many bytes would take a while to come to the browser.
    const folder = mkdtempSync(join(tmpdir(), 'large-file-'));
    try {
      writeFileSync(join(folder, 'large.jpg'), Buffer.alloc(25 * 1024 * 1024 + 1));
      await page.setInputFiles('#file', join(folder, 'large.jpg'));
      await page.waitForSelector('#left-out:visible');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(await page.textContent('#left-out')).toMatch(/too large.*26 MB.*At most 25 MB/s);
  });

  journey('a wrong key gets a message, and is not used', { remarks: BROWSER_MESSAGE }, async ({ page }) => {
    await page.click('#key-toggle');
    await page.check('#use-service');
    await page.fill('#key-input', 'isk_wrong_key');
    await page.press('#key-input', 'Enter');
    await page.waitForFunction(() => document.querySelector('#key-note')?.textContent?.includes('not valid'));
    expect(await page.isVisible('#key-forget')).toBe(false);
  });

  journey(
    'offline, everything but the calls works, and a call can be retried',
    { by: 'key', remarks: BROWSER_MESSAGE },
    async ({ page, context }) => {
      await context.setOffline(true);
      await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
      await page.waitForSelector('#error-message:visible');
      expect(await page.textContent('#error-message')).toContain('The service can’t be reached');
      expect(await page.isVisible('#picture')).toBe(true);
      await screenshot(page, 'light-8-offline');
      await drag(page, [350, 480], [520, 600]);
      expect(await page.locator('.region').count()).toBe(1);
      await context.setOffline(false);
      await page.click('#error-message button:has-text("Try again")');
      await page.waitForSelector('.blocks');
      await page.waitForSelector('.face');
      expect(await page.locator('.region').count()).toBe(1);
      await cleanPhoto(page);
    },
  );

  journey(
    'without a key the second call waits with a countdown, can be cancelled, and starts by itself',
    { opens: true, remarks: BROWSER_MESSAGE },
    async (visitor) => {
      const { page } = visitor;
      await page.clock.install();
      await open(page);
      await useService(page);
      await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
      await page.waitForSelector('.blocks');
      const calls = () => visitor.requests.filter((address) => address.includes('/v1/sanitize')).length;
      // This device looks at the photo, faces and all: the only call of the minute is for cleaning.
      await page.waitForSelector('.face');
      await page.waitForSelector('#progress', { state: 'hidden' });
      expect(visitor.sent).toEqual([]);
      await cleanPhoto(page);
      expect(calls()).toBe(1);
      await page.click('[data-view="edit"]');
      await page.check('#grayscale');
      await page.click('#clean');
      await page.waitForFunction(() =>
        /Cleaning starts by itself in \d+\s*s/.test(
          document.querySelector('#progress-text')?.textContent ?? '',
        ),
      );
      await screenshot(page, 'light-7-waiting');
      await page.click('#cancel');
      expect(await page.isVisible('#progress')).toBe(false);
      expect(await page.textContent('#clean')).toMatch(/Clean again in \d+\s*s/);
      await page.click('#clean');
      expect(calls()).toBe(1);
      // The page's clock is ahead of the service's: the call starts by itself, gets a 429, and waits for the
      // time that it states.
      await page.clock.runFor(61_000);
      await page.waitForFunction(() =>
        document.querySelector('#progress-text')?.textContent?.includes('starts by itself'),
      );
      expect(calls()).toBe(2);
      expect(await page.isVisible('#error-message')).toBe(false);
    },
  );

  journey('a running call can be cancelled', { by: 'key' }, async ({ page }) => {
    await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
    await page.waitForSelector('.face');
    await page.waitForSelector('#progress', { state: 'hidden' });
    // The request is held back, so that there is time to cancel it.
    await page.route('**/v1/sanitize*', () => {});
    await page.click('#clean');
    await page.waitForSelector('#progress:visible');
    await page.click('#cancel');
    expect(await page.isVisible('#progress')).toBe(false);
    expect(await page.isVisible('#error-message')).toBe(false);
    await page.unroute('**/v1/sanitize*');
    await cleanPhoto(page);
  });
});
