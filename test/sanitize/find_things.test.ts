import { describe, expect, it } from 'vitest';
import type { DetectedBox, Detector, View } from '../../src/detectors/detector.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import {
  type DetectOpsInput,
  detectOpsSchema,
  type SanitizeOpsInput,
  sanitizeOpsSchema,
} from '../../src/ops/schema.ts';
import { detect } from '../../src/sanitize/detect.ts';
import { sanitize } from '../../src/sanitize/sanitize.ts';
import type { Picture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitizedPicture } from '../fixtures/sanitized.ts';
import { scripted } from '../fixtures/scripted_detector.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';

const CAPACITY = 200 * 1024 * 1024;

/** Grey, with one red rectangle. */
function redOn(width: number, height: number, x: number, y: number, w: number, h: number): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(128);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w; column++) pixels.set([240, 10, 10], (row * width + column) * 4);
  }
  return { width, height, pixels };
}

/** Finds the bounding box of what is red. */
function redBox({ width, height, data }: View): DetectedBox[] {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      if (data[at]! < 180 || data[at + 1]! > 90) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  if (right < 0) return [];
  return [{ x: left, y: top, w: right - left + 1, h: bottom - top + 1, confidence: 0.9, kind: 'plate' }];
}

const plates: Detector = { name: 'plates', kinds: ['plate'], views: [{ whole: 400 }], detect: redBox };

const runtime = (...detectors: Detector[]) => ({
  budget: new MemoryBudget(CAPACITY, 4),
  detector: scripted().detector,
  detectors,
});

function run(
  file: Uint8Array,
  pixelate: NonNullable<SanitizeOpsInput['pixelate']>,
  more: SanitizeOpsInput = {},
  ...detectors: Detector[]
) {
  const ops = { ...more, pixelate: { faces: false, ...pixelate } };
  return sanitizedPicture(file, ops, { detectors: detectors.length > 0 ? detectors : [plates] });
}

const redLeft = ({ pixels }: Picture) => {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at]! > 180 && pixels[at + 1]! < 90) count++;
  return count;
};

const file = (picture: Picture) => sampleFile('png', picture);

it('covers what a detector finds, and says so', async () => {
  const { picture, report } = await run(await file(redOn(300, 200, 120, 60, 50, 20)), {
    detectors: { plates: true },
  });
  expect(redLeft(picture)).toBe(0);
  expect(report.detected).toEqual([
    { detector: 'plates', kind: 'plate', x: 117.5, y: 59, w: 55, h: 22, confidence: 0.9 },
  ]);
  expect(report).toMatchObject({ regionsPixelated: 0, facesDetected: 0 });
  expect(picture.pixels.subarray((70 * 300 + 140) * 4, (70 * 300 + 140) * 4 + 4)).toEqual(
    Uint8Array.of(0, 0, 0, 255),
  );
});

it('keeps to fill and padding, and counts the caller’s regions apart', async () => {
  const source = await file(redOn(300, 200, 120, 60, 50, 20));
  const { picture, report } = await run(source, {
    regions: [{ x: 0, y: 0, w: 20, h: 20 }],
    detectors: { plates: { fill: 'mosaic', padding: 2 } },
  });
  expect(report).toMatchObject({ regionsPixelated: 1 });
  expect(report.regionsFilled).toBeUndefined();
  expect(report.detected![0]).toMatchObject({ x: 95, y: 50, w: 100, h: 40 });
  const inside = picture.pixels.subarray((70 * 300 + 145) * 4, (70 * 300 + 145) * 4 + 3);
  expect(inside).not.toEqual(Uint8Array.of(0, 0, 0));
});

it('finds nothing where there is nothing, and does nothing where it is off', async () => {
  const grey = await file(redOn(64, 64, 0, 0, 0, 0));
  expect((await run(grey, { detectors: { plates: true } })).report.detected).toEqual([]);
  const red = await file(redOn(64, 64, 8, 8, 20, 20));
  const off = await run(red, { detectors: { plates: false } });
  expect(redLeft(off.picture)).toBe(400);
  expect((await run(red, {})).report.detected).toBeUndefined();
});

