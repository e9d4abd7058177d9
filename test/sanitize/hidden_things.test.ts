import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { detectOpsSchema, type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { detect } from '../../src/sanitize/detect.ts';
import type { Finder } from '../../src/sanitize/finder.ts';
import type { Runtime } from '../../src/sanitize/runtime.ts';
import { sanitize } from '../../src/sanitize/sanitize.ts';
import { secondLook } from '../../src/sanitize/second_look.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { paintedDetector } from '../fixtures/painted_detector.ts';
import { type Picture, rasterOf } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitizedPicture } from '../fixtures/sanitized.ts';
import { scripted } from '../fixtures/scripted_detector.ts';

const CAPACITY = 100 * 1024 * 1024;
const RED = [230, 10, 10];
const BLUE = [10, 10, 230];

/** Grey, with a line of text, a plate, and a line that is turned. */
function page(): Picture {
  const [width, height] = [700, 500];
  const pixels = new Uint8Array(width * height * 4).fill(200);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  const paint = (x: number, y: number, colour: number[]) => pixels.set(colour, (y * width + x) * 4);
  for (let y = 0; y < 20; y++) for (let x = 0; x < 200; x++) paint(60 + x, 40 + y, RED);
  for (let y = 0; y < 30; y++) for (let x = 0; x < 120; x++) paint(500 + x, 60 + y, BLUE);
  for (let along = 0; along < 300; along += 0.5) {
    for (let across = 0; across < 14; across += 0.5) {
      const [x, y] = [200 + 0.8 * along - 0.6 * across, 200 + 0.6 * along + 0.8 * across];
      paint(Math.round(x), Math.round(y), RED);
    }
  }
  return { width, height, pixels };
}

const runtime = (): Runtime & { readonly budget: MemoryBudget } => ({
  budget: new MemoryBudget(CAPACITY, 1),
  detector: scripted().detector,
  readable: paintedDetector(),
});

async function run(
  pixelate: NonNullable<SanitizeOpsInput['pixelate']>,
  more: SanitizeOpsInput = {},
  parts: Partial<Runtime> = {},
) {
  const ops = { ...more, pixelate: { faces: false, ...pixelate } };
  return sanitizedPicture(await sampleFile('png', page()), ops, { readable: paintedDetector(), ...parts });
}

const left = ({ pixels }: Picture, [red, , blue]: number[]) => {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4)
    if (Math.abs(pixels[at]! - red!) < 30 && pixels[at + 1]! < 60 && Math.abs(pixels[at + 2]! - blue!) < 30)
      count++;
  return count;
};

