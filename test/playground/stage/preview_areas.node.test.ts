import fc from 'fast-check';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { sanitize } from '../../../src/library/index.ts';
import { type Box, type Turn, turnedSize } from '../../../src/playground/geometry.ts';
import { defaultSettings, planRequest } from '../../../src/playground/settings/ops.ts';
import type { Face } from '../../../src/playground/settings/pixelation_plan.ts';
import { previewAreas } from '../../../src/playground/stage/preview_areas.ts';
import { seededRandom } from '../../fixtures/random.ts';

const upright = { width: 173, height: 131 };

/** Noise: no block's mean is one of its pixels. */
async function noise(): Promise<Uint8Array> {
  const next = seededRandom(53);
  const pixels = Uint8Array.from(
    { length: upright.width * upright.height * 3 },
    () => Math.floor(next() * 255) + 1,
  );
  return new Uint8Array(
    await sharp(pixels, { raw: { ...upright, channels: 3 } })
      .png()
      .toBuffer(),
  );
}

const box = fc.record({
  x: fc.double({ min: 0, max: 120, noNaN: true }),
  y: fc.double({ min: 0, max: 110, noNaN: true }),
  w: fc.double({ min: 3, max: 60, noNaN: true }),
  h: fc.double({ min: 3, max: 60, noNaN: true }),
});
const found = box.chain((there) =>
  fc
    .record({
      confidence: fc.constantFrom(0.4, 0.9),
      hidden: fc.boolean(),
      isAdded: fc.boolean(),
      kind: fc.constantFrom(undefined, 'plate', 'text'),
    })
    .map(({ kind, ...more }): Face => ({ ...there, ...more, ...(kind && { kind }) })),
);
const region = box.chain((there) =>
  fc
    .record({
      fill: fc.constantFrom('mosaic' as const, 'solid' as const),
      shape: fc.constantFrom('rectangle' as const, 'ellipse' as const),
    })
    .map((more) => ({ ...there, ...more })),
);

it('what the preview covers is what the result does not show, to the pixel, after turns and crops', async () => {
  const file = await noise();
  const pixelsOf = async (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer();
  let hidden = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(found, { maxLength: 6 }),
      fc.array(region, { maxLength: 3 }),
      fc.constantFrom<Turn>(0, 90, 180, 270),
      fc.option(box),
      fc.integer({ min: 2, max: 12 }),
      async (detectedFaces, regions, turn, crop, strength) => {
        const frame = turnedSize(upright, turn);
        const settings = {
          ...defaultSettings,
          ...{ plates: true, text: true, regions, turn, crop, strength, format: 'png' as const },
        };
        const known = { detectedFaces, kindsLookedFor: ['plate', 'text'] };
        const { ops, target, pixelation } = planRequest(settings, known, frame);
        const { pixelate, ...rest } = ops;
        const clean = await sanitize(file, { ...rest, pixelate: { ...pixelate, verify: false } });
        const plain = await sanitize(file, { ...rest, pixelate: { faces: false } });
        const [pixels, before] = [await pixelsOf(clean.bytes), await pixelsOf(plain.bytes)];
        const { width, height } = target.output;
        const covered = new Uint8Array(width * height);
        const { blocks, filled } = previewAreas(pixelation.list, target.output);
        for (const { x, y, w, h } of [...blocks, ...filled] as Box[]) {
          for (let row = y; row < y + h; row++) covered.fill(1, row * width + x, row * width + x + w);
        }
        let left = 0;
        for (let at = 0; at < covered.length; at++) {
          const isChanged = [0, 1, 2].some(
            (channel) => pixels[at * 3 + channel] !== before[at * 3 + channel],
          );
          if (isChanged) expect(covered[at]).toBe(1);
          else if (covered[at]) left++;
        }
        const sum = covered.reduce((all, one) => all + one, 0);
        expect(left).toBeLessThanOrEqual(sum / 500);
        hidden += sum;
      },
    ),
    { seed: 53, numRuns: 60 },
  );
  expect(hidden).toBeGreaterThan(10_000);
});
