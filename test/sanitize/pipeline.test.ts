import { describe, expect, it } from 'vitest';
import { decoders } from '../../src/codecs/registry.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import type { Orientation } from '../../src/metadata/facts.ts';
import { scan } from '../../src/metadata/scan.ts';
import { detectOpsSchema, type SanitizeOpsInput } from '../../src/ops/schema.ts';
import { crop } from '../../src/pixels/crop.ts';
import { grayscale } from '../../src/pixels/grayscale.ts';
import { orient } from '../../src/pixels/orient.ts';
import { pixelate } from '../../src/pixels/pixelate.ts';
import { resize } from '../../src/pixels/resize.ts';
import { detect } from '../../src/sanitize/detect.ts';
import { gpsFields } from '../fixtures/metadata/payloads.ts';
import { noisePicture, type Picture, photoPicture, rasterOf, readPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitizedPicture } from '../fixtures/sanitized.ts';
import { scripted } from '../fixtures/scripted_detector.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';

const MEGABYTE = 1024 * 1024;

const run = (bytes: Uint8Array, ops: SanitizeOpsInput, detector = scripted().detector) =>
  sanitizedPicture(bytes, ops, { budget: new MemoryBudget(200 * MEGABYTE, 4), detector });

const noFaces = { faces: false };

describe('the order of the steps', () => {
  it('is the specification: auto-rotate, crop, grayscale, resize, pixelate', async () => {
    const stored = photoPicture(90, 60, 4);
    const file = tagJpeg(await sampleFile('jpeg', stored), { orientation: 6, gps: gpsFields });
    using source = await decoders.jpeg.open(file, scan(file)!, {});
    const area = { x: 5, y: 10, width: 48, height: 64 };
    const to = { width: 24, height: 32 };
    const mosaic = { block: 2, areas: [{ x: 3, y: 4, width: 9, height: 7 }] };
    const expected = readPicture(
      pixelate(resize(grayscale(crop(orient(source, 6, MEGABYTE), area)), to), [mosaic], MEGABYTE),
    );
    const { picture, report } = await run(file, {
      crop: area,
      grayscale: true,
      output: { format: 'png', maxWidth: 24 },
      pixelate: { ...noFaces, regions: [{ x: 3, y: 4, w: 9, h: 7 }], strength: 8 },
    });
    expect(picture).toEqual(expected);
    expect(report).toMatchObject({ width: 24, height: 32, grayscale: true, regionsPixelated: 1 });
    expect(report.sourceMetadataFound).toEqual(expect.arrayContaining(['exif', 'gps']));
    expect(report.verified).toEqual({ blocks: [], scannedBytes: report.bytes });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8] as Orientation[])('turns orientation %i upright', async (orientation) => {
    const stored = noisePicture(24, 16, orientation);
    const file = tagJpeg(await sampleFile('jpeg', stored), { orientation });
    using source = await decoders.jpeg.open(file, scan(file)!, {});
    const { picture } = await run(file, { pixelate: noFaces });
    expect(picture).toEqual(readPicture(orient(source, orientation, MEGABYTE)));
  });
});

describe('what lies outside the crop', () => {
  it.each([4, 8, 16])(
    'stays out where the decoder could shrink: a JPEG to a %ith of its width',
    async (factor) => {
      const area = { x: 7, y: 3, width: 640, height: 483 };
      const inside = (x: number, y: number) =>
        x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height;
      const stored = noisePicture(672, 512, 3);
      for (let i = 0; i < stored.pixels.length; i++) {
        const x = (i >> 2) % stored.width;
        stored.pixels[i] = i % 4 === 3 || !inside(x, Math.floor((i >> 2) / stored.width)) ? 255 : 0;
      }
      const file = await sampleFile('jpeg', stored);
      const { picture } = await run(file, {
        crop: area,
        pixelate: noFaces,
        output: { format: 'png', maxWidth: area.width / factor },
      });
      expect(Math.max(...picture.pixels.filter((_, i) => i % 4 !== 3))).toBeLessThan(40);
    },
  );
});

