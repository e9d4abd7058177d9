import { describe, expect, it } from 'vitest';
import { rotateBox } from '../../src/faces/boxes.ts';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { joined } from '../../src/sanitize/finder.ts';
import { findersFor } from '../../src/sanitize/finders.ts';
import { planSanitize } from '../../src/sanitize/plan.ts';
import { QUARTER_TURNS } from '../../src/vocabulary/vocabulary.ts';
import { stillFacts } from '../cases/decoder_cases.ts';
import { noisePicture, readPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitizedPicture } from '../fixtures/sanitized.ts';
import { scripted } from '../fixtures/scripted_detector.ts';

const size = { width: 200, height: 160 };
const face = { x: 60, y: 50, w: 24, h: 30, confidence: 0.9 };

async function run(ops: SanitizeOpsInput, ...answers: Parameters<typeof scripted>) {
  const { detector, shown } = scripted(...answers);
  const file = await sampleFile('png', noisePicture(size.width, size.height, 1));
  const pixelate = { verify: false, padding: 1, faceFill: 'solid' as const, ...ops.pixelate };
  return { ...(await sanitizedPicture(file, { ...ops, pixelate }, { detector })), shown };
}

/** The colours inside a box of a picture, less a pixel at each edge. */
function coloursIn({ width, pixels }: { width: number; pixels: Uint8Array }, { x, y, w, h }: typeof face) {
  const words = new Uint32Array(pixels.slice().buffer);
  const found = new Set<number>();
  for (let row = Math.ceil(y) + 1; row < y + h - 1; row++) {
    for (let column = Math.ceil(x) + 1; column < x + w - 1; column++) found.add(words[row * width + column]!);
  }
  return found;
}

describe.each(QUARTER_TURNS)('a picture that is turned by %i degrees', (rotate) => {
  const turned = rotateBox(face, (rotate / 90) as 1 | 2 | 3, size);

  it('is searched as it is turned and as it was; what either finds is hidden', async () => {
    const { picture, report, shown } = await run({ rotate }, {}, { faces: [face] });
    const sides = rotate === 180 ? size : { width: size.height, height: size.width };
    expect(shown).toMatchObject([sides, size]);
    expect(report.facesDetected).toBe(1);
    expect(coloursIn(picture, turned).size).toBe(1);
    const bySelf = await run({ rotate }, { faces: [turned] }, {});
    expect(bySelf.picture).toEqual(picture);
  });

  it('counts a face once that both find', async () => {
    const { report } = await run({ rotate }, { faces: [turned] }, { faces: [{ ...face, x: face.x + 2 }] });
    expect(report.facesDetected).toBe(1);
  });

  it('puts what only the other search finds where it lies after crop and resize', async () => {
    const crop = { x: turned.x - 20, y: turned.y - 10, width: 80, height: 80 };
    const outside = { ...face, x: 0, y: 0, w: 10, h: 10 };
    const { picture, report } = await run(
      { rotate, crop, output: { format: 'png', maxWidth: 40 } },
      {},
      { faces: [face, outside] },
    );
    const place = { x: 10, y: 5, w: turned.w / 2, h: turned.h / 2, confidence: 1 };
    expect(report.facesDetected).toBe(1);
    expect(coloursIn(picture, place).size).toBe(1);
  });
});

it('counts the work of both searches before anything is decoded, and takes 50 megapixels all the same', () => {
  const ops = (rotate?: 90) => sanitizeOpsSchema.parse({ rotate, output: { format: 'png' } });
  const { detector } = scripted();
  const large = stillFacts('png', 7071, 7071);
  const planned = (facts: FileFacts, rotate?: 90) =>
    planSanitize(facts, ops(rotate), 25e6, findersFor(ops(rotate), { detector }));
  expect(planned(large, 90).predictedBytes).toBeLessThan(100 << 20);
  // Turned by its file, too, it is read in bands for both searches: that is too much.
  expect(planned({ ...large, orientation: 3 }).predictedBytes).toBeGreaterThan(0);
  expect(() => planned({ ...large, orientation: 6 }, 90)).toThrow('would have to be read');
});

