import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inToolchains, toolchains } from '../fixtures/toolchains.ts';
import { browserPath, FLAGS } from './chromium.ts';
import { served } from './page_actions.ts';

/** What is used of an answer of Lighthouse. */
interface Judged {
  readonly lhr: {
    readonly categories: Readonly<Record<string, { readonly score: number }>>;
    readonly audits: Readonly<
      Record<
        string,
        { readonly score: number | null; readonly numericValue?: number; readonly title: string }
      >
    >;
    readonly runtimeError?: { readonly code: string; readonly message: string };
  };
}
type Lighthouse = (address: string, flags: object) => Promise<Judged>;

const LEAST = 95;
/** Categories that hang on the page alone, and not on how busy the machine is. */
const SURE = ['accessibility', 'best-practices', 'seo'];
/** Most that a visit may shift what is shown: what Lighthouse calls good. */
const MOST_SHIFT = 0.1;

/** A browser that Lighthouse can reach. */
async function browserWithPort(): Promise<AsyncDisposable & { readonly port: number }> {
  const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath!,
    args: [...FLAGS, '--remote-debugging-port=0'],
  });
  const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return {
    port: Number(port),
    async [Symbol.asyncDispose]() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

describe.skipIf(!served || toolchains('lighthouse').length === 0)('Lighthouse', () => {
  it.each(['/', '/privacy'])('gives %s at least 95 of 100 on a phone', async (path) => {
    const entry = pathToFileURL(inToolchains('lighthouse/core/index.js')).href;
    const { default: lighthouse } = (await import(/* @vite-ignore */ entry)) as { default: Lighthouse };
    const judge = async () => {
      await using browser = await browserWithPort();
      const options = { port: browser.port, logLevel: 'silent', onlyCategories: ['performance', ...SURE] };
      return (await lighthouse(`${served!.address}${path}`, options)).lhr;
    };
    let lhr = await judge();
    // On a busy machine the browser's trace may lack its beginning: of the page that says nothing.
    if (lhr.runtimeError?.code === 'NO_NAVSTART') lhr = await judge();
    expect(lhr.runtimeError).toBeUndefined();
    const scores = Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round(score * 100)]);
    // The score of the performance is made of times, which tests don't assert.
    console.log(`Lighthouse, ${path}: ${scores.map((pair) => pair.join(' ')).join(', ')}`);
    const failed = Object.values(lhr.audits)
      .filter(({ score }) => score === 0)
      .map(({ title }) => title);
    for (const [name, score] of scores) {
      if (SURE.includes(name as string))
        expect(score, `${name}: ${failed.join('; ')}`).toBeGreaterThanOrEqual(LEAST);
    }
    expect(scores.map(([name]) => name)).toEqual(expect.arrayContaining(SURE));
    expect(lhr.audits['cumulative-layout-shift']!.numericValue).toBeLessThan(MOST_SHIFT);
  });
});
