import { describe, expect, it } from 'vitest';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { NOTHING_HIDDEN } from '../../src/pixels/hide.ts';
import {
  applySteps,
  beforeDetection,
  beforePixelate,
  fromPixelate,
  jobSizes,
  type PipelineStep,
  steps,
} from '../../src/sanitize/steps.ts';
import { stillFacts } from '../cases/decoder_cases.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

const names = (chosen: (step: PipelineStep, index: number) => boolean) =>
  steps.filter((step, index) => chosen(step, index)).map(({ name }) => name);

describe('the steps of the pipeline', () => {
  it('are in the specification’s order, colours first', () => {
    const told =
      'a step has its place in this list, and in those of src/ops/schema.ts, src/api/tools.ts, README.md';
    expect(
      steps.map(({ name }) => name),
      told,
    ).toEqual([
      'toSrgb',
      'autoOrient',
      'cleanAperture',
      'crop',
      'grayscale',
      'resize',
      'pixelate',
      'clearTransparent',
    ]);
  });

  it('are split into those before detection, before pixelation and from pixelation on', () => {
    expect(names(beforeDetection)).toEqual(['autoOrient', 'cleanAperture', 'crop']);
    expect(names(beforePixelate).at(-1)).toBe('resize');
    expect(names(fromPixelate)[0]).toBe('pixelate');
    expect([...names(beforePixelate), ...names(fromPixelate)]).toEqual(steps.map(({ name }) => name));
  });
});

describe('jobSizes', () => {
  const facts = stillFacts('jpeg', 4000, 3000, { orientation: 6 });

  it('follows orientation, crop and resize', () => {
    const ops = sanitizeOpsSchema.parse({
      crop: { x: 100, y: 200, width: 2000, height: 1000 },
      output: { maxWidth: 500 },
    });
    expect(jobSizes({ facts, ops })).toMatchObject({
      upright: { width: 3000, height: 4000 },
      crop: { x: 100, y: 200, width: 2000, height: 1000 },
      output: { width: 500, height: 250 },
    });
  });

  it('is the whole upright image without ops, and then only orienting takes memory', () => {
    const sizes = jobSizes({ facts, ops: {} });
    expect(sizes.crop).toEqual({ x: 0, y: 0, width: 3000, height: 4000 });
    expect(sizes.output).toMatchObject({ width: 3000, height: 4000 });
    expect(sizes.stepBytes).toBe(sizes.detectionStepBytes);
    expect(sizes.stepBytes).toBeGreaterThan(10_000_000);
    expect(jobSizes({ facts: { ...facts, orientation: 1 }, ops: {} }).stepBytes).toBe(0);
  });

  it('adds up what each step reserves', () => {
    const upright = stillFacts('png', 4000, 3000);
    const bytes = (ops: object) => jobSizes({ facts: upright, ops: sanitizeOpsSchema.parse(ops) }).stepBytes;
    const plain = { pixelate: { faces: false } };
    expect(bytes(plain)).toBe(0);
    expect(bytes({ ...plain, grayscale: true })).toBe(0);
    expect(bytes({ ...plain, output: { maxWidth: 1000 } })).toBeGreaterThan(100_000);
    expect(bytes({ pixelate: { faces: false, regions: [{ x: 0, y: 0, w: 9, h: 9 }] } })).toBeGreaterThan(
      100_000,
    );
  });
});

describe('applySteps', () => {
  const picture = noisePicture(40, 30, 5);
  const facts = stillFacts('png', 40, 30);

  it('skips steps that have nothing to do, and tells which have changed the image', async () => {
    const ops = sanitizeOpsSchema.parse({ grayscale: true });
    const source = rasterOf(picture);
    const input = { facts, ops, sizes: jobSizes({ facts, ops }), factor: 1, hidden: NOTHING_HIDDEN };
    const { raster, applied } = await applySteps(source, input, () => true);
    expect([...applied]).toEqual(['grayscale']);
    expect(raster.grey).toBe(true);
    const nothing = { ...input, ops: {} };
    expect((await applySteps(source, nothing, () => true)).raster).toBe(source);
  });

  it('applies the mosaics from the pixelate step on', async () => {
    const mosaics = [{ block: 10, areas: [{ x: 0, y: 0, width: 10, height: 10 }] }];
    const input = {
      facts,
      ops: {},
      sizes: jobSizes({ facts, ops: {} }),
      factor: 1,
      hidden: { ...NOTHING_HIDDEN, mosaics },
    };
    const { pixels } = readPicture((await applySteps(rasterOf(picture), input, fromPixelate)).raster);
    expect(new Set(new Uint32Array(pixels.buffer).subarray(0, 10)).size).toBe(1);
    expect([...pixels.subarray(40, 160)]).toEqual([...picture.pixels.subarray(40, 160)]);
  });
});
