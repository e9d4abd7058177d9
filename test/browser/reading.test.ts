import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { drawLine } from '../fixtures/block_letters.ts';
import type { Picture } from '../fixtures/raster.ts';
import { journey } from './journey.ts';
import { cleanPhoto, download, drop, screenshot } from './page_actions.ts';
import { pixelsOf, type Rectangle } from './pixel_measures.ts';

/** A chat with names: dark letters in light bubbles. */
async function chat(): Promise<{ readonly png: Buffer; readonly lines: readonly Rectangle[] }> {
  const [width, height] = [720, 560];
  const picture: Picture = { width, height, pixels: new Uint8Array(width * height * 4).fill(255) };
  const texts = ['ALEX HOLT', 'SEE ME AT THE STATION', 'BEN ROSS', 'TABLE 24 AT 7'];
  const lines = texts.map((text, index) =>
    drawLine(picture, text, 60 + 40 * (index % 2), 60 + 120 * index, 3),
  );
  const png = await sharp(picture.pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { png, lines };
}

/** The share of a rectangle that is black. */
function blackShare({ width, pixels }: Picture, { x, y, w, h }: Rectangle): number {
  let black = 0;
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w; column++) {
      const at = (row * width + column) * 4;
      if (pixels[at]! + pixels[at + 1]! + pixels[at + 2]! < 24) black++;
    }
  }
  return black / (w * h);
}

describe('text that is looked for', () => {
  journey('is covered in black in the clean picture, and counted in the report', async ({ page }) => {
    const { png, lines } = await chat();
    await drop(page, png, 'chat with Alex.png', 'image/png');
    await page.waitForSelector('#workbench:visible');
    await page.waitForSelector('#progress', { state: 'hidden' });
    expect(await page.isChecked('#text')).toBe(false);
    await page.check('#text');
    await page.selectOption('#format', 'png');
    await cleanPhoto(page);
    await page.waitForSelector('#progress', { state: 'hidden' });
    await screenshot(page, 'reading-result');
    expect(await page.textContent('#result')).toMatch(/\d lines? of text (was|were) found and covered\./);
    const clean = await pixelsOf((await download(page)).bytes);
    for (const line of lines) expect(blackShare(clean, line)).toBeGreaterThan(0.9);
  });
});