describe('text and plates', () => {
  it('stay as they are unless ops ask for them, and nothing is reported of them', async () => {
    const { report, picture } = await run({});
    expect(left(picture, RED)).toBe(left(page(), RED));
    expect(left(picture, BLUE)).toBe(left(page(), BLUE));
    expect(Object.keys(report)).not.toContain('detected');
    expect(Object.keys(report)).not.toContain('textsHidden');
  });

  it('are filled where they are asked for, and told by kind, turned ones with their corners', async () => {
    const { report, picture } = await run({ text: true, plates: true });
    expect(left(picture, RED)).toBe(0);
    expect(left(picture, BLUE)).toBe(0);
    expect(report).toMatchObject({ platesHidden: 1, textsHidden: 2, regionsPixelated: 0 });
    expect(report.detected!.map(({ kind, corners }) => [kind, corners?.length])).toEqual(
      expect.arrayContaining([
        ['text', undefined],
        ['text', 4],
        ['plate', undefined],
      ]),
    );
    expect(report.detected!.every((box) => !('detector' in box))).toBe(true);
  });

  it('are hidden by themselves: one kind, not the other', async () => {
    const { report, picture } = await run({ plates: { padding: 1, fill: 'solid' } });
    expect(left(picture, BLUE)).toBe(0);
    expect(left(picture, RED)).toBe(left(page(), RED));
    expect(report.platesHidden).toBe(1);
    expect(Object.keys(report)).not.toContain('textsHidden');
  });

  it('are hidden in what is cropped and shrunk, where they then are', async () => {
    const { report, picture } = await run(
      { text: true },
      { crop: { x: 40, y: 20, width: 640, height: 460 }, output: { format: 'png', maxWidth: 320 } },
    );
    expect(left(picture, RED)).toBe(0);
    expect(report.textsHidden).toBe(2);
    expect(Math.max(...report.detected!.map(({ x, w }) => x + w))).toBeLessThanOrEqual(320);
  });

  it('leave what is to be spared, and the count of the caller’s own regions', async () => {
    const { report, picture } = await run({
      text: true,
      regions: [{ x: 500, y: 300, w: 20, h: 20 }],
      except: [{ x: 50, y: 30, w: 220, h: 40 }],
    });
    expect(report).toMatchObject({ textsHidden: 1, regionsPixelated: 1 });
    expect(left(picture, RED)).toBe(200 * 20);
  });

  it('bring a warning where blocks are to hide them', async () => {
    const blocks = await run({ text: { fill: 'mosaic' }, strength: 1, verify: false });
    expect(blocks.report).toMatchObject({ textsHidden: 2, regionsPixelated: 0 });
    expect(blocks.report.warningCodes).toContain('fine_blocks');
    expect(left(blocks.picture, RED)).toBeGreaterThan(0);
    // What is found under blocks is filled, and counted once.
    const { report, picture } = await run({ text: { fill: 'mosaic' }, strength: 1 });
    expect(report.textsHidden).toBe(2);
    expect(report.detected).toHaveLength(2);
    expect(left(picture, RED)).toBe(0);
    expect((await run({ text: true, strength: 1 })).report.warningCodes).not.toContain('fine_blocks');
  });

  it('are filled where the second look still finds them', async () => {
    const seen = paintedDetector();
    const calls: string[] = [];
    const readable = {
      ...seen,
      read: async (...call: Parameters<typeof seen.read>) => {
        calls.push(call[1].effort);
        return call[1].effort === 'thorough' ? [] : seen.read(...call);
      },
    };
    const ops = (verify: boolean) =>
      sanitizeOpsSchema.parse({
        output: { format: 'png' },
        pixelate: { faces: false, text: true, verify, regions: [{ x: 0, y: 490, w: 5, h: 5 }] },
      });
    const hidden = await sanitize(await sampleFile('png', page()), ops(true), { ...runtime(), readable });
    expect(hidden.report.textsHidden).toBe(2);
    expect(calls).toEqual(['thorough', 'coarse']);
    const { report } = await sanitize(await sampleFile('png', page()), ops(false), {
      ...runtime(),
      readable,
    });
    expect(report.textsHidden).toBe(0);
  });

  it('are not hidden by the second look where words of what it takes for one line are spared', async () => {
    const word = (x: number) => ({ x, y: 40, w: 90, h: 20, kind: 'text' as const, confidence: 0.9 });
    const line = { ...word(60), w: 200 };
    const readable = {
      ...paintedDetector(),
      read: async (_: unknown, { effort }: { effort: string }) =>
        effort === 'thorough' ? [word(60), word(170)] : [line],
    };
    const except = [60, 170].map((x) => ({ x, y: 40, w: 90, h: 20 }));
    const { report, picture } = await run(
      { text: true, except, regions: [{ x: 0, y: 490, w: 5, h: 5 }] },
      {},
      { readable },
    );
    // The words are left to the pixel; what else the line has is filled.
    expect(left(picture, RED) - left(page(), RED)).toBe(-20 * 20);
    expect(report.textsHidden).toBe(1);
  });

  /** Finds a line in the second look alone. */
  const seenLate = {
    ...paintedDetector(),
    read: async (_: unknown, { effort }: { effort: string }) =>
      effort === 'thorough' ? [] : [{ x: 60, y: 40, w: 200, h: 20, kind: 'text' as const, confidence: 0.9 }],
  };

  it('are hidden by the second look where less than half of one is covered, also where something is spared', async () => {
    const regions = [{ x: 60, y: 40, w: 70, h: 20, fill: 'solid' as const }];
    const except = [{ x: 500, y: 300, w: 10, h: 10 }];
    const { picture } = await run({ text: true, regions, except }, {}, { readable: seenLate });
    expect(left(picture, RED) - left(page(), RED)).toBe(-200 * 20);
  });

  it('are hidden by the second look, and spots are told of, in the corners that an ellipse leaves visible', async () => {
    // The line lies in the left upper corner of the ellipse's rectangle.
    const regions = [{ x: 60, y: 40, w: 640, h: 460, fill: 'solid' as const, shape: 'ellipse' as const }];
    const { picture } = await run({ text: true, regions }, {}, { readable: seenLate });
    const words = new Uint32Array(picture.pixels.buffer);
    for (let y = 40; y < 60; y++) expect(words[y * 700 + 61]).toBe(0xff000000);
    expect(words[500 - 1]).toBe(words[0]);

    const spot = { x: 70, y: 50, w: 20, h: 20, confidence: 0.55 };
    const { detector } = scripted({ belowConfidence: [spot] });
    const { report } = await run({ faces: true, padding: 1, regions }, {}, { detector });
    expect(report.belowConfidence).toEqual([spot]);
  });

  it('are compared with areas near them: a page that is found again was compared with all of it', async () => {
    let looks = 0;
    const areas = Array.from({ length: 2000 }, (_, n) => ({
      get x() {
        looks++;
        return (n % 40) * 40;
      },
      y: Math.floor(n / 40) * 30,
      width: 30,
      height: 12,
    }));
    const by = { padding: 1, fill: 'solid' as const };
    const found = areas.map(({ x, y }) => ({ x: x + 4, y, w: 30, h: 12, confidence: 0.9, kind: 'text', by }));
    const raster = rasterOf({ width: 1600, height: 1500, pixels: new Uint8Array(1600 * 1500 * 4) });
    const list = areas.map(
      (area) => ({ owner: 'text', fill: 'mosaic', areas: [area], block: 8, core: [] }) as const,
    );
    const finder = { find: async () => ({ found, doubtful: [] }) } as unknown as Finder;
    looks = 0;
    const { pixelate } = sanitizeOpsSchema.parse({});
    const again = await secondLook(list, [finder], pixelate, async () => raster, uninterrupted);
    expect(again).toHaveLength(2000);
    expect(again.every(({ isAgain }) => isAgain)).toBe(true);
    expect(looks).toBeLessThan(2000 * 20);
  });

  it('are refused where nothing can find them, before anything is read', async () => {
    const { readable: _none, ...without } = runtime();
    const ops = sanitizeOpsSchema.parse({ pixelate: { text: true } });
    await expect(sanitize(new Uint8Array(3), ops, without)).rejects.toThrow('text');
  });

  it('are told by detect by their kinds, with faces or without', async () => {
    const file = () => sampleFile('png', page());
    const faces = await detect(await file(), detectOpsSchema.parse({}), runtime());
    expect(Object.keys(faces)).not.toContain('boxes');
    const plates = await detect(await file(), detectOpsSchema.parse({ kinds: ['plate'] }), runtime());
    expect(plates).toMatchObject({ count: 0, faces: [], boxes: [{ kind: 'plate' }] });
    const [plate] = plates.boxes!;
    expect(plate!.x).toBeLessThanOrEqual(500);
    expect(plate!.x + plate!.w).toBeGreaterThanOrEqual(620);
    const both = await detect(await file(), detectOpsSchema.parse({ kinds: ['face', 'text'] }), runtime());
    expect(both.boxes!.map(({ kind }) => kind)).toEqual(['text', 'text']);
    await expect(detect(await file(), detectOpsSchema.parse({ kinds: ['logo'] }), runtime())).rejects.toThrow(
      'logo',
    );
  });
});
