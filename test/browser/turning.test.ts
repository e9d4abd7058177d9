import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { journey } from './journey.ts';
import { boxValues, cleanPhoto, download, drag, dropPhonePhoto, screenshot } from './page_actions.ts';
import { people, photoSize } from './photos.ts';
import { brightest, difference, pixelsOf } from './pixel_measures.ts';

/** Where a box of the upright photo lies once that is turned to the right. */
const turnedAs = (x: number, y: number, w: number, h: number) => ({
  x: photoSize.height - y - h,
  y: x,
  w: h,
  h: w,
});

describe('turning', () => {
  journey(
    'takes the photo and all that was chosen with it, can be undone, and is saved',
    async ({ page }) => {
      const photo = await dropPhonePhoto(page);
      const faces = await page.locator('.face').count();
      await drag(page, [320, 385], [400, 420]);
      const drawn = await boxValues(page);
      const [x, y, w, h] = drawn as [number, number, number, number];
      await page.click('#turn');
      const { x: left, y: top, w: across, h: down } = turnedAs(x, y, w, h);
      const turned = [left, top, across, down];
      expect(await boxValues(page)).toEqual(turned.map((value) => expect.closeTo(value, 0)));
      expect(await page.locator('.face').count()).toBe(faces);
      const stage = (await page.locator('#frame').boundingBox())!;
      expect(stage.width / stage.height).toBeCloseTo(photoSize.height / photoSize.width, 2);
      // What is shown fills the frame, turned.
      const shown = (await page.locator('#picture').boundingBox())!;
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect(Math.abs(shown[side] - stage[side])).toBeLessThan(1);
      }
      await screenshot(page, 'editing-turned');
      await page.click('#undo');
      expect(await boxValues(page)).toEqual(drawn);
      await page.click('#redo');
      expect(await boxValues(page)).toEqual(turned.map((value) => expect.closeTo(value, 0)));

      await cleanPhoto(page);
      await page.click('#show-original');
      const result = (await page.locator('#compare').boundingBox())!;
      const before = (await page.locator('#before').boundingBox())!;
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect(Math.abs(before[side] - result[side])).toBeLessThan(1);
      }
      await screenshot(page, 'editing-turned-result');
      const { bytes } = await download(page);
      const clean = await pixelsOf(bytes);
      expect([clean.width, clean.height]).toEqual([photoSize.height, photoSize.width]);
      const hidden = { x: turned[0]!, y: turned[1]!, w: turned[2]!, h: turned[3]! };
      expect(brightest(clean, hidden)).toBeLessThan(24);
      const upright = await pixelsOf(await sharp(photo).autoOrient().rotate(90).png().toBuffer());
      const covered = [
        hidden,
        ...people.map(({ x, y, w, h }) => turnedAs(x - w / 2, y - h / 2, 2 * w, 2 * h)),
      ];
      expect(difference(clean, upright, covered).mean).toBeLessThan(6);
    },
  );

  journey('loses nothing of a result that was made before it', async ({ page }) => {
    await dropPhonePhoto(page);
    await cleanPhoto(page);
    await page.click('[data-view="edit"]');
    await page.click('#turn');
    await page.click('[data-view="result"]');
    // The original lies otherwise by now: it can't be shown in the result's place.
    expect(await page.isVisible('#after')).toBe(true);
    expect(await page.isVisible('#show-original')).toBe(false);
    await cleanPhoto(page);
    await page.waitForSelector('#show-original', { state: 'visible' });
  });
});
