import { mkdirSync, readFileSync } from 'node:fs';
import type { JSHandle, Page } from 'playwright-core';
import { inject } from 'vitest';
import type {} from '../setup/shared_worker.ts';
import { browserPath } from './chromium.ts';
import { photoSize } from './photos.ts';

/** What a person does on the page. Coordinates are pixels of the upright photo of test/browser/photos.ts. */

/** Where the page is served, and a key; undefined where there is no browser. */
export const served = browserPath ? inject('sharedWorker') : undefined;

const WAIT = { timeout: 60_000 };

export async function open(page: Page): Promise<void> {
  page.setDefaultTimeout(WAIT.timeout);
  await page.goto(served!.address);
}

export async function useKey(page: Page): Promise<void> {
  await page.click('#key-toggle');
  await page.fill('#key-input', served!.key);
  await page.press('#key-input', 'Enter');
  await page.waitForSelector('#key-forget:visible');
  await page.click('#key-toggle');
}

/** A file on its way: what a drag or the clipboard carries. */
export function transferOf(
  page: Page,
  bytes: Buffer,
  name: string,
  type: string,
): Promise<JSHandle<DataTransfer>> {
  return page.evaluateHandle(
    (file) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
      data.items.add(new File([content], file.name, { type: file.type }));
      return data;
    },
    { base64: bytes.toString('base64'), name, type },
  );
}

/** Drops a file on the page, as a drag from the desktop ends. */
export async function drop(page: Page, bytes: Buffer, name: string, type: string): Promise<void> {
  const dataTransfer = await transferOf(page, bytes, name, type);
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('body', event, { dataTransfer });
}

/** Waits until the file was looked into and its faces were found. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('.blocks', WAIT);
  await page.waitForSelector('.face', WAIT);
  await page.waitForSelector('#progress', { ...WAIT, state: 'hidden' });
}

/** Where a point of the photo is on the screen. */
export async function onScreen(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const frame = await page.locator('#frame').boundingBox();
  if (!frame) throw new Error('The photo is not shown');
  return {
    x: frame.x + (x / photoSize.width) * frame.width,
    y: frame.y + (y / photoSize.height) * frame.height,
  };
}

/** Presses at one point of the photo, moves to another, lets go. */
export async function drag(
  page: Page,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): Promise<void> {
  const start = await onScreen(page, ...from);
  const end = await onScreen(page, ...to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 6 });
  await page.mouse.up();
}

/** The numbers of a region or the crop, as the panel shows them. */
export async function boxNumbers(page: Page, row = '#regions .box-row'): Promise<number[]> {
  const inputs = await page.locator(row).first().locator('input').all();
  return Promise.all(inputs.map(async (input) => Number(await input.inputValue())));
}

export async function clean(page: Page): Promise<void> {
  await page.click('#clean');
  await page.waitForSelector('#result:visible', WAIT);
}

/** The file that the download button gives. */
export async function download(
  page: Page,
  press = () => page.click('#download'),
): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Presses Tab until the wanted element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No number of tabs leads to ${selector}`);
}

/** A picture of the page as it is, in a git-ignored folder, to be looked at by people. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync('.screenshots', { recursive: true });
  await page.screenshot({ path: `.screenshots/${name}.png` });
}
