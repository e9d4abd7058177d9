import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { readStoredZip } from '../fixtures/stored_zip.ts';
import { journey } from './journey.ts';
import { drag, open, screenshot, waitForFaces } from './page_actions.ts';
import { people, phoneJpeg } from './photos.ts';
import { brightest, detail, difference, maxBlockDeviation, pixelsOf } from './pixel_measures.ts';

const COUNT = 40;
const BROKEN = 'photo 7.jpg';
const size = { width: 240, height: 160 };
const face = { x: 80, y: 30, w: 76, h: 100 };

/** Small photos with a face and GPS, each of a grey of its own in its corner, and one broken among them. */
async function folderOfPhotos(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'batch-'));
  mkdirSync(join(root, 'trip'));
  const { pixels } = drawPeople(size.width, size.height, [face]);
  for (let at = 0; at < COUNT; at++) {
    const own = { raw: { width: 40, height: 40, channels: 3 as const } };
    const corner = Buffer.alloc(40 * 40 * 3, 10 + at * 6);
    const jpeg = await sharp(pixels, { raw: { ...size, channels: 4 } })
      .removeAlpha()
      .composite([{ input: corner, ...own, left: 0, top: 0 }])
      .withExif({ IFD0: { Make: 'Example' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 0/1' } })
      .jpeg({ quality: 95 })
      .toBuffer();
    writeFileSync(
      join(root, at < 5 ? 'trip' : '.', `photo ${at}.jpg`),
      at === 7 ? jpeg.subarray(0, 200) : jpeg,
    );
  }
  writeFileSync(join(root, 'notes.txt'), 'no image');
  return root;
}

describe('several photos', () => {
  journey(
    'a folder of forty to a ZIP of clean files, and into a folder',
    { opens: true },
    async ({ page }) => {
      const root = await folderOfPhotos();
      // Where the browser can't stream to the disk, and a folder that needs nobody to choose it.
      await page.addInitScript(() => {
        Object.assign(window, {
          showSaveFilePicker: undefined,
          showDirectoryPicker: () => navigator.storage.getDirectory(),
        });
      });
      try {
        const isDrawing = (worker: Worker) => worker.url().includes('/picture_worker.');
        let drawers = 0;
        page.on('worker', (worker) => {
          if (isDrawing(worker)) drawers++;
        });
        await open(page);
        const began = Date.now();
        await page.setInputFiles('#folder', root);
        await page.waitForSelector('#photos:visible');
        expect(await page.locator('.thumb').count()).toBe(COUNT);
        // As people count: 2 before 10, and a folder's own files before those of its folders.
        const titles = await page
          .locator('.thumb')
          .evaluateAll((thumbs) => thumbs.map((thumb) => (thumb as HTMLElement).title));
        expect([titles[0], titles[5], titles[35]]).toEqual(['photo 5.jpg', 'photo 10.jpg', 'photo 0.jpg']);
        await page.waitForFunction(() => document.querySelectorAll('.thumb-name[hidden]').length === 39);
        await page.waitForSelector('#progress', { state: 'hidden' });
        // Who has drawn them holds all files that were read for it, and is ended.
        expect(drawers).toBeGreaterThan(0);
        await expect.poll(() => page.workers().filter(isDrawing).length, { timeout: 20_000 }).toBe(0);
        await page.check('#grayscale');
        await page.click('#clean-all');
        await page.waitForSelector('#save-zip:visible');
        console.log(`forty photos: clean after ${((Date.now() - began) / 1000).toFixed(1)} s`);
        expect(await page.textContent('#photos-count')).toBe('40 photos, 39 clean');
        await screenshot(page, 'light-9-batch');
        // What was left out, and why a photo is missing, is said until it is dismissed.
        expect(await page.textContent('#left-out')).toContain('1 file is no photo (notes.txt).');
        const end = `39 clean, 1 could not be cleaned:${BROKEN} This image can’t be read`;
        expect(await page.textContent('#batch-end')).toBe(end);
        expect(await page.textContent('#announcer')).toBe(
          `39 clean, 1 could not be cleaned: ${BROKEN}: This image can’t be read.`,
        );
        // The focus goes on with what comes next, and the rest can be tried again.
        await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('save-zip');
        expect(await page.textContent('#clean-all')).toBe('Try the rest again');
        // It stays so while the photo is looked at, of which nobody knows the size.
        await page.click(`.thumb[title="${BROKEN}"]`);
        await page.waitForSelector('#findings .warning');
        expect(await page.textContent('#findings')).not.toContain('0 × 0');
        expect(await page.textContent('#no-picture')).toBe('This photo could not be read.');
        expect(await page.textContent('#batch-end')).toBe(end);
        await page.click('.thumb >> nth=0');
        expect(await page.getAttribute('#save-zip', 'class')).toContain('strong');
        // All files are one stop of the Tab key, and arrow keys go between them.
        expect(await page.locator('.thumb[tabindex="0"]').count()).toBe(1);
        await page.focus('.thumb[tabindex="0"]');
        await page.keyboard.press('End');
        expect(await page.evaluate(() => document.activeElement?.getAttribute('title'))).toBe(titles.at(-1));

        const zip = async () => {
          const [file] = await Promise.all([page.waitForEvent('download'), page.click('#save-zip')]);
          return readStoredZip(readFileSync(await file.path()));
        };
        // Names, folders and times tell nothing; the numbers are those of the list.
        const neutral = await zip();
        expect(neutral.map(({ name }) => name)).toEqual(
          Array.from({ length: COUNT }, (_, at) => `photo-${at + 1}.jpg`)
            .filter((_, at) => titles[at] !== BROKEN)
            .concat('not-cleaned.txt'),
        );
        expect(neutral.at(-1)!.bytes.toString()).toContain(`Photo ${titles.indexOf(BROKEN) + 1}: This image`);
        expect(new Set(neutral.map(({ date }) => date))).toEqual(new Set([0x21]));
        await page.click('[data-view="edit"]');
        await page.check('#keep-names');
        await page.waitForSelector('#download[download$="-clean.jpg"]', { state: 'attached' });
        const all = await zip();
        expect(all.at(-1)!.bytes.toString()).toContain(`${BROKEN}: This image`);
        const entries = all.slice(0, -1);
        expect(entries).toHaveLength(COUNT - 1);
        const folderName = root.split('/').at(-1);
        const expectedNames = Array.from({ length: COUNT }, (_, at) => at)
          .filter((at) => at !== 7)
          .map((at) => `${folderName}/${at < 5 ? 'trip/' : ''}photo ${at}-clean.jpg`);
        expect(entries.map(({ name }) => name).toSorted()).toEqual(expectedNames.toSorted());
        for (const { name, bytes, date } of entries) {
          // 1 January 1980: nothing is told about when.
          expect(date).toBe(0x21);
          expect(scan(new Uint8Array(bytes))).toMatchObject({ ...size, blocks: [] });
          const pixels = await pixelsOf(bytes);
          expect(detail(pixels, face)).toBeLessThan(0.12);
          // Each is its own photo.
          const own = 10 + Number(/photo (\d+)/.exec(name)![1]) * 6;
          const { data } = await sharp(bytes)
            .extract({ left: 10, top: 10, width: 1, height: 1 })
            .raw()
            .toBuffer({
              resolveWithObject: true,
            });
          expect(Math.abs(data[0]! - own)).toBeLessThan(4);
          expect(Math.max(...data) - Math.min(...data)).toBe(0);
        }

        await page.click('#save-folder');
        await page.waitForFunction(() =>
          /saved in (?!a ZIP)/.test(document.querySelector('#announcer')?.textContent ?? ''),
        );
        const saved = await page.evaluate(async (name) => {
          const top = await (await navigator.storage.getDirectory()).getDirectoryHandle(name!);
          const trip = await top.getDirectoryHandle('trip');
          const names = async (folder: FileSystemDirectoryHandle) => {
            const found: string[] = [];
            for await (const key of (folder as unknown as { keys(): AsyncIterable<string> }).keys())
              found.push(key);
            return found.toSorted();
          };
          const bytes = await (await (await trip.getFileHandle('photo 0-clean.jpg')).getFile()).arrayBuffer();
          return {
            inTrip: await names(trip),
            inTop: (await names(top)).length,
            bytes: [...new Uint8Array(bytes)],
          };
        }, folderName);
        expect(saved.inTrip).toEqual([0, 1, 2, 3, 4].map((at) => `photo ${at}-clean.jpg`));
        expect(saved.inTop).toBe(35);
        const first = entries.find(({ name }) => name.endsWith('photo 0-clean.jpg'))!;
        expect(Buffer.from(saved.bytes).equals(first.bytes)).toBe(true);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  );

  journey('each keeps its own edits, and one set of settings holds for all', async ({ page }) => {
    const photo = await phoneJpeg();
    await page.setInputFiles(
      '#file',
      ['first.jpg', 'second.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer: photo })),
    );
    await waitForFaces(page);
    // The thumbnail is upright on the screen, although the file is stored sideways.
    await page.waitForSelector('.thumb-name[hidden]', { state: 'attached' });
    const shown = await page.locator('.thumb canvas').first().screenshot();
    const { width, height } = await sharp(shown).metadata();
    const upright = await sharp(photo).rotate().resize(width, height, { fit: 'cover' }).png().toBuffer();
    expect(difference(await pixelsOf(upright), await pixelsOf(shown), []).mean).toBeLessThan(12);
    await drag(page, [350, 480], [520, 600]);
    await page.click('.thumb >> nth=1');
    await waitForFaces(page);
    expect(await page.locator('.region').count()).toBe(0);
    await page.locator('.face').first().click();
    await page.click('.thumb >> nth=0');
    expect(await page.locator('.region').count()).toBe(1);
    expect(await page.textContent('#faces-found')).toContain('2 faces found, all hidden');
    await page.click('#clean-all');
    await page.waitForFunction(() =>
      document.querySelector('#photos-count')?.textContent?.includes('all clean'),
    );
    const clean = async (at: number) => {
      await page.click(`.thumb >> nth=${at}`);
      const [file] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
      return pixelsOf(readFileSync(await file.path()));
    };
    const drawn = { x: 356, y: 486, w: 158, h: 108 };
    const first = await clean(0);
    expect(brightest(first, drawn)).toBeLessThan(24);
    const second = await clean(1);
    expect(maxBlockDeviation(second, drawn, 19)).toBeGreaterThan(40);
    // Of the second one face was left out; which one is a matter of their order.
    const hidden = (pixels: typeof first) => people.filter((box) => detail(pixels, box) < 0.1).length;
    expect([hidden(first), hidden(second)]).toEqual([2, 1]);
    // A change of the settings makes both stale, and removing one leaves the other alone.
    await page.click('[data-view="edit"]');
    await page.check('#grayscale');
    expect(await page.locator('.thumb[data-status="changed"]').count()).toBe(2);
    await page.click('.thumb >> nth=0');
    await page.click('.thumb >> nth=1');
    expect(await page.textContent('#batch-end-title')).toBe('All 2 photos are clean.');
    await page.click('#remove-photo');
    expect(await page.isVisible('#photos')).toBe(false);
    expect(await page.isVisible('#workbench')).toBe(true);
  });

  journey('a run can be cancelled, and what is clean stays so', async ({ page }) => {
    const photo = await phoneJpeg();
    await page.setInputFiles(
      '#file',
      Array.from({ length: 8 }, (_, at) => ({ name: `${at}.jpg`, mimeType: 'image/jpeg', buffer: photo })),
    );
    await waitForFaces(page);
    await page.click('#clean-all');
    await page.waitForSelector('.thumb[data-status="clean"]');
    await page.click('#batch-cancel');
    expect(await page.isVisible('#clean-all')).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('clean-all');
    await page.waitForSelector('.thumb[data-status="working"]', { state: 'detached' });
    await page.waitForTimeout(200);
    expect(await page.textContent('#announcer')).not.toContain('clean');
    const clean = await page.locator('.thumb[data-status="clean"]').count();
    expect(clean).toBeGreaterThan(0);
    expect(clean).toBeLessThan(8);
    expect(await page.isVisible('#error-message')).toBe(false);
    await page.click('#clean-all');
    await page.waitForFunction(() =>
      document.querySelector('#photos-count')?.textContent?.includes('all clean'),
    );
  });

  journey(
    'one that can’t be read says so in its place, and the refusal takes it out of the list',
    async ({ page }) => {
      const words = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('These are words.') };
      const photo = { name: 'b.jpg', mimeType: 'image/jpeg', buffer: await phoneJpeg() };
      await page.setInputFiles('#file', [words, photo]);
      await page.waitForSelector('#error-message:visible');
      expect(await page.textContent('#no-picture')).toBe('This photo could not be read.');
      expect(await page.textContent('#findings')).toContain('This image can’t be read');
      expect(await page.isVisible('#detect')).toBe(false);
      await page.click('#error-message button:has-text("Remove this photo")');
      await waitForFaces(page);
      expect(await page.isVisible('#error-message')).toBe(false);
      expect(await page.locator('.thumb').count()).toBe(1);
      expect(await page.textContent('#findings')).toContain('Phone 7');
    },
  );
});
