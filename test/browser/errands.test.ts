import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawLine } from '../fixtures/block_letters.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import type { Picture } from '../fixtures/raster.ts';
import { journey } from './journey.ts';
import { cleanPhoto, download, drag, drop, open, screenshot, waitForFaces } from './page_actions.ts';
import { classFaces, classJpeg, classSize, phoneJpeg, photoSize } from './photos.ts';
import { brightest, detail, difference, pixelsOf, type Rectangle } from './pixel_measures.ts';
import { phone } from './touch.ts';

/** Prints how long an errand took from the chosen file to the saved one. */
function timed(name: string): { saved: () => void } {
  const began = Date.now();
  return { saved: () => console.log(`${name}: saved after ${((Date.now() - began) / 1000).toFixed(1)} s`) };
}

/** What screen readers were told, all of it in order: texts follow each other too fast to wait for one. */
const heard = (page: Parameters<typeof open>[0]) =>
  page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.join('\n'));

async function listen(page: Parameters<typeof open>[0]): Promise<void> {
  await page.evaluate(() => {
    const all: string[] = [];
    Object.assign(globalThis, { heard: all });
    const announcer = document.querySelector('#announcer')!;
    new MutationObserver(() => all.push(announcer.textContent!)).observe(announcer, { childList: true });
  });
}

/** A place of a picture of this size as one of the photo that `drag` counts in. */
const inPhoto = (size: { width: number; height: number }, x: number, y: number) =>
  [(x * photoSize.width) / size.width, (y * photoSize.height) / size.height] as const;

