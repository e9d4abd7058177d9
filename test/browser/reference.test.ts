import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/ops/responses.ts';
import { browserPath } from './chromium.ts';
import { served } from './page_actions.ts';

describe.skipIf(!served)('the API reference in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: browserPath!,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('requests nothing from other origins, breaks no policy, and shows the whole description', async () => {
    const page = await browser.newPage();
    const origins = new Set<string>();
    const problems: string[] = [];
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    await page.goto(`${served!.address}/docs`);
    await page.waitForSelector('#reference:visible');
    await page.getByRole('heading', { name: 'Image sanitizer' }).waitFor();
    await page.getByText('Make a clean copy of an image').first().waitFor();
    // What only browsers and crawlers ask for is not in the list.
    expect(await page.getByText('For crawlers').count()).toBe(0);
    await page.waitForLoadState('networkidle');
    for (const code of errorCodes) expect(await page.locator(`#${code}`).count(), code).toBeGreaterThan(0);
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([served!.address]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('scrolls to the error code in its fragment', async () => {
    const page = await browser.newPage();
    await page.goto(`${served!.address}/docs#unprocessable_image`);
    await page.waitForSelector('#reference:visible');
    const heading = page.getByRole('heading', { name: 'unprocessable_image' });
    await heading.waitFor();
    await expect.poll(() => page.evaluate('scrollY'), { timeout: 10_000 }).toBeGreaterThan(300);
    await expect
      .poll(async () => {
        const box = await heading.boundingBox();
        return box !== null && box.y >= 0 && box.y < 720;
      })
      .toBe(true);
    await page.close();
  });

  test('shows an overview before its large script is asked for, and without it', async () => {
    const page = await browser.newPage();
    await page.route('**/docs/scalar.*', (route) => route.abort());
    const asked = page.waitForRequest('**/docs/scalar.*');
    await page.goto(`${served!.address}/docs`);
    await asked;
    const painted = () =>
      page.evaluate(() => {
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        const script = performance.getEntriesByType('resource').find(({ name }) => name.includes('scalar'));
        return paint && script ? paint.startTime - script.startTime : null;
      });
    await expect.poll(painted).toBeLessThan(0);
    expect(await page.textContent('#overview')).toMatch(/POST \/v1\/sanitize.*Make a clean copy of an image/);
    expect(await page.textContent('#overview')).not.toContain('robots.txt');
    for (const code of errorCodes) expect(await page.locator(`#overview #${code}`).count(), code).toBe(1);
    await page.close();
  });

  test.each(['sanitize', 'detect', 'inspect'])('the first Send to %s succeeds', async (name) => {
    // Without a key there would be one call a minute for all tests.
    const page = await browser.newPage({ extraHTTPHeaders: { Authorization: `Bearer ${served!.key}` } });
    await page.goto(`${served!.address}/docs`);
    await page.getByRole('button', { name: new RegExp(`test request.*/v1/${name}`, 'i') }).click();
    const answer = page.waitForResponse(`**/v1/${name}*`);
    await page.getByRole('button', { name: /^send/i }).first().click();
    expect((await answer).status()).toBe(200);
    await page.close();
  });
});
