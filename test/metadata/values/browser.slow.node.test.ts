import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentences } from '../../../src/metadata/values/sentences.ts';
import { browserPath } from '../../browser/chromium.ts';
import { valueFiles } from '../../fixtures/metadata/value_files.ts';
import { bundleForBrowsers } from './bundle.ts';
import { valuesOf } from './read.ts';

describe.skipIf(!browserPath)('values in a browser', () => {
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

  it('are the same as anywhere', async () => {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    const { outputFiles } = await bundleForBrowsers(true);
    await page.addScriptTag({ content: outputFiles[0]!.text });
    for (const { name, bytes } of valueFiles) {
      // runs in the page, where `metadata` is the script's
      const said = await page.evaluate(`(() => {
        const { Cursor, Payloads, readValues, scan, sentences } = metadata;
        const bytes = Uint8Array.from(atob("${Buffer.from(bytes).toString('base64')}"), (c) => c.charCodeAt(0));
        const [cursor, payloads] = [new Cursor(bytes), new Payloads()];
        return sentences(readValues(cursor, scan(bytes, cursor, payloads), payloads));
      })()`);
      expect(said, name).toEqual(sentences(valuesOf(bytes)!));
    }
    expect(problems).toEqual([]);
  });
});