it('compares what both searches find with what lies near: a turned page of letters held the thread', () => {
  let looks = 0;
  const page = (dx: number) =>
    Array.from({ length: 3000 }, (_, n) => ({
      x: (n % 50) * 40 + dx,
      get y() {
        looks++;
        return Math.floor(n / 50) * 30;
      },
      w: 30,
      h: 12,
      confidence: 0.9,
      kind: 'text',
      by: { padding: 1, fill: 'solid' as const },
    }));
  const size = { width: 2100, height: 1900 };
  expect(joined(page(0), page(2), size)).toHaveLength(3000);
  expect(joined(page(0), page(20), size)).toHaveLength(6000);
  expect(looks).toBeLessThan(3000 * 200);
});

it('is searched once where nothing is turned, and not at all where no faces are asked for', async () => {
  expect((await run({}, {}, {})).shown).toHaveLength(1);
  expect((await run({ rotate: 90, pixelate: { faces: false } })).shown).toHaveLength(0);
});

describe('a crop', () => {
  const crop = { x: 80, y: 40, width: 80, height: 80 };
  const cut = { x: 60, y: 60, w: 30, h: 40, confidence: 0.9 };
  /** Of what is searched around the crop. */
  const around = (box: typeof cut) => ({ ...box, x: box.x - 40, y: box.y });

  it('that cuts a face hides what it leaves of it: a face was searched inside the crop alone', async () => {
    const inside = { ...cut, x: 100, y: 70 };
    const outside = { ...cut, x: 40, y: 60 };
    const { picture, report, shown } = await run({ crop }, {}, { faces: [cut, inside, outside].map(around) });
    expect(shown).toMatchObject([
      { width: 80, height: 80, effort: 'thorough' },
      { width: 160, height: 160, effort: 'one_read' },
    ]);
    // What lies inside is for the first search to judge, what lies outside is not in the output.
    expect(report.facesDetected).toBe(1);
    expect(report.hidden).toEqual([{ owner: 'face', fill: 'solid', x: 0, y: 20, w: 10, h: 40 }]);
    expect(coloursIn(picture, { ...cut, x: 0, y: 20, w: 10 }).size).toBe(1);
  });

  it('counts a face once that is found both whole and as the crop leaves it', async () => {
    const left = { x: 0, y: 21, w: 10, h: 38, confidence: 0.7 };
    const { report } = await run({ crop }, { faces: [left] }, { faces: [around(cut)] });
    expect(report.facesDetected).toBe(1);
  });

  it('that cuts nothing is searched once', async () => {
    const all = { x: 0, y: 0, width: size.width, height: size.height };
    expect((await run({ crop: all })).shown).toHaveLength(1);
  });
});

describe('a search', () => {
  it('does not see what is filled, in black as in white, and sees it around', async () => {
    const seen: Uint32Array[] = [];
    const { detector } = scripted();
    const looking = {
      ...detector,
      detect: async (...call: Parameters<typeof detector.detect>) => {
        seen.push(new Uint32Array(readPicture(call[0]).pixels.slice().buffer));
        return detector.detect(...call);
      },
    };
    const picture = noisePicture(size.width, size.height, 1);
    const file = await sampleFile('png', picture);
    const regions = [{ x: 30, y: 20, w: 50, h: 40, fill: 'solid' as const }];
    for (const rotate of [undefined, 90] as const) {
      for (const colour of ['#000000', '#ffffff']) {
        seen.length = 0;
        const pixelate = { regions, colour, verify: false };
        await sanitizedPicture(file.slice(), { ...(rotate && { rotate }), pixelate }, { detector: looking });
        const hidden = seen.map((words) => words.filter((word) => word === 0xff808080).length);
        expect(hidden).toEqual(rotate ? [2000, 2000] : [2000]);
      }
    }
  });

  it('leaves a face that an opaque region covers for the most part to the region', async () => {
    const region = { x: 60, y: 50, w: 13, h: 30 };
    const hiding = async (fill: 'mosaic' | 'solid') =>
      (await run({ pixelate: { regions: [{ ...region, fill }] } }, { faces: [face] })).report;
    expect((await hiding('mosaic')).facesDetected).toBe(1);
    expect(await hiding('solid')).toMatchObject({ facesDetected: 0, hidden: [{ owner: 'region' }] });
    const { report } = await run(
      { pixelate: { regions: [{ ...region, w: 10, fill: 'solid' }] } },
      { faces: [face] },
    );
    expect(report.facesDetected).toBe(1);
  });
});
