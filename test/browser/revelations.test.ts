import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withItemThumbnail } from '../fixtures/avif_files.ts';
import { encodeByAvifenc, haveAvifTools } from '../fixtures/avif_tools.ts';
import { av1C } from '../fixtures/avif_writer.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { visit } from './chromium.ts';
import { journey } from './journey.ts';
import { cleanPhoto, drop, open, screenshot, served, useKey } from './page_actions.ts';
import { croppedJpeg, croppedSize, middleJpeg, phoneJpeg, photoSize } from './photos.ts';

const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const PLACE = 'It was taken at 33.858333°\u00a0S, 151.211111°\u00a0E.';

async function look(page: Page, photo: Buffer, type = 'image/jpeg'): Promise<void> {
  await open(page);
  await useKey(page);
  await drop(page, photo, 'holiday.jpg', type);
  await page.waitForSelector('.blocks');
}

/** The centre of an element, in fractions of another's sides. */
async function centreWithin(page: Page, inner: string, outer: string): Promise<[x: number, y: number]> {
  const [a, b] = await Promise.all([inner, outer].map((name) => page.locator(name).boundingBox()));
  return [(a!.x + a!.width / 2 - b!.x) / b!.width, (a!.y + a!.height / 2 - b!.y) / b!.height];
}

describe.skipIf(!served)('what the photo gives away', () => {
  it.skipIf(!haveAvifTools)('in the thumbnail of an AVIF', async () => {
    const encoded = (seed: number) =>
      encodeByAvifenc(photoPicture(48, 20, seed), ['-s', '9', '-y', '420', '--cicp', '1/13/6']);
    const [picture, thumbnail] = await Promise.all([encoded(1), encoded(2)]);
    const options = { width: 48, height: 20, configuration: av1C(0x0c), secret: 'in a profile' };
    const file = Buffer.from(withItemThumbnail(picture, thumbnail, options));
    await using visitor = await visit();
    const { page } = visitor;
    await look(page, file, 'image/avif');
    await page.waitForFunction(
      () => document.querySelector<HTMLCanvasElement>('.embedded canvas')?.width === 48,
    );
  });

  journey(
    'in sentences, with a map, and the thumbnail upright beside the picture',
    { opens: true },
    async (visitor) => {
      const { page } = visitor;
      await look(page, await croppedJpeg());
      const told = await page.textContent('.revealed');
      for (const sentence of [
        PLACE,
        'It was taken on 31 May 2024, 17:02:11 (UTC+02:00).',
        'Its author is Erika Mustermann.',
        'It was made with Example Phone 7.',
        'The camera has the serial number SN-0042.',
        'it may show what was cropped away',
      ]) {
        expect(told).toContain(sentence);
      }

      expect(await page.textContent('.town:not(:empty)')).toContain('That is in or near Sydney, Australia.');

      // Sydney, on a map from 180° W to 180° E and from 84° N to the South Pole.
      expect(await page.getAttribute('.world', 'aria-label')).toContain('33.86° south, 151.21° east');
      const [x, y] = await centreWithin(page, '.world .mark', '.world');
      expect(x).toBeCloseTo((151.21 + 180) / 360, 2);
      expect(y).toBeCloseTo((33.86 + 84) / 174, 2);

      // The thumbnail shows the whole photo upright: both people, of whom the picture has only the left one.
      await page.waitForFunction(
        () => document.querySelector<HTMLCanvasElement>('.embedded canvas')?.width !== 300,
      );
      const { size, columns } = await page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.embedded canvas')!;
        const { width, height } = canvas;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
        // how much the pixels of a row at a third of the height differ from the first one, left and right
        const row = Math.floor(height * 0.4) * width;
        const differing = [0, 0];
        for (let column = 0; column < width; column++) {
          const at = (row + column) * 4;
          const off = Math.abs(data[at]! - data[row * 4]!) + Math.abs(data[at + 2]! - data[row * 4 + 2]!);
          if (off > 60) differing[column < width / 2 ? 0 : 1]!++;
        }
        return { size: { width, height }, columns: differing };
      });
      expect(size.width / size.height).toBeCloseTo(photoSize.width / photoSize.height, 1);
      expect(columns[0]).toBeGreaterThan(3);
      expect(columns[1]).toBeGreaterThan(3);
      expect(await page.textContent('.differing figcaption')).toContain('may show more than the picture');
      const beside = await page.locator('.embedded img').boundingBox();
      expect(beside!.width / beside!.height).toBeCloseTo(croppedSize.width / croppedSize.height, 1);

      // Block names stay reachable.
      expect(await page.isVisible('.blocks table')).toBe(false);
      await page.click('.blocks summary');
      expect(await page.isVisible('.blocks table')).toBe(true);
      expect(await page.textContent('.blocks table')).toMatch(/EXIF.*GPS.*Thumbnail/s);
      await screenshot(page, 'light-9-revealed');
      expect(await page.isVisible('#gravest')).toBe(false);
      expect(
        visitor.requests.filter(
          (address) => !address.startsWith(served!.address) && !address.startsWith('blob:'),
        ),
      ).toEqual([]);
    },
  );

  journey('in a thumbnail from before a crop of the same shape', { opens: true }, async ({ page }) => {
    await look(page, await middleJpeg());
    await page.waitForSelector('.embedded .differing');
    expect(await page.textContent('.differing figcaption')).toContain('may show more than the picture');
    await screenshot(page, 'light-10-same-shape');
  });

  journey(
    'on a phone, the gravest sentence stands above the photo and leads to the rest',
    { ...phone, opens: true },
    async ({ page }) => {
      await look(page, await croppedJpeg());
      expect(await page.textContent('#gravest')).toBe(PLACE);
      const [sentence, stage] = await Promise.all(
        ['#gravest', '#stage'].map((name) => page.locator(name).boundingBox()),
      );
      expect(sentence!.y + sentence!.height).toBeLessThanOrEqual(stage!.y);
      expect(sentence!.y).toBeGreaterThanOrEqual(0);
      await screenshot(page, 'phone-7-gravest');
      await page.tap('#gravest');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('found-title');
      await page.locator('.revealed').scrollIntoViewIfNeeded();
      await screenshot(page, 'phone-8-revealed');
      // What is done next is in reach, and nothing of the place is said of what is clean.
      const inReach = async (selector: string) => {
        const { y, height } = (await page.locator(selector).boundingBox())!;
        return y >= 0 && y + height <= phone.viewport.height;
      };
      expect(await inReach('#clean')).toBe(true);
      await cleanPhoto(page);
      expect(await page.isVisible('#gravest')).toBe(false);
      expect(await inReach('#download')).toBe(true);
      await page.waitForFunction(() => scrollY === 0);
      await drop(page, await phoneJpeg(), 'other.jpg', 'image/jpeg');
      await page.waitForFunction(() =>
        document.querySelector('#gravest')?.textContent?.includes('48.858333°\u00a0N'),
      );
    },
  );
});
