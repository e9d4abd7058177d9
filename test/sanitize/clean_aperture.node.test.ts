import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { inspectText } from '../../src/cli/inspect_text.ts';
import { decoders } from '../../src/codecs/registry.ts';
import type { FaceDetector } from '../../src/faces/detector.ts';
import { inspect, sanitize } from '../../src/library/index.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { scan } from '../../src/metadata/scan.ts';
import { detectOpsSchema } from '../../src/ops/schema.ts';
import { NOTHING_HIDDEN } from '../../src/pixels/hide.ts';
import { detect } from '../../src/sanitize/detect.ts';
import { applySteps, beforeDetection, jobSizes } from '../../src/sanitize/steps.ts';
import { avifBySharp, fileOfItem, obusOf } from '../fixtures/avif_files.ts';
import { av1C, clap, clapOf, imir, irot, ispe, pixi } from '../fixtures/avif_writer.ts';
import { greenOverRed } from '../fixtures/green_over_red.ts';
import { mostApart, noisePicture, type Picture, readPicture } from '../fixtures/raster.ts';
import { readBySharp } from '../fixtures/sharp_reader.ts';

const size = { width: 90, height: 70 };
const area = { x: 21, y: 8, width: 33, height: 40 };
const png = { pixelate: { faces: false }, output: { format: 'png' } } as const;
const TURNS = [0, 1, 2, 3].flatMap((quarters) =>
  [[], [imir(0)], [imir(1)]].map((mirrors) => [irot(quarters), ...mirrors]),
);

/** Noise, of which another seed changes what lies outside of the aperture, and nothing else. */
function pictureOf(outside: number): Picture {
  const inside = noisePicture(size.width, size.height, 1);
  const pixels = noisePicture(size.width, size.height, outside).pixels.slice();
  for (let y = area.y; y < area.y + area.height; y++) {
    const [from, to] = [(y * size.width + area.x) * 4, (y * size.width + area.x + area.width) * 4];
    pixels.set(inside.pixels.subarray(from, to), from);
  }
  return { ...size, pixels };
}

/** What a detector is shown, as bytes. */
function looker() {
  const shown: Picture[] = [];
  const detector: FaceDetector = {
    cost: () => ({ inCores: 0, elsewhere: 0 }),
    wantedWidth: ({ width }) => width,
    async detect(raster) {
      shown.push(readPicture(raster));
      return { faces: [{ x: 2, y: 3, w: 5, h: 6, confidence: 0.9 }], belowConfidence: [], passes: 1 };
    },
  };
  return { detector, shown };
}

describe('what lies outside of an AVIF’s clean aperture', () => {
  let streams: Uint8Array[];
  beforeAll(async () => {
    const files = await Promise.all(
      [2, 3].map((seed) => avifBySharp(pictureOf(seed), { lossless: true, chromaSubsampling: '4:4:4' })),
    );
    streams = files.map(obusOf);
  });
  const filesWith = (...transforms: Uint8Array[]) =>
    streams.map((obus) =>
      fileOfItem(obus, size, {
        properties: [ispe(size.width, size.height), pixi(8, 8, 8), av1C(0), ...transforms],
      }),
    );

  it.each(TURNS.map((turn) => [turn.map((of) => [...of.subarray(4)].join(' ')).join(', '), turn] as const))(
    'reaches no output, and the rest is what libheif shows (%#)',
    async (_, turn) => {
      const [file, other] = filesWith(clapOf(size, area), ...turn) as [Uint8Array, Uint8Array];
      const { bytes, report } = await sanitize(file, png);
      const found = await readBySharp(bytes);
      const expected = await readBySharp(file);
      expect([found.width, found.height]).toEqual([expected.width, expected.height]);
      expect([report.width, report.height]).toEqual([expected.width, expected.height]);
      expect(mostApart(found.pixels, expected.pixels)).toBeLessThanOrEqual(1);
      expect((await sanitize(other, png)).bytes).toEqual(bytes);
      expect(report.warningCodes).toEqual([]);
    },
  );

  it('reaches neither detector nor boxes, also where a quarter turn is read in bands', async () => {
    for (const turn of [[], [irot(1)], [irot(3), imir(0)]]) {
      const [file, other] = filesWith(clapOf(size, area), ...turn) as [Uint8Array, Uint8Array];
      const { detector, shown } = looker();
      const budget = new MemoryBudget(200e6, 4);
      const ops = detectOpsSchema.parse({ padding: 1 });
      for (const bytes of [file, other]) {
        const { width, height, faces } = await detect(bytes, ops, { budget, detector });
        expect([width, height]).toEqual(turn.length > 0 ? [40, 33] : [33, 40]);
        expect(faces).toMatchObject([{ x: 2, y: 3, w: 5, h: 6 }]);
      }
      expect(shown[1]).toEqual(shown[0]);
      expect(shown[0]).toMatchObject(turn.length > 0 ? { width: 40, height: 33 } : { width: 33, height: 40 });

      const facts = scan(file)!;
      using stored = await decoders.avif.open(file, facts, {});
      const { crop, output } = jobSizes({ facts, ops: {} });
      const input = {
        facts,
        ops: {},
        crop,
        output,
        factor: 1,
        hidden: NOTHING_HIDDEN,
        bandBytes: 7 * 70 * 4,
      };
      const { raster } = await applySteps(stored, input, beforeDetection);
      expect(readPicture(raster)).toEqual(shown[0]);
    }
  });

  it('is told by inspect, whose sizes stay those that are stored', async () => {
    const [file] = filesWith(clapOf(size, area), irot(1));
    const found = await inspect(file!);
    expect(found).toMatchObject({ ...size, orientation: 8 });
    expect(found.clean_aperture).toEqual({ x: 8, y: 36, width: 40, height: 33 });
    expect(inspectText('a.avif', found)).toContain('a.avif: AVIF, 90 × 70 pixels cropped to 40 × 33\n');
    expect(await inspect(filesWith(irot(1))[0]!)).not.toHaveProperty('clean_aperture');
  });

  it('is cut off before crops and regions, which count from the aperture', async () => {
    const [file] = filesWith(clapOf(size, area));
    const { bytes } = await sanitize(file!, { ...png, crop: { x: 3, y: 5, width: 1000, height: 9 } });
    const expected = await sharp(file).extract({ left: 3, top: 5, width: 30, height: 9 }).png().toBuffer();
    const [found, wanted] = await Promise.all([bytes, expected].map((of) => readBySharp(of)));
    expect([found!.width, found!.height]).toEqual([30, 9]);
    expect(mostApart(found!.pixels, wanted!.pixels)).toBeLessThanOrEqual(1);
    await expect(sanitize(file!, { ...png, crop: { x: 40, y: 0, width: 9, height: 9 } })).rejects.toThrow(
      'the upright image of 33 × 40',
    );
  });

  it('stays, with a warning, where the aperture leaves nothing', async () => {
    const [file] = filesWith(clap([8, 0], [6, 0], [0, 0], [0, 0]));
    const { report } = await sanitize(file!, png);
    expect(report).toMatchObject({ ...size, warningCodes: ['clean_aperture_ignored'] });
    expect((await inspect(file!)).clean_aperture).toBeNull();
  });

  it('is cut off of a picture that another decoder reads, too', async () => {
    const properties = [clapOf({ width: 32, height: 16 }, { x: 3, y: 2, width: 9, height: 5 })];
    const { report } = await sanitize(greenOverRed({ properties }), png);
    expect(report).toMatchObject({ width: 9, height: 5 });
  });
});
