import { describe, expect, it } from 'vitest';
import { samplesOf } from '../../src/codecs/jpeg/planes.ts';
import { encoders } from '../../src/codecs/registry.ts';
import { opOrder, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { colourSourceOf } from '../../src/pixels/colour/source.ts';
import { NOTHING_HIDDEN } from '../../src/pixels/hide.ts';
import {
  applySteps,
  beforeDetection,
  beforeHiding,
  fromHiding,
  jobSizes,
  memoryOf,
  type PipelineStep,
  type StepInput,
  steps,
} from '../../src/sanitize/steps.ts';
import { stillFacts } from '../cases/decoder_cases.ts';
import { randomJpeg } from '../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../fixtures/jpeg_writer/writer.ts';
import { openJpeg } from '../fixtures/open_jpeg.ts';
import { noisePicture, type Picture, photoPicture, rasterOf, readPicture } from '../fixtures/raster.ts';

const names = (chosen: (step: PipelineStep, index: number) => boolean) =>
  steps.filter((step, index) => chosen(step, index)).map(({ name }) => name);

describe('the steps of the pipeline', () => {
  it('are in the specification’s order, colours first', () => {
    const told =
      'a step has its place in this list; one that callers ask for also in opOrder (src/ops/schema.ts)';
    expect(
      steps.map(({ name }) => name),
      told,
    ).toEqual([
      'toSrgb',
      'autoOrient',
      'cleanAperture',
      'crop',
      'grayscale',
      'fillBeneath',
      'resize',
      'pixelate',
      'clearTransparent',
    ]);
  });

  it('are in the order that is told to callers', () => {
    const unasked = ['toSrgb', 'autoOrient', 'cleanAperture', 'fillBeneath', 'clearTransparent'];
    const asked = names(() => true).filter((name) => !unasked.includes(name));
    // `rotate` is done by autoOrient.
    expect(['rotate', ...asked], 'opOrder of src/ops/schema.ts').toEqual(opOrder);
  });

  it('are split into those before detection, before anything is hidden, and from there on', () => {
    const told = 'what moves pixels before detection also moves boxes in src/sanitize/placement.ts';
    expect(names(beforeDetection), told).toEqual(['autoOrient', 'cleanAperture', 'crop']);
    expect(names(beforeHiding).at(-1)).toBe('grayscale');
    expect(names(fromHiding).slice(0, 3)).toEqual(['fillBeneath', 'resize', 'pixelate']);
    expect([...names(beforeHiding), ...names(fromHiding)]).toEqual(steps.map(({ name }) => name));
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
    const job = { facts, ops: {} };
    const { crop, output } = jobSizes(job);
    expect(crop).toEqual({ x: 0, y: 0, width: 3000, height: 4000 });
    expect(output).toMatchObject({ width: 3000, height: 4000 });
    expect(memoryOf(job)).toBe(memoryOf(job, beforeDetection));
    expect(memoryOf(job)).toBeGreaterThan(10_000_000);
    expect(memoryOf({ facts: { ...facts, orientation: 1 }, ops: {} })).toBe(0);
  });

  it('adds up what each step reserves', () => {
    const upright = stillFacts('png', 4000, 3000);
    const bytes = (ops: object) => memoryOf({ facts: upright, ops: sanitizeOpsSchema.parse(ops) });
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
    const input = { ...jobSizes({ facts, ops }), facts, ops, factor: 1, hidden: NOTHING_HIDDEN };
    const { raster, applied } = await applySteps(source, input, () => true);
    expect([...applied]).toEqual(['grayscale']);
    expect(raster.grey).toBe(true);
    const nothing = { ...input, ops: {} };
    expect((await applySteps(source, nothing, () => true)).raster).toBe(source);
  });

  it('applies the mosaics from the pixelate step on', async () => {
    const mosaics = [{ block: 10, areas: [{ x: 0, y: 0, width: 10, height: 10 }] }];
    const input = {
      ...jobSizes({ facts, ops: {} }),
      facts,
      ops: {},
      factor: 1,
      hidden: { ...NOTHING_HIDDEN, mosaics },
    };
    const { pixels } = readPicture((await applySteps(rasterOf(picture), input, fromHiding)).raster);
    expect(new Set(new Uint32Array(pixels.buffer).subarray(0, 10)).size).toBe(1);
    expect([...pixels.subarray(40, 160)]).toEqual([...picture.pixels.subarray(40, 160)]);
  });
});

describe('the resize step', () => {
  const facts = stillFacts('jpeg', 320, 240);
  const small = { maxWidth: 120 };
  const plain = { ops: { output: small }, facts, hidden: NOTHING_HIDDEN, conversion: undefined };
  const jpegOf = async (picture: Picture) =>
    (await encoders.jpeg.encode(rasterOf(picture), 85, 1 << 20)).bytes;

  /** The samples that the steps hand to an encoder beside their pixels. */
  async function handedOn(file: Uint8Array, job: Partial<Omit<StepInput, 'crop' | 'output'>> = {}) {
    const input = { ...plain, factor: 1, ...job };
    using raster = openJpeg(file);
    const stepped = await applySteps(raster, { ...input, ...jobSizes(input) }, () => true);
    return samplesOf(stepped.raster);
  }

  it('hands on the samples of a JPEG that nothing else has changed', async () => {
    const photo = await jpegOf(photoPicture(320, 240, 1));
    expect(await handedOn(photo)).toMatchObject({ sampling: '4:4:4', mayBeHalved: true });
    const grey = writeJpeg(randomJpeg({ width: 320, height: 240, sampling: [[1, 1]], mode: 'baseline' }));
    expect(await handedOn(grey)).toMatchObject({ sampling: 'grey' });
  });

  it('hands on nothing where another step has changed pixels, and nothing but YCbCr', async () => {
    const photo = await jpegOf(photoPicture(320, 240, 1));
    const area = { x: 2, y: 2, width: 6, height: 5 };
    const conversion = colourSourceOf({ ...facts, colorimetry: { exifColorSpace: 2 } }, photo).conversion;
    expect(conversion).toBeDefined();
    const others: Readonly<Record<string, Partial<Omit<StepInput, 'crop' | 'output'>>>> = {
      'a mosaic': { hidden: { ...NOTHING_HIDDEN, mosaics: [{ block: 4, areas: [area] }] } },
      'a fill': { hidden: { ...NOTHING_HIDDEN, filled: [area] } },
      'other colours': { conversion },
      'black and white': { ops: { output: small, grayscale: true } },
      'a crop': { ops: { output: small, crop: { x: 0, y: 0, width: 300, height: 200 } } },
      'no resize': { ops: {} },
      ...Object.fromEntries(
        ([2, 3, 4, 5, 6, 7, 8] as const).map((orientation) => [
          `orientation ${orientation}`,
          { facts: { ...facts, orientation } },
        ]),
      ),
    };
    for (const [name, job] of Object.entries(others)) {
      const samples = await handedOn(photo, job);
      // What was not resized is the file's own, and no encoder may sample its chroma anew.
      if (name === 'no resize') expect(samples?.mayBeHalved).toBeUndefined();
      else expect(samples, name).toBeUndefined();
    }
    const inks = randomJpeg({
      width: 320,
      height: 240,
      sampling: Array.from({ length: 4 }, () => [1, 1] as const),
      mode: 'baseline',
    });
    expect(await handedOn(writeJpeg(inks))).toBeUndefined();
  });
});
