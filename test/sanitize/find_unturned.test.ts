import { describe, expect, it } from 'vitest';
import { rotateBox } from '../../src/faces/boxes.ts';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { joined, unturnedSearch } from '../../src/sanitize/find_unturned.ts';
import { planSanitize } from '../../src/sanitize/plan.ts';
import { turnedFacts } from '../../src/sanitize/turned_facts.ts';
import { QUARTER_TURNS } from '../../src/vocabulary/vocabulary.ts';
import { stillFacts } from '../cases/decoder_cases.ts';
import { noisePicture } from '../fixtures/raster.ts';
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
  const planned = (facts: FileFacts) => {
    const search = unturnedSearch(facts, ops(90), 25e6, detector, []);
    const turned = turnedFacts(facts, 90);
    return planSanitize(turned, ops(90), 25e6, detector, {}, [], search?.plan.work);
  };
  expect(planned(large).predictedBytes).toBeLessThan(100 << 20);
  // Turned by its file, too, it is read in bands for both searches: that is too much.
  expect(planSanitize({ ...large, orientation: 3 }, ops(), 25e6, detector).predictedBytes).toBeGreaterThan(0);
  expect(() => planned({ ...large, orientation: 6 })).toThrow('would have to be read');
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
    }));
  expect(joined(page(0), page(2))).toHaveLength(3000);
  expect(joined(page(0), page(20))).toHaveLength(6000);
  expect(looks).toBeLessThan(3000 * 200);
});

it('is searched once where nothing is turned, and not at all where no faces are asked for', async () => {
  expect((await run({}, {}, {})).shown).toHaveLength(1);
  expect((await run({ rotate: 90, pixelate: { faces: false } })).shown).toHaveLength(0);
});
