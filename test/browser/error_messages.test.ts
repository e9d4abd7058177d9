import { describe, expect, it } from 'vitest';
import { visit } from './chromium.ts';
import { phoneJpeg } from './photos.ts';
import { clean, drag, drop, open, served, shoot, useKey } from './steps.ts';

/** What the browser itself writes when a request is refused or fails; nothing a page could keep it from. */
const OWN_WORDS = /^error: Failed to load resource/;

describe.skipIf(!served)('when something is wrong', () => {
  it('a file that is no image is refused in words, and the next one is welcome', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await open(page);
    await useKey(page);
    await drop(page, Buffer.from('These are words.'), 'words.txt', 'text/plain');
    await page.waitForSelector('#trouble:visible');
    const words = await page.textContent('#trouble');
    expect(words).toContain('This image can’t be read');
    expect(words).toContain('Choose a complete JPEG');
    expect(await page.getAttribute('#trouble', 'role')).toBe('alert');
    expect(await page.isVisible('#intake')).toBe(true);
    await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
    await page.waitForSelector('.blocks');
    expect(await page.isVisible('#trouble')).toBe(false);
    expect(visitor.printed.filter((line) => !OWN_WORDS.test(line))).toEqual([]);
  });

  it('a file that is too large never leaves the machine', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await open(page);
    await page.setInputFiles('#file', {
      name: 'large.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.alloc(25 * 1024 * 1024 + 1),
    });
    await page.waitForSelector('#trouble:visible');
    expect(await page.textContent('#trouble')).toMatch(/too large.*26 MB.*At most 25 MB/s);
    expect(visitor.requests.filter((address) => address.includes('/v1/'))).toEqual([]);
    expect(visitor.printed).toEqual([]);
  });

  it('a wrong key is named, and not taken', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await open(page);
    await page.click('#key-toggle');
    await page.fill('#key-input', 'isk_wrong_key');
    await page.press('#key-input', 'Enter');
    await page.waitForFunction(() => document.querySelector('#key-note')?.textContent?.includes('not valid'));
    expect(await page.isVisible('#key-forget')).toBe(false);
    expect(visitor.printed.filter((line) => !OWN_WORDS.test(line))).toEqual([]);
  });

  it('offline, everything but the calls goes on, and a call can be made again', async () => {
    await using visitor = await visit();
    const { page, context } = visitor;
    await open(page);
    await useKey(page);
    await context.setOffline(true);
    await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
    await page.waitForSelector('#trouble:visible');
    expect(await page.textContent('#trouble')).toContain('The service can’t be reached');
    expect(await page.isVisible('#picture')).toBe(true);
    await shoot(page, 'light-8-offline');
    await drag(page, [350, 480], [520, 600]);
    expect(await page.locator('.region').count()).toBe(1);
    await context.setOffline(false);
    await page.click('#trouble button:has-text("Try again")');
    await page.waitForSelector('.blocks');
    await page.waitForSelector('.face');
    expect(await page.locator('.region').count()).toBe(1);
    await clean(page);
    expect(visitor.printed.filter((line) => !OWN_WORDS.test(line))).toEqual([]);
  });

  it('without a key the second call waits with a countdown, can be cancelled, and starts by itself', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await page.clock.install();
    await open(page);
    await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
    await page.waitForSelector('.blocks');
    await page.waitForFunction(() =>
      /Next call in \d+ s/.test(document.querySelector('#standing')?.textContent ?? ''),
    );
    const calls = () => visitor.requests.filter((address) => address.includes('/v1/sanitize')).length;
    await page.click('#clean');
    await page.waitForFunction(() =>
      /Cleaning starts by itself in \d+\s*s/.test(
        document.querySelector('#progress-text')?.textContent ?? '',
      ),
    );
    await shoot(page, 'light-7-waiting');
    await page.click('#cancel');
    expect(await page.isVisible('#progress')).toBe(false);
    expect(await page.textContent('#clean')).toMatch(/Clean the photo in \d+\s*s/);
    await page.click('#clean');
    expect(calls()).toBe(0);
    // The page's clock runs ahead of the service's: the call starts by itself, is refused, and waits for what
    // it was told.
    await page.clock.runFor(61_000);
    await page.waitForFunction(() =>
      document.querySelector('#progress-text')?.textContent?.includes('starts by itself'),
    );
    expect(calls()).toBe(1);
    expect(await page.isVisible('#trouble')).toBe(false);
    expect(visitor.printed.filter((line) => !OWN_WORDS.test(line))).toEqual([]);
  });

  it('what is under way can be cancelled', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await open(page);
    await useKey(page);
    await drop(page, await phoneJpeg(), 'holiday.jpg', 'image/jpeg');
    await page.waitForSelector('.face');
    await page.waitForSelector('#progress', { state: 'hidden' });
    // Held back on its way, so that there is time to cancel it.
    await page.route('**/v1/sanitize*', () => {});
    await page.click('#clean');
    await page.waitForSelector('#progress:visible');
    await page.click('#cancel');
    expect(await page.isVisible('#progress')).toBe(false);
    expect(await page.isVisible('#trouble')).toBe(false);
    await page.unroute('**/v1/sanitize*');
    await clean(page);
  });
});