describe('errands', () => {
  journey('a class photo: all are hidden but one’s own child', phone, async ({ page }) => {
    await listen(page);
    // Nobody chooses folders or drops files with a thumb.
    expect(await page.isVisible('.drop-hint')).toBe(false);
    const photo = await classJpeg();
    const errand = timed('class photo');
    await page.setInputFiles('#file', { name: 'class 3b.jpg', mimeType: 'image/jpeg', buffer: photo });
    await waitForFaces(page);
    const crops = page.locator('#face-list button');
    expect(await crops.count()).toBe(classFaces.length);
    const own = classFaces[4]!;
    await crops.nth(4).tap();
    await cleanPhoto(page);
    const { bytes } = await download(page, () => page.tap('#download'));
    errand.saved();
    await screenshot(page, 'errand-class');
    const [before, after] = [await pixelsOf(photo), await pixelsOf(bytes)];
    expect(scan(new Uint8Array(bytes))).toMatchObject({ ...classSize, blocks: [] });
    for (const face of classFaces.filter((one) => one !== own)) expect(detail(after, face)).toBeLessThan(0.1);
    expect(detail(after, own)).toBeGreaterThan(detail(before, own) / 2);
    // What is seen is what is heard, in numbers of people.
    for (const told of [await page.textContent('#result'), await heard(page)]) {
      expect(told).toContain('25 faces were found and hidden.');
      expect(told).toContain('1 face is visible');
    }
    expect(await heard(page)).toContain('26 faces found, all hidden.');
  });

  journey('a bike for sale: the street stays out of it', async ({ page }) => {
    const size = { width: 1200, height: 900 };
    const { pixels } = drawPeople(size.width, size.height);
    const bike = await sharp(pixels, { raw: { ...size, channels: 4 } })
      .removeAlpha()
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } })
      .withExifMerge({ IFD3: { GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' } })
      .jpeg({ quality: 92 })
      .toBuffer();
    const errand = timed('bike for sale');
    await drop(page, bike, 'my bike.jpg', 'image/jpeg');
    await page.waitForSelector('.town:not(:empty)');
    expect(await page.textContent('.revealed')).toContain('in or near Berlin, Germany.');
    await page.waitForSelector('#progress', { state: 'hidden' });
    // The house number beside it is cut off.
    await page.click('[data-tool="crop"]');
    await drag(page, inPhoto(size, 200, 100), inPhoto(size, 1100, 850));
    await cleanPhoto(page);
    // From its beginning, however far the panel was scrolled, and nothing says the place any more.
    await page.click('#snippet-title');
    await page.click('[data-view="edit"]');
    await page.check('#grayscale');
    const scrolled = () => page.evaluate(() => document.querySelector('.panel')!.scrollTop);
    await page.evaluate(() => document.querySelector('.panel')!.scrollTo(0, 300));
    expect(await scrolled()).toBeGreaterThan(100);
    await page.click('#clean');
    await page.waitForSelector('#result:visible');
    await expect.poll(scrolled).toBe(0);
    expect(await page.innerText('body')).not.toMatch(/Berlin|52\.5|It was taken/);
    const { name, bytes } = await download(page);
    errand.saved();
    await screenshot(page, 'errand-bike');
    expect(name).toBe('photo-1.jpg');
    const { width, height, blocks } = scan(new Uint8Array(bytes))!;
    expect(blocks).toEqual([]);
    expect(Math.abs(width - 900)).toBeLessThan(5);
    expect(Math.abs(height - 750)).toBeLessThan(5);
  });

  journey('a document: names are black, the rest stays to the pixel', async ({ page }) => {
    const size = { width: 1240, height: 900 };
    const paper: Picture = { ...size, pixels: new Uint8Array(size.width * size.height * 4).fill(255) };
    const names: Rectangle[] = [];
    for (const [row, line] of ['ALEX HOLT', 'RENT 240', 'MIA BLUME', 'PAID 247'].entries()) {
      const box = drawLine(paper, line, 120, 120 + 180 * row, 6);
      if (row % 2 === 0) names.push(box);
    }
    const page1 = await sharp(paper.pixels, { raw: { ...size, channels: 4 } })
      .removeAlpha()
      .png()
      .toBuffer();
    const errand = timed('document');
    await drop(page, page1, 'Contract Holt.png', 'image/png');
    await page.waitForSelector('#findings .facts');
    await page.waitForSelector('#progress', { state: 'hidden' });
    for (const { x, y, w, h } of names)
      await drag(page, inPhoto(size, x - 12, y - 12), inPhoto(size, x + w + 12, y + h + 12));
    await cleanPhoto(page);
    const { name, bytes } = await download(page);
    errand.saved();
    await screenshot(page, 'errand-document');
    expect(name).toBe('photo-1.png');
    const after = await pixelsOf(bytes);
    for (const line of names) expect(brightest(after, line)).toBe(0);
    const covered = names.map(({ x, y, w, h }) => ({ x: x - 20, y: y - 20, w: w + 40, h: h + 40 }));
    expect(difference(await pixelsOf(page1), after, covered).max).toBe(0);
    const report = await page.textContent('#result');
    expect(report).toContain('2 regions were covered in black.');
    expect(report).not.toContain('can still be guessed');
  });
});

describe('nothing of it is silent', () => {
  journey(
    'files that are no photos are named while the photo beside them is looked at, until dismissed',
    async ({ page }) => {
      const file = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from('<svg/>') });
      await page.setInputFiles('#file', [
        { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await phoneJpeg() },
        file('contract.pdf', 'application/pdf'),
        file('logo.svg', 'image/svg+xml'),
      ]);
      await waitForFaces(page);
      expect(await page.textContent('#left-out')).toContain(
        '2 files are no photos (contract.pdf and logo.svg).',
      );
      await cleanPhoto(page);
      expect(await page.isVisible('#left-out')).toBe(true);
      await page.click('#left-out button:has-text("Dismiss")');
      expect(await page.isVisible('#left-out')).toBe(false);
    },
  );

  journey(
    'without scripts the page says so first, and has no button that does nothing',
    { javaScriptEnabled: false, opens: true },
    async ({ page }) => {
      await open(page);
      const notice = (await page.locator('noscript .error-message').boundingBox())!;
      expect(notice.y).toBeLessThan((await page.locator('#intake-title').boundingBox())!.y);
      expect(await page.locator('button:visible').count()).toBe(0);
      await screenshot(page, 'errand-no-script');
    },
  );
});
