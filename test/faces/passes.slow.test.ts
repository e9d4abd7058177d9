import { expect, it } from 'vitest';
import { createFaceDetector } from '../../src/faces/detector.ts';
import { crowdFinder, darkened, redFinder, redRaster } from '../fixtures/red_finder.ts';

const thorough = { confidence: 0.6, effort: 'thorough' } as const;

const work = (inputs: readonly [number, number][]) =>
  inputs.reduce((sum, [width, height]) => sum + width * height, 0) / 640 ** 2;

/** As two networks, whose inputs are counted together. */
const detectorOf = (model: ReturnType<typeof redFinder>) =>
  createFaceDetector(model, undefined, { ...model });

it('takes at most ten passes of 640² pixels for 12 megapixels with a few faces, or none', async () => {
  for (const confidence of [0.99, 0.3, 0.001]) {
    const model = redFinder(() => confidence);
    const { passes } = await detectorOf(model).detect(
      redRaster(4000, 3000, { x: 1000, y: 1000, w: 64, h: 64 }),
      thorough,
    );
    expect(passes).toBe(model.inputs.length);
    expect(model.inputs.every(([width, height]) => width * height <= 640 * 640)).toBe(true);
    expect(work(model.inputs)).toBeLessThanOrEqual(10);
  }
});

it('takes at most 7 passes for a megapixel with a few faces, or none, of which only parts are enlarged', async () => {
  for (const [confidence, side] of [
    [0.99, 40],
    [0.99, 90],
    [0.001, 40],
  ] as const) {
    const model = redFinder(() => confidence);
    await detectorOf(model).detect(redRaster(1095, 1096, { x: 300, y: 300, w: side, h: side }), thorough);
    expect(work(model.inputs)).toBeLessThanOrEqual(7);
  }
});

it('takes at most 15 passes for a megapixel with a crowd, all of which is enlarged', async () => {
  const model = crowdFinder(0.72, 0.4);
  await detectorOf(model).detect(redRaster(1095, 1096, { x: 0, y: 0, w: 10, h: 10 }), thorough);
  expect(work(model.inputs)).toBeLessThanOrEqual(15);
  expect(work(model.inputs)).toBeGreaterThan(12);
});

it('takes at most 31 passes of 640² pixels in the worst case: a dark crowd of doubtful faces', async () => {
  let most = 0;
  // So sure that they are looked for turned as well, or just not.
  for (const [width, height, sure, doubtful] of [
    [4000, 3000, 0.72, 0.4],
    [1500, 6000, 0.72, 0.4],
    [4000, 3000, 0.8, 0.4],
    [4000, 3000, 0.9, 0.5],
  ] as const) {
    const model = crowdFinder(sure, doubtful);
    await detectorOf(model).detect(
      darkened(redRaster(width, height, { x: 0, y: 0, w: 10, h: 10 })),
      thorough,
    );
    expect(model.inputs.every(([w, h]) => w * h <= 640 * 640)).toBe(true);
    expect(work(model.inputs)).toBeLessThanOrEqual(31);
    most = Math.max(most, work(model.inputs));
  }
  expect(most).toBeGreaterThan(26);
});

it('takes at most 46 passes in a dark crowd on 50 megapixels, which gets more tiles', async () => {
  const model = crowdFinder(0.72, 0.4);
  await detectorOf(model).detect(darkened(redRaster(8160, 6120, { x: 0, y: 0, w: 10, h: 10 })), thorough);
  expect(work(model.inputs)).toBeLessThanOrEqual(46);
  expect(work(model.inputs)).toBeGreaterThan(36);
});
