import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { journey } from './journey.ts';
import {
  boxValues,
  cleanPhoto,
  download,
  drag,
  drop,
  dropPhonePhoto,
  served,
  toWindow,
} from './page_actions.ts';
import { people, phoneJpeg, photoSize, tiff } from './photos.ts';
import {
  alignToBlocks,
  brightest,
  detail,
  difference,
  maxBlockDeviation,
  pixelsOf,
} from './pixel_measures.ts';

/** The default block edge in pixels: 3 % of the short side. */
const BLOCK = 19;
/** In whole pixels. */
const whole = ({ x, y, w, h }: (typeof people)[number]) => ({
  x: Math.round(x),
  y: Math.round(y),
  w: Math.round(w),
  h: Math.round(h),
});
/** What a face's blocks cover at most: more than its padding of 1.5, and a block to each side. */
const around = ({ x, y, w, h }: (typeof people)[number], block = 60) => ({
  x: Math.max(0, x - w / 2 - block),
  y: Math.max(0, y - h / 2 - block),
  w: w * 2 + 2 * block,
  h: h * 2 + 2 * block,
});

describe('the main flow', () => {
  journey(
    'from a dropped, turned JPEG with GPS and faces to a clean file',
    { by: 'key' },
    async ({ page }) => {
      const photo = await dropPhonePhoto(page);

      // Inspect.
      expect(await page.textContent('#findings')).toContain('It says where it was taken.');
      expect(await page.textContent('.blocks')).toMatch(/EXIF.*GPS/s);
      // The face boxes lie over the upright faces, although the file is stored sideways.
      const faces = await page.locator('.face').all();
      expect(faces).toHaveLength(people.length);
      for (const { x, y, w, h } of people) {
        const middle = await toWindow(page, x + w / 2, y + h / 2);
        const covering = await Promise.all(
          faces.map(async (face) => {
            const box = (await face.boundingBox())!;
            return (
              middle.x > box.x &&
              middle.x < box.x + box.width &&
              middle.y > box.y &&
              middle.y < box.y + box.height
            );
          }),
        );
        expect(covering.filter(Boolean)).toHaveLength(1);
      }
      expect(await faces[0]!.getAttribute('aria-label')).toMatch(/confidence \d+ %/);

      await drag(page, [350, 480], [520, 600]);
      const [x, y, w, h] = await boxValues(page);
      for (const [actual, expected] of [
        [x!, 350],
        [y!, 480],
        [w!, 170],
        [h!, 120],
      ] as const) {
        expect(Math.abs(actual - expected)).toBeLessThan(4);
      }
      await cleanPhoto(page);
      const report = await page.textContent('#result');
      expect(report).toContain('Removed: camera data (EXIF), place (GPS)');
      expect(report).toContain('no metadata is left');
      expect(report).toContain('2 faces were found and hidden.');
      expect(report).toContain('1 region was covered in black.');
      expect(await page.textContent('#cost')).toMatch(/This call was (charged|free); \d+ calls of 600 left/);

      const { name, bytes } = await download(page);
      expect(name).toBe('photo-1.jpg');
      expect(scan(new Uint8Array(bytes))).toMatchObject({
        format: 'jpeg',
        ...photoSize,
        orientation: 1,
        blocks: [],
      });
      const before = await pixelsOf(photo);
      const after = await pixelsOf(bytes);
      const drawn = { x: x!, y: y!, w: w!, h: h! };
      // The photo's grain makes every block uneven. What is left in the result comes from JPEG coding.
      expect(maxBlockDeviation(before, drawn, BLOCK)).toBeGreaterThan(40);
      expect(brightest(after, drawn)).toBeLessThan(24);
      // Inside the faces nothing is left but the borders of large blocks.
      for (const face of people) {
        expect(detail(before, face)).toBeGreaterThan(0.12);
        expect(detail(after, face)).toBeLessThan(0.1);
      }
      const elsewhere = difference(before, after, [
        alignToBlocks(drawn, BLOCK),
        ...people.map((face) => around(face)),
      ]);
      expect(elsewhere.mean).toBeLessThan(2.5);
      expect(elsewhere.max).toBeLessThan(40);

      // The snippet makes the same file.
      const folder = mkdtempSync(join(tmpdir(), 'playground-curl-'));
      writeFileSync(join(folder, 'holiday.jpg'), photo);
      const script = (await page.textContent('#snippet'))!;
      execFileSync('sh', ['-c', script], {
        cwd: folder,
        env: { ...process.env, IMAGE_SANITIZER_KEY: served!.key },
      });
      expect(readFileSync(join(folder, 'clean.jpg')).equals(bytes)).toBe(true);
    },
  );

  journey(
    'with a face left out, a crop and a width cap: everything else is hidden where it was drawn',
    { by: 'key' },
    async ({ page }) => {
      const photo = await dropPhonePhoto(page, await phoneJpeg(98));
      const second = people[1]!;
      const middle = await toWindow(page, second.x + second.w / 2, second.y + second.h / 2);
      await page.mouse.click(middle.x, middle.y);
      expect(await page.textContent('#faces-found')).toBe('2 faces found, 1 hidden.');
      expect(await page.textContent('#faces-visible')).toBe('1 face is visible');
      await drag(page, [350, 480], [520, 600]);
      await page.click('[data-tool="crop"]');
      await drag(page, [60, 40], [860, 620]);
      await page.fill('#max-width', '400');
      await page.selectOption('#format', 'png');
      expect(await page.textContent('#output-size')).toMatch(/will be 400 × 2\d\d pixels/);

      const region = await boxValues(page);
      await cleanPhoto(page);
      const { name, bytes } = await download(page);
      expect(name).toBe('photo-1.png');
      expect(scan(new Uint8Array(bytes))).toMatchObject({ format: 'png', width: 400, blocks: [] });
      const ops = JSON.parse(/ops=(\{.*\})'/.exec((await page.textContent('#snippet'))!)![1]!);
      expect(Object.keys(ops.pixelate)).toEqual(['areas', 'regions', 'verify']);
      expect(ops.pixelate.areas).toHaveLength(1);

      // The same crop and size by another library, without pixelation.
      const { x, y, width, height } = ops.crop;
      const after = await pixelsOf(bytes);
      const upright = await sharp(photo).rotate().toBuffer();
      const resized = await sharp(upright)
        .extract({ left: x, top: y, width, height })
        .resize(400, after.height, { fit: 'fill', kernel: 'lanczos3' })
        .png()
        .toBuffer();
      const before = await pixelsOf(resized);
      const scale = 400 / width;
      const inOutput = (box: { x: number; y: number; w: number; h: number }) => ({
        x: (box.x - x) * scale,
        y: (box.y - y) * scale,
        w: box.w * scale,
        h: box.h * scale,
      });
      const block = Math.round((ops.pixelate.strength ?? 3) * 0.01 * Math.min(400, after.height));
      const drawn = inOutput({ x: region[0]!, y: region[1]!, w: region[2]!, h: region[3]! });
      const hiddenFace = inOutput(people[0]!);
      expect(brightest(after, drawn)).toBe(0);
      // Flat blocks, of which at most 4 cover it.
      expect(detail(after, whole(hiddenFace))).toBeLessThan(0.1);
      const padded = {
        x: hiddenFace.x - 0.7 * hiddenFace.w,
        y: hiddenFace.y - 0.7 * hiddenFace.h,
        w: hiddenFace.w * 2.4,
        h: hiddenFace.h * 2.4,
      };
      const elsewhere = difference(before, after, [
        alignToBlocks(drawn, block),
        alignToBlocks(padded, block),
      ]);
      // The face that was left out is not excluded from this comparison.
      expect(elsewhere.mean).toBeLessThan(2);
      expect(elsewhere.max).toBeLessThan(40);
    },
  );

  journey(
    'for a format that the browser can’t display: boxes are drawn on a clean copy from the service',
    { by: 'key' },
    async ({ page }) => {
      await drop(page, await tiff(), 'scan.tif', 'image/tiff');
      await page.waitForSelector('#picture:visible');
      await page.waitForSelector('.face');
      await drag(page, [350, 480], [520, 600]);
      await cleanPhoto(page);
      expect(await page.textContent('#result')).toContain('1 region was covered in black.');
      const { name, bytes } = await download(page);
      expect(name).toBe('photo-1.jpg');
      expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
    },
  );
});