describe('faces', () => {
  const found = (x: number, y: number, w: number, h: number) => ({ x, y, w, h, confidence: 0.9 });

  it('land on the same content after crop and resize', async () => {
    const file = await sampleFile('png', noisePicture(200, 160, 1));
    const { detector, shown } = scripted({ faces: [found(40, 20, 20, 30)] });
    const { picture, report } = await run(
      file,
      {
        crop: { x: 20, y: 10, width: 160, height: 120 },
        output: { format: 'png', maxWidth: 80 },
        pixelate: { padding: 1, strength: 4, verify: false },
      },
      detector,
    );
    expect(shown).toEqual([
      { width: 160, height: 120, effort: 'thorough' },
      // Around the crop, for what its edge cuts.
      { width: 200, height: 160, effort: 'one_read' },
    ]);
    expect(report.facesDetected).toBe(1);
    expectEvenBlocks(picture, { x: 20, y: 10, width: 10, height: 15 }, 5);
  });

  it('are covered coarsely enough when they fill the picture', async () => {
    const file = await sampleFile('png', noisePicture(140, 140, 2));
    const { detector } = scripted({ faces: [found(0, 0, 140, 140)] });
    const { picture } = await run(file, { pixelate: { padding: 1, strength: 1, verify: false } }, detector);
    expectEvenBlocks(picture, { x: 0, y: 0, width: 140, height: 140 }, 47);
  });

  it('that the second detection still finds are covered at twice the strength', async () => {
    const file = await sampleFile('png', noisePicture(200, 100, 3));
    const { detector, shown } = scripted(
      { faces: [found(20, 20, 8, 8)] },
      { faces: [found(120, 40, 20, 20)] },
    );
    const { picture, report } = await run(file, { pixelate: { padding: 1, strength: 5 } }, detector);
    expect(shown.map(({ effort }) => effort)).toEqual(['thorough', 'one_read']);
    expect(report).toMatchObject({ facesDetected: 1, facesOnSecondLook: 1 });
    expectEvenBlocks(picture, { x: 20, y: 20, width: 8, height: 8 }, 5);
    expectEvenBlocks(picture, { x: 120, y: 40, width: 20, height: 20 }, 18);
  });

  it('not found: a warning, what came close is listed, no second detection', async () => {
    const file = await sampleFile('png', noisePicture(50, 50, 4));
    const spot = { x: 10, y: 12, w: 6, h: 8 };
    const { detector, shown } = scripted({
      belowConfidence: [
        { ...spot, confidence: 0.5 },
        { ...spot, x: 30, confidence: 0.3 },
      ],
    });
    const ops = { pixelate: { padding: 2 }, output: { format: 'png', maxWidth: 25 } } as const;
    const { report } = await run(file, ops, detector);
    expect(shown).toHaveLength(1);
    expect(report).toMatchObject({ facesDetected: 0, facesBelowConfidence: 1, facesOnSecondLook: 0 });
    // Half as large as the source, grown to twice its sides.
    expect(report.belowConfidence).toEqual([{ x: 3.5, y: 4, w: 6, h: 8, confidence: 0.5 }]);
    expect(report.warnings).toEqual(['no faces found; detection is not exhaustive']);
  });

  it('does not list a spot below the confidence of which a region or a face hides something', async () => {
    const file = await sampleFile('png', noisePicture(90, 90, 4));
    const spot = (x: number) => ({ x, y: 40, w: 6, h: 8, confidence: 0.59 });
    const { detector } = scripted({
      faces: [{ x: 10, y: 36, w: 12, h: 14, confidence: 0.9 }],
      belowConfidence: [spot(24), spot(44), spot(70)],
    });
    const regions = [{ x: 68, y: 30, w: 4, h: 12 }];
    const { report } = await run(file, { pixelate: { regions, padding: 1.5 } }, detector);
    expect(report.belowConfidence.map(({ x }) => x)).toEqual([42.5]);
    expect(report.facesBelowConfidence).toBe(1);
  });

  it('detected only: what came close is listed on request, but for what a face touches', async () => {
    const file = await sampleFile('png', noisePicture(90, 90, 4));
    const spot = (x: number, confidence: number) => ({ x, y: 40, w: 6, h: 8, confidence });
    const answer = {
      faces: [spot(20, 0.9)],
      belowConfidence: [spot(24, 0.59), spot(60, 0.5), spot(80, 0.3)],
    };
    const budget = new MemoryBudget(200 * MEGABYTE, 4);
    const look = (ops: object) =>
      detect(file.slice(), detectOpsSchema.parse(ops), { budget, detector: scripted(answer).detector });
    expect((await look({ padding: 2, belowConfidence: true })).belowConfidence).toEqual([
      { x: 57, y: 36, w: 12, h: 16, confidence: 0.5 },
    ]);
    expect(await look({ padding: 2 })).not.toHaveProperty('belowConfidence');
  });

  it('not asked for: the detector is never touched', async () => {
    const { detector, shown } = scripted();
    const { report } = await run(
      await sampleFile('png', noisePicture(20, 20, 5)),
      { pixelate: noFaces },
      detector,
    );
    expect(shown).toEqual([]);
    expect(report.warnings).toEqual([]);
  });
});

describe('what is hidden', () => {
  it('under full transparency does not leave with the file', async () => {
    const pixels = noisePicture(16, 16, 6, 'any').pixels;
    const { picture } = await run(await sampleFile('png', { width: 16, height: 16, pixels }), {
      pixelate: noFaces,
    });
    for (let i = 0; i < pixels.length; i += 4) {
      const expected = pixels[i + 3] === 0 ? [0, 0, 0, 0] : [...pixels.subarray(i, i + 4)];
      expect([...picture.pixels.subarray(i, i + 4)]).toEqual(expected);
    }
  });
});

/** Every block of the grid that the area touches is one colour. */
function expectEvenBlocks(
  { width, height, pixels }: Picture,
  area: { x: number; y: number; width: number; height: number },
  block: number,
) {
  const words = new Uint32Array(pixels.buffer);
  const first = (at: number) => at - (at % block);
  for (let y = first(area.y); y < Math.min(height, area.y + area.height); y++) {
    for (let x = first(area.x); x < Math.min(width, area.x + area.width); x++) {
      expect(words[y * width + x]).toBe(words[first(y) * width + first(x)]);
    }
  }
  expect(rasterOf({ width, height, pixels }).width).toBe(width);
}
