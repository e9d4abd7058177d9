import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { closeShared, type Visit, visitShared } from './chromium.ts';
import { open, served, useKey, useService } from './page_actions.ts';

export interface JourneyOptions extends BrowserContextOptions {
  /** Whether the journey opens the page itself, when it has prepared the browser. */
  readonly opens?: boolean;
  /** Who works: this device where nothing is said. */
  readonly by?: 'key' | 'service';
  /** What the browser itself writes to the console, and no page can prevent. */
  readonly remarks?: RegExp;
}

type Run = (visitor: Visit) => Promise<void>;

afterAll(closeShared);

/**
 * A test that begins on the open page, as a visitor of its own. At its end nothing has been written to the
 * console, and where this device does the work, nothing has been sent.
 */
export function journey(name: string, run: Run): void;
export function journey(name: string, options: JourneyOptions, run: Run): void;
export function journey(name: string, given: JourneyOptions | Run, then?: Run): void {
  const { opens, by, remarks, ...options } = typeof given === 'function' ? {} : given;
  const run = typeof given === 'function' ? given : then!;
  it.skipIf(!served)(name, async () => {
    await using visitor = await visitShared(options);
    if (!opens) await open(visitor.page);
    if (by === 'key') await useKey(visitor.page);
    if (by === 'service') await useService(visitor.page);
    await run(visitor);
    expect(visitor.consoleOutput.filter((line) => !remarks?.test(line))).toEqual([]);
    if (!(await visitor.page.isChecked('#use-service'))) expect(visitor.sent).toEqual([]);
  });
}
