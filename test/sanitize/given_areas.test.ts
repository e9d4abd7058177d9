import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { detectOpsSchema, type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { detect } from '../../src/sanitize/detect.ts';
import type { Runtime } from '../../src/sanitize/runtime.ts';
import { MAX_AREAS } from '../../src/vocabulary/vocabulary.ts';
import { paintedDetector } from '../fixtures/painted_detector.ts';
import { noisePicture, type Picture, readPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitizedPicture } from '../fixtures/sanitized.ts';
import { scripted } from '../fixtures/scripted_detector.ts';

const [width, height] = [300, 240];
const faces = [
  { x: 60, y: 50, w: 40, h: 52, confidence: 0.9 },
  { x: 130, y: 70, w: 34, h: 46, confidence: 0.8 },
  { x: 200, y: 150, w: 20, h: 24, confidence: 0.7 },
];

/** Noise with red lines, which the painted detector takes for text, one of them turned, and a blue plate. */
function page(): Picture {
  const picture = noisePicture(width, height, 4);
  const { pixels } = picture;
  for (let at = 0; at < pixels.length; at++) if (at % 4 < 3) pixels[at] = 120 + (pixels[at]! >> 1);
  const paint = (x: number, y: number, colour: number[]) => pixels.set(colour, (y * width + x) * 4);
  for (let y = 0; y < 16; y++) for (let x = 0; x < 100; x++) paint(20 + x, 12 + y, [230, 10, 10]);
  for (let y = 0; y < 20; y++) for (let x = 0; x < 60; x++) paint(220 + x, 20 + y, [10, 10, 230]);
  for (let along = 0; along < 150; along += 0.5)
    for (let across = 0; across < 12; across += 0.5)
      paint(
        Math.round(40 + 0.8 * along - 0.6 * across),
        Math.round(110 + 0.6 * along + 0.8 * across),
        [230, 10, 10],
      );
  return picture;
}

const runtime = (detector = scripted().detector): Runtime & { budget: MemoryBudget } => ({
  budget: new MemoryBudget(100 << 20, 4),
  detector,
  readable: paintedDetector(),
});

const WAYS: Readonly<Record<string, SanitizeOpsInput>> = {
  'as it is': {},
  turned: { rotate: 90 },
  'turned back': { rotate: 270 },
  cropped: { crop: { x: 40, y: 30, width: 200, height: 180 } },
  'turned, cropped, shrunk and grey': {
    rotate: 180,
    crop: { x: 20, y: 10, width: 240, height: 200 },
    grayscale: true,
    output: { maxWidth: 120, format: 'png' },
  },
  'filled, strong': { pixelate: { faceFill: 'solid', strength: 7 } },
};

describe('what detect has found, given as areas', () => {
  it.each(Object.entries(WAYS))('is hidden as it would be if it were found: %s', async (_name, ops) => {
    const file = () => sampleFile('png', page());
    const kinds = detectOpsSchema.parse({ kinds: ['face', 'text', 'plate'] });
    const found = await detect(await file(), kinds, runtime(scripted({ faces }).detector));
    const areas = [...found.faces, ...found.boxes!];
    expect(found.boxes!.map(({ corners }) => corners?.length).sort()).toEqual([4, undefined, undefined]);
    const { detector, shown } = scripted();
    const given = await sanitizedPicture(
      await file(),
      { ...ops, pixelate: { ...ops.pixelate, areas } },
      {
        ...runtime(detector),
        readable: { ...paintedDetector(), read: () => Promise.reject(new Error('searched')) },
      },
    );
    // The picture as its file has it is searched, too, where it is turned: there both find the same.
    const { rotate, ...unturned } = ops;
    const searched = await sanitizedPicture(
      await file(),
      {
        ...(rotate ? ops : unturned),
        pixelate: { ...ops.pixelate, text: true, plates: true, verify: false },
      },
      runtime(rotate ? scripted({}, { faces }, {}).detector : scripted({ faces: inCrop(ops.crop) }).detector),
    );
    expect(shown).toEqual([]);
    expect(given.report).toMatchObject({
      facesDetected: searched.report.facesDetected,
      platesHidden: searched.report.platesHidden,
    });
    expect(given.report.warningCodes).not.toContain('no_faces_found');
    // Text of a turned picture is found in other places than in that of detect; faces are not.
    const facesOf = ({ report }: typeof given) => report.hidden.filter(({ owner }) => owner === 'face');
    const by = (a: { x: number; y: number }, b: { x: number; y: number }) => a.x - b.x || a.y - b.y;
    expect(facesOf(given).sort(by)).toEqual(facesOf(searched).sort(by));
    if (!rotate && !ops.crop) expect(given.picture).toEqual(searched.picture);
  });

  function inCrop(crop: SanitizeOpsInput['crop']) {
    return crop ? faces.map((face) => ({ ...face, x: face.x - crop.x, y: face.y - crop.y })) : faces;
  }

  it('outside of the crop hides nothing and is not counted', async () => {
    const { report } = await sanitizedPicture(await sampleFile('png', page()), {
      crop: { x: 0, y: 0, width: 50, height: 50 },
      pixelate: {
        areas: [
          { x: 200, y: 100, w: 30, h: 30 },
          { x: 200, y: 100, w: 30, h: 30, kind: 'plate' },
        ],
      },
    });
    expect(report).toMatchObject({ facesDetected: 0, platesHidden: 0, hidden: [], detected: [] });
  });

  it('are joined with what is found where a search is asked for as well', async () => {
    const { detector, shown } = scripted({ faces: [{ ...faces[0]!, x: 62 }, faces[2]!] });
    const [{ x, y, w, h }] = faces as [(typeof faces)[number]];
    const area = { x: x - w / 4, y: y - h / 4, w: 1.5 * w, h: 1.5 * h };
    const ops = { pixelate: { areas: [area], faces: true } };
    const { report } = await sanitizedPicture(await sampleFile('png', page()), ops, runtime(detector));
    expect(shown).toHaveLength(1);
    expect(report.facesDetected).toBe(2);
  });

  it('may be as many as the limit says', () => {
    const parse = (length: number) =>
      sanitizeOpsSchema.safeParse({
        pixelate: { areas: Array.from({ length }, () => ({ x: 1, y: 2, w: 3, h: 4 })) },
      }).success;
    expect([parse(MAX_AREAS), parse(MAX_AREAS + 1)]).toEqual([true, false]);
  });
});

describe('areas that no detector gives', () => {
  const png = () => sampleFile('png', noisePicture(80, 60, 2));

  it.each([45_097_156_608, 1e8, 1e6])(
    'are as large as the picture at most: one of %d wrapped in the core',
    async (w) => {
      const ops = (side: number) => ({
        pixelate: { areas: [{ x: 0, y: 0, w: side, h: side }], strength: 12 },
      });
      if (w > 1e8) return expect(sanitizeOpsSchema.safeParse(ops(w)).success).toBe(false);
      const huge = await sanitizedPicture(await png(), ops(w));
      const whole = await sanitizedPicture(await png(), ops(80));
      expect(huge.report.hidden).toEqual([{ owner: 'face', fill: 'mosaic', x: 0, y: 0, w: 80, h: 60 }]);
      expect(huge.picture).toEqual(whole.picture);
    },
  );

  it('are not counted where only their bounds reach into the output', async () => {
    const corners = [60, 70, 70, 60].map((x, at) => ({ x, y: at < 2 ? 40 : 50 }));
    const plate = { x: 0, y: 0, w: 70, h: 50, kind: 'plate', corners };
    const { report } = await sanitizedPicture(await png(), {
      crop: { x: 0, y: 0, width: 30, height: 30 },
      pixelate: { areas: [plate] },
    });
    expect(report).toMatchObject({ platesHidden: 0, hidden: [] });
  });

  it('may be of any kind that a detector names', () => {
    const areas = [{ x: 0, y: 0, w: 1, h: 1, kind: 'Licence plate', detector: 'plates' }];
    expect(sanitizeOpsSchema.parse({ pixelate: { areas } }).pixelate.areas).toEqual(areas);
  });

  it('leave no part of a face open that a search finds as well', async () => {
    const [face] = faces as [(typeof faces)[number]];
    const top = { x: face.x, y: face.y, w: face.w, h: face.h * 0.6 };
    const { report } = await sanitizedPicture(
      await sampleFile('png', page()),
      { pixelate: { areas: [top], padding: 1, faces: true, verify: false } },
      runtime(scripted({ faces: [face] }).detector),
    );
    expect(report.hidden).toHaveLength(2);
  });
});

describe('what an opaque fill covers', () => {
  const [face] = faces as [(typeof faces)[number]];
  const run = async (pixelate: SanitizeOpsInput['pixelate'], found = face) => {
    const ops = { pixelate: { verify: false, ...pixelate } };
    const { detector } = scripted({ faces: [found] });
    return (await sanitizedPicture(await sampleFile('png', page()), ops, runtime(detector))).report;
  };

  it('counts once where two fills overlap: a face under 40 % of two stayed open', async () => {
    const chin = { x: face.x, y: face.y + face.h * 0.6, w: face.w, h: face.h * 0.4, fill: 'solid' as const };
    expect((await run({ regions: [chin, chin, { ...chin, shape: 'ellipse' }] })).facesDetected).toBe(1);
  });

  it('does not count where it is spared, and is shown there: finders were blind under a spared area', async () => {
    const area = { ...face, confidence: 0.9 };
    const except = [{ x: face.x + 5, y: face.y + 5, w: face.w - 10, h: face.h - 10 }];
    const second = { ...face, x: face.x + 2 };
    const given = { areas: [area], padding: 1, faceFill: 'solid' as const, faces: true };
    expect((await run({ ...given, except }, second)).facesSpared).toBeGreaterThan(0);
    let seen = 0;
    const detector = {
      ...scripted().detector,
      detect: async (...[raster, options]: Parameters<ReturnType<typeof scripted>['detector']['detect']>) => {
        for (const word of new Uint32Array(readPicture(raster).pixels.slice().buffer))
          seen += Number(word === 0xff808080);
        return scripted().detector.detect(raster, options);
      },
    };
    await sanitizedPicture(
      await sampleFile('png', page()),
      { pixelate: { ...given, except, verify: false } },
      runtime(detector),
    );
    expect(seen).toBe(0);
  });
});

describe('the second look', () => {
  const spot = { x: 20, y: 100, w: 20, h: 20, confidence: 0.9 };

  it('that is only to be listed hides nothing more, also for areas that were given', async () => {
    const file = () => sampleFile('png', page());
    const [{ x, y, w, h }] = faces as [(typeof faces)[number]];
    const pixelate = { areas: [{ x, y, w, h }], padding: 1.5 };
    const without = await sanitizedPicture(await file(), { pixelate });
    const { detector, shown } = scripted({ faces: [spot] });
    const listed = await sanitizedPicture(
      await file(),
      { pixelate: { ...pixelate, verify: 'list' } },
      runtime(detector),
    );
    expect(shown).toMatchObject([{ effort: 'one_read' }]);
    expect(listed.picture).toEqual(without.picture);
    expect(listed.report.hidden).toEqual(without.report.hidden);
    expect(listed.report.secondLook).toEqual([{ x: 15, y: 95, w: 30, h: 30, confidence: 0.9 }]);
    const hidden = await sanitizedPicture(
      await file(),
      { pixelate: { ...pixelate, verify: true } },
      runtime(scripted({ faces: [spot] }).detector),
    );
    expect(hidden.report.hidden.map(({ owner }) => owner)).toEqual(['face', 'second_look']);
  });

  it('that is to be listed is taken where nothing is hidden, too', async () => {
    const { report } = await sanitizedPicture(
      await sampleFile('png', page()),
      { pixelate: { areas: [], verify: 'list' } },
      runtime(scripted({ faces: [spot] }).detector),
    );
    expect(report.secondLook).toHaveLength(1);
  });

  it('leaves what it finds inside a fill to the fill', async () => {
    const regions = [{ x: 10, y: 90, w: 30, h: 40, fill: 'solid' as const }];
    const { report } = await sanitizedPicture(
      await sampleFile('png', page()),
      { pixelate: { regions } },
      runtime(scripted({}, { faces: [spot] }).detector),
    );
    expect(report.hidden.map(({ owner }) => owner)).toEqual(['region']);
    expect(report.facesOnSecondLook).toBe(0);
  });
});