it('leaves visible what the ops spare', async () => {
  const source = await file(redOn(64, 64, 8, 8, 20, 20));
  const { picture, report } = await run(source, {
    except: [{ x: 4, y: 4, w: 30, h: 30 }],
    detectors: { plates: true },
  });
  expect(redLeft(picture)).toBe(400);
  expect(report.detected).toEqual([]);
});

describe('in the picture as it comes out', () => {
  it.each([
    ['turned', 6 as const],
    ['upside down', 3 as const],
  ])('%s, cropped and resized', async (_, orientation) => {
    const stored = redOn(320, 240, 200, 90, 40, 24);
    const tagged = tagJpeg(await sampleFile('jpeg', stored), { orientation });
    const crop =
      orientation === 6
        ? { x: 20, y: 40, width: 200, height: 260 }
        : { x: 16, y: 24, width: 280, height: 200 };
    const { picture, report } = await run(
      tagged,
      { detectors: { plates: { padding: 1.2 } } },
      { crop, output: { format: 'png', maxWidth: 100 } },
    );
    expect(report.detected).toHaveLength(1);
    expect(redLeft(picture)).toBe(0);
  });
});

it('uses the confidence asked for, or the detector’s own', async () => {
  const source = await file(redOn(64, 64, 8, 8, 20, 20));
  const strict = { ...plates, confidence: 0.95 };
  expect((await run(source, { detectors: { plates: true } }, {}, strict)).report.detected).toEqual([]);
  const asked = await run(source, { detectors: { plates: { confidence: 0.5 } } }, {}, strict);
  expect(asked.report.detected).toHaveLength(1);
});

it('refuses a name that this runtime has not, before it reads the picture', async () => {
  const source = await file(redOn(16, 16, 0, 0, 0, 0));
  await expect(run(source, { detectors: { logos: true } })).rejects.toMatchObject({
    kind: 'parameter',
    path: 'pixelate.detectors.logos',
    message: 'Expected one of plates but received logos',
  });
});

it('gives the memory back where a detector fails, and serves the next', async () => {
  const source = await file(redOn(64, 64, 8, 8, 20, 20));
  const broken: Detector = { ...plates, detect: () => Promise.reject(new Error('no service')) };
  const job = runtime(broken);
  const ops = sanitizeOpsSchema.parse({ pixelate: { faces: false, detectors: { plates: true } } });
  await expect(sanitize(source, ops, job)).rejects.toThrow('no service');
  expect(job.budget.freeBytes).toBe(CAPACITY);
});

it('refuses a job whose detector takes more than the budget has', async () => {
  const source = await file(redOn(64, 64, 8, 8, 20, 20));
  const heavy = { ...plates, memory: CAPACITY };
  await expect(run(source, { detectors: { plates: true } }, {}, heavy)).rejects.toMatchObject({
    kind: 'limit',
  });
});

it('detects beside faces, in pixels of the upright picture', async () => {
  const tagged = tagJpeg(await sampleFile('jpeg', redOn(320, 240, 200, 90, 40, 24)), { orientation: 6 });
  const ops: DetectOpsInput = { detectors: { plates: { padding: 1 } } };
  const result = await detect(tagged, detectOpsSchema.parse(ops), runtime(plates));
  expect(result).toMatchObject({ width: 240, height: 320, count: 0 });
  const [box] = result.boxes!;
  // Turned clockwise: x is what lay below, y what lay left.
  expect(Math.abs(box!.x - (240 - 90 - 24))).toBeLessThan(3);
  expect(Math.abs(box!.y - 200)).toBeLessThan(3);
  expect((await detect(tagged, detectOpsSchema.parse({}), runtime(plates))).boxes).toBeUndefined();
});
