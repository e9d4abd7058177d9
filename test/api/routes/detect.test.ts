import { beforeAll, describe, expect, it } from 'vitest';
import type { Orientation } from '../../../src/metadata/facts.ts';
import type { DetectResult } from '../../../src/ops/responses.ts';
import { orient, uprightSize } from '../../../src/pixels/orient.ts';
import { drawPeople } from '../../fixtures/drawn_face.ts';
import { type Picture, rasterOf, readPicture } from '../../fixtures/raster.ts';
import { sampleFile } from '../../fixtures/samples.ts';
import { bodyForms, postImage } from '../../fixtures/service.ts';
import { tagJpeg } from '../../fixtures/tagged_jpeg.ts';

const face = { x: 180, y: 90, w: 91, h: 120 };
const people = drawPeople(480, 360, [face]);
let jpeg: Uint8Array<ArrayBuffer>;

async function detect(image: Uint8Array, ops?: unknown, form: (typeof bodyForms)[number] = 'raw') {
  const answer = await postImage('/v1/detect', image, ops, { form });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  return (await answer.json()) as DetectResult;
}

/** Intersection over union of two boxes. */
function overlap(
  a: DetectResult['faces'][number],
  b: { x: number; y: number; w: number; h: number },
): number {
  const w = Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x));
  const h = Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));
  return (w * h) / (a.w * a.h + b.w * b.h - w * h);
}

beforeAll(async () => {
  jpeg = await sampleFile('jpeg', people);
});

describe('POST /v1/detect', () => {
  it.each(bodyForms)('finds the drawn face, sent as %s', async (form) => {
    const result = await detect(jpeg, { padding: 1 }, form);
    expect(result).toMatchObject({ width: 480, height: 360, count: 1 });
    expect(overlap(result.faces[0]!, face)).toBeGreaterThan(0.5);
    expect(result.faces[0]!.confidence).toBeGreaterThanOrEqual(0.6);
  });

  it.each(bodyForms)(
    'refuses detectors that nobody has, whatever they are called, sent as %s',
    async (form) => {
      for (const name of ['__proto__', 'constructor', 'toString']) {
        const detectors = JSON.parse(`{"${name}":true}`);
        const answers = [
          await postImage('/v1/detect', jpeg, { detectors }, { form }),
          await postImage('/v1/sanitize', jpeg, { pixelate: { detectors } }, { form }),
        ];
        for (const answer of answers)
          expect([answer.status, await answer.json()]).toMatchObject([
            400,
            { error: 'invalid_ops', issues: [{ path: expect.stringMatching(`detectors.${name}$`) }] },
          ]);
      }
    },
  );

  it('expands boxes about their centre by padding and clips them, with one decimal', async () => {
    const tight = (await detect(jpeg, { padding: 1 })).faces[0]!;
    const wide = (await detect(jpeg, { padding: 2 })).faces[0]!;
    expect(wide.w).toBeCloseTo(tight.w * 2, 0);
    expect(wide.x + wide.w / 2).toBeCloseTo(tight.x + tight.w / 2, 0);
    for (const value of [wide.x, wide.y, wide.w, wide.h]) expect(Math.round(value * 10) / 10).toBe(value);
    const corner = await sampleFile('jpeg', drawPeople(300, 260, [{ x: 4, y: 6, w: 152, h: 200 }]));
    const [clipped] = (await detect(corner, { padding: 3, confidence: 0.3 })).faces;
    expect(clipped).toMatchObject({ x: 0, y: 0 });
    expect(clipped!.w).toBeLessThanOrEqual(300);
    expect(clipped!.h).toBeLessThanOrEqual(260);
  });

  it('lists spots close below the confidence only on request, and none that a face touches', async () => {
    expect(await detect(jpeg)).not.toHaveProperty('belowConfidence');
    const found = await detect(jpeg, { belowConfidence: true });
    expect(found.count).toBe(1);
    expect(found.belowConfidence).toEqual([]);
  });

  it('finds no faces in a picture without people', async () => {
    const empty = await sampleFile('png', drawPeople(320, 240));
    expect(await detect(empty)).toEqual({ width: 320, height: 240, count: 0, faces: [] });
  });

  it('looks for what `kinds` name, and refuses what nothing here finds', async () => {
    const found = await detect(jpeg, { kinds: ['text', 'plate'] });
    expect(found).toMatchObject({ count: 0, faces: [] });
    expect(found.boxes!.every(({ kind }) => kind === 'text' || kind === 'plate')).toBe(true);
    expect((await detect(jpeg, { kinds: ['face', 'plate'] })).count).toBe(1);
    const answer = await postImage('/v1/detect', jpeg, { kinds: ['logo'] });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path: 'kinds.logo' }] });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8] as Orientation[])(
    'gives boxes in the upright picture (orientation %i)',
    async (orientation) => {
      const stored = storedAs(people, orientation);
      const tagged = tagJpeg(await sampleFile('jpeg', stored), { orientation });
      const result = await detect(tagged, { padding: 1 });
      expect([result.width, result.height]).toEqual([480, 360]);
      expect(result.count).toBe(1);
      expect(overlap(result.faces[0]!, face)).toBeGreaterThan(0.5);
    },
  );

  it.each([
    [{ confidence: 0.04 }, 'confidence'],
    [{ padding: 3.5 }, 'padding'],
    [{ strength: 3 }, 'strength'],
  ])('refuses ops %j', async (ops, path) => {
    const answer = await postImage('/v1/detect', jpeg, ops);
    expect(answer.status).toBe(400);
    const body = (await answer.json()) as { error: string; issues: { path: string }[] };
    expect([body.error, body.issues[0]!.path]).toEqual(['invalid_ops', path]);
  });
});

/** The picture as stored by a camera that writes this EXIF orientation. */
function storedAs(upright: Picture, orientation: Orientation): Picture {
  // Each orientation is its own inverse, except the quarter turns 6 and 8, which invert each other.
  const inverse: Orientation = orientation === 6 ? 8 : orientation === 8 ? 6 : orientation;
  const stored = readPicture(orient(rasterOf(upright), inverse, 1 << 24));
  expect(uprightSize(stored.width, stored.height, orientation)).toEqual({
    width: upright.width,
    height: upright.height,
  });
  return stored;
}
