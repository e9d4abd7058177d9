import { mkdirSync, readFileSync } from 'node:fs';
import type { JSHandle, Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Picture } from '../fixtures/raster.ts';
import type {} from '../setup/shared_worker.ts';
import { browserPath } from './chromium.ts';
import { phoneJpeg, photoSize } from './photos.ts';
import { pixelsOf } from './pixel_measures.ts';

/** What a person does on the page. Coordinates are pixels of the upright photo (test/browser/photos.ts). */

/** Where the page is served, and a key; undefined where there is no browser. */
export const served = browserPath ? inject('sharedWorker') : undefined;

const WAIT = { timeout: 60_000 };

export async function open(page: Page): Promise<void> {
  page.setDefaultTimeout(WAIT.timeout);
  await page.goto(served!.address);
}

/** Lets the service do the work from now on, without a key. */
export async function useService(page: Page): Promise<void> {
  await page.click('#key-toggle');
  await page.check('#use-service');
  await page.click('#key-toggle');
}

/** Lets the service do the work from now on, with a key. */
export async function useKey(page: Page): Promise<void> {
  await page.click('#key-toggle');
  await page.check('#use-service');
  await page.fill('#key-input', served!.key);
  await page.press('#key-input', 'Enter');
  await page.waitForSelector('#key-forget:visible');
  await page.click('#key-toggle');
}

/** A file as a drag or the clipboard carries it. */
export function dataTransferOf(
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

/** Drops a file on the page, as at the end of a drag from the desktop. */
export async function drop(page: Page, bytes: Buffer, name: string, type: string): Promise<void> {
  const dataTransfer = await dataTransferOf(page, bytes, name, type);
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('body', event, { dataTransfer });
}

/** Waits until the file has been inspected and its faces have been found. */
export async function waitForFaces(page: Page): Promise<void> {
  await page.waitForSelector('.blocks', WAIT);
  await page.waitForSelector('.face', WAIT);
  await page.waitForSelector('#progress', { ...WAIT, state: 'hidden' });
}

/** Drops a phone's photo, and waits for its faces. @returns the photo */
export async function dropPhonePhoto(page: Page, photo?: Buffer): Promise<Buffer> {
  const dropped = photo ?? (await phoneJpeg());
  await drop(page, dropped, 'holiday.jpg', 'image/jpeg');
  await waitForFaces(page);
  return dropped;
}

/** Where a point of the photo is in the window, in CSS pixels. */
export async function toWindow(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const frame = await page.locator('#frame').boundingBox();
  if (!frame) throw new Error('The photo is not displayed');
  return {
    x: frame.x + (x / photoSize.width) * frame.width,
    y: frame.y + (y / photoSize.height) * frame.height,
  };
}

/** Drags the mouse from one point of the photo to another. */
export async function drag(
  page: Page,
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): Promise<void> {
  const start = await toWindow(page, ...from);
  const end = await toWindow(page, ...to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 6 });
  await page.mouse.up();
}

/** The numbers in the fields of a region or the crop: left, top, width, height. */
export async function boxValues(page: Page, row = '#regions .box-row'): Promise<number[]> {
  const inputs = await page.locator(row).first().locator('input').all();
  return Promise.all(inputs.map(async (input) => Number(await input.inputValue())));
}

export async function cleanPhoto(page: Page): Promise<void> {
  await page.click('#clean');
  await page.waitForSelector('#result:visible', WAIT);
}

/** The clean photo without loss. */
export async function cleanPng(page: Page): Promise<Picture> {
  await page.selectOption('#format', 'png');
  await cleanPhoto(page);
  await page.waitForSelector('#progress', { state: 'hidden' });
  await page.waitForSelector('#stale', { state: 'hidden' });
  return pixelsOf((await download(page)).bytes);
}

/** Downloads the result. @param press how the button is pressed */
export async function download(
  page: Page,
  press = () => page.click('#download'),
): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Presses Tab until an element that matches has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await page.evaluate((pattern) => document.activeElement?.matches(pattern) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Saves a screenshot in a git-ignored folder, for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync('.screenshots', { recursive: true });
  await page.screenshot({ path: `.screenshots/${name}.png` });
}
