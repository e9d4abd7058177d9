import { describe, expect, it } from 'vitest';
import { predictedOutputBytes } from '../../src/codecs/jpeg/encoder_cost.ts';
import { pngEncoder } from '../../src/codecs/png/encoder.ts';
import { encoders } from '../../src/codecs/registry.ts';
import { predictedOutputBytes as predictedWebpBytes } from '../../src/codecs/webp/encoder_cost.ts';
import { NO_MEMORY, totalBytes } from '../../src/memory/memory_cost.ts';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import type { Conversion } from '../../src/pixels/colour/conversion.ts';
import { type DetectionCost, planDetect, planSanitize } from '../../src/sanitize/plan.ts';
import type { StepName } from '../../src/sanitize/steps.ts';
import { MAX_WORK, SPAN_WORK, type Work } from '../../src/scheduling/work.ts';
import { stillFacts } from '../cases/decoder_cases.ts';

const MEGABYTE = 1024 * 1024;
const png = stillFacts('png', 4000, 3000);
const INPUT = 8 * MEGABYTE;

const plan = (ops: SanitizeOpsInput, detectionBytes = 0) => {
  const detection: DetectionCost = {
    cost: () => ({ inCores: detectionBytes, elsewhere: 0 }),
    wantedWidth: ({ width }) => width,
  };
  return planSanitize(png, sanitizeOpsSchema.parse({ output: { format: 'png' }, ...ops }), INPUT, detection);
};
const size = { width: png.width, height: png.height };

it('asks the detector for nothing where no faces are looked for', () => {
  const asked = () => {
    throw new Error('the detector was asked');
  };
  const ops = (faces: boolean) => sanitizeOpsSchema.parse({ pixelate: { faces } });
  const detection = { cost: asked, wantedWidth: asked };
  expect(planSanitize(png, ops(false), INPUT, detection).predictedBytes).toBeGreaterThan(INPUT);
  expect(() => planSanitize(png, ops(true), INPUT, detection)).toThrow('the detector was asked');
});

it('counts what a job holds beside its parts, in the job and outside of cores', () => {
  const { predictedBytes, outsideCores } = planDetect(stillFacts('png', 1, 1), 0, undefined);
  for (const bytes of [predictedBytes, outsideCores]) expect(bytes).toBeGreaterThanOrEqual(2 * MEGABYTE);
});

describe('maxOutputBytes', () => {
  it('is the predicted length, without what encoding holds beside the output', () => {
    const { maxOutputBytes, predictedBytes, leastBytes } = plan({ pixelate: { faces: false } });
    const length = INPUT * 1.15;
    expect(maxOutputBytes).toBeGreaterThanOrEqual(length);
    expect(maxOutputBytes).toBeLessThan(length + MEGABYTE);
    expect(predictedBytes - leastBytes).toBe(maxOutputBytes);
  });

  it('includes what detection has released by then', () => {
    const [without, withFaces] = [plan({ pixelate: { faces: false } }), plan({}, 60 * MEGABYTE)];
    const reserved = withFaces.predictedBytes - without.predictedBytes;
    expect(reserved).toBeGreaterThan(30 * MEGABYTE);
    // Only the mosaics' delayed rows are held while the output is written.
    expect(withFaces.maxOutputBytes - without.maxOutputBytes).toBeGreaterThan(reserved - 10 * MEGABYTE);
  });

  it('does not lower the prediction below what detection takes', () => {
    const detectionBytes = 60 * MEGABYTE;
    const { leastBytes, predictedBytes } = plan({}, detectionBytes);
    expect(leastBytes).toBeGreaterThan(INPUT + detectionBytes);
    expect(leastBytes).toBe(predictedBytes);
  });

  it('of a JPEG is the length of a photograph, without what encoding holds beside it', () => {
    const jpeg = plan({ pixelate: { faces: false }, output: { format: 'jpeg', quality: 90 } });
    const length = predictedOutputBytes(size, 90);
    expect(jpeg.maxOutputBytes).toBeGreaterThanOrEqual(length);
    expect(jpeg.maxOutputBytes).toBeLessThan(length + MEGABYTE);
    expect(jpeg.predictedBytes - jpeg.leastBytes).toBe(jpeg.maxOutputBytes);
  });

  it('of a WebP is the length of a photograph, too', () => {
    const webp = plan({ pixelate: { faces: false }, output: { format: 'webp', quality: 90 } });
    const length = predictedWebpBytes(size, 90, true);
    expect(webp.maxOutputBytes).toBeGreaterThanOrEqual(length);
    expect(webp.maxOutputBytes).toBeLessThan(length + MEGABYTE);
    expect(webp.predictedBytes - webp.leastBytes).toBe(webp.maxOutputBytes);
  });

  it('refuses a WebP larger than one can be, before anything is decoded', () => {
    const wide = { ...png, width: 16_384, height: 10 };
    const ops = sanitizeOpsSchema.parse({ output: { format: 'webp' } });
    const detection = { cost: () => NO_MEMORY, wantedWidth: () => 1 };
    expect(() => planSanitize(wide, ops, INPUT, detection)).toThrow('at most 16383 pixels');
  });

  it('of a resized image is the length of a photograph of its size', () => {
    const { maxOutputBytes } = plan({
      pixelate: { faces: false },
      output: { format: 'png', maxWidth: 2000 },
    });
    expect(maxOutputBytes).toBeGreaterThanOrEqual(2000 * 1500 * 1.5);
    expect(totalBytes(pngEncoder.cost(size, 90, 0))).toBeLessThan(8 * MEGABYTE);
  });
});

it('counts what looking for text takes beside reading, before anything is decoded', () => {
  const search = { reads: 1, cost: () => NO_MEMORY, wantedWidth: () => 1 };
  const looks = (work: Work) => [{ ...search, work: () => work }];
  const ops = sanitizeOpsSchema.parse({ pixelate: { faces: false } });
  const planned = (work: Work) => planSanitize(png, ops, INPUT, search, {}, looks(work));
  expect(planned(1e8).predictedBytes).toBe(planned(0).predictedBytes);
  expect(() => planned(MAX_WORK)).toThrow('times the work that a call may take');
  expect(() => planDetect(png, INPUT, undefined, looks(MAX_WORK))).toThrow('times the work');
  const [looking, reading] = [1e8, 0].map((work) => planDetect(png, INPUT, undefined, looks(work)).work);
  expect(looking! - reading!).toBe(1e8);
});

it('tells the work of detection in the bands that it has: that of usual ones refused what could be read', () => {
  const turned = stillFacts('png', 7000, 7000, { orientation: 6 });
  const sixTimes = { reads: 6, cost: () => NO_MEMORY, wantedWidth: () => 7000 };
  const { bands, work } = planDetect(turned, INPUT, undefined, [sixTimes]);
  expect(bands.detection).toBeGreaterThan(16 * MEGABYTE);
  expect(work).toBeGreaterThan(6 * 2 * 7000 * 7000);
  expect(work).toBeLessThanOrEqual(MAX_WORK);
});

it('announces all the work that header and ops ask for', () => {
  const works = (pixelate: object) => plan({ pixelate: { faces: false, ...pixelate } }).work;
  const region = { x: 0, y: 0, w: 4000, h: 3000 };
  expect(works({})).toBeGreaterThanOrEqual(png.width * png.height);
  expect(works({ regions: [region] })).toBeGreaterThan(works({}));
  const detection = { cost: () => NO_MEMORY, wantedWidth: () => 4000 };
  expect(planDetect(png, INPUT, detection).work).toBeGreaterThanOrEqual(2 * png.width * png.height);
});

it('reads at full size what its file shows in part, so that no pixel of the rest is mixed in', () => {
  const ops = sanitizeOpsSchema.parse({ output: { maxWidth: 100 }, pixelate: { faces: false } });
  const wantOf = (other: Partial<typeof png>) => {
    const facts = stillFacts('jpeg', 4000, 3000, other);
    const { wantForResult } = planSanitize(facts, ops, INPUT, {
      cost: () => NO_MEMORY,
      wantedWidth: ({ width }) => width,
    });
    return wantForResult.minWidth;
  };
  expect(wantOf({ orientation: 6 })).toBeLessThan(1000);
  expect(wantOf({ cleanAperture: { x: 0, y: 0, width: 4000, height: 2000 } })).toBeUndefined();
});

describe('a JPEG that is resized is read', () => {
  const wantFor = (output: SanitizeOpsInput['output']) => {
    const ops = sanitizeOpsSchema.parse({ output, pixelate: { faces: false } });
    const detection = { cost: () => NO_MEMORY, wantedWidth: () => 1 };
    const { minWidth, forResizing } = planSanitize(
      stillFacts('jpeg', 4000, 3000),
      ops,
      INPUT,
      detection,
    ).wantForResult;
    return { minWidth, forResizing };
  };

  it('for resizing, one and a half times as wide as an output with losses of its own', () => {
    expect(wantFor({ maxWidth: 1600 })).toEqual({ minWidth: 2400, forResizing: true });
    expect(wantFor({ maxWidth: 800, format: 'webp' })).toEqual({ minWidth: 1200, forResizing: true });
  });

  it('by its components only where no step will surely read pixels', () => {
    const own = (ops: SanitizeOpsInput, facts: Partial<FileFacts> = {}, conversion?: Conversion) => {
      const given = { output: { maxWidth: 800 }, pixelate: { faces: false }, ...ops };
      const detection = { cost: () => NO_MEMORY, wantedWidth: () => 1 };
      const file = { ...stillFacts('jpeg', 4000, 3000), colour: 'ycbcr' as const, ...facts };
      const parsed = sanitizeOpsSchema.parse(given);
      return (
        planSanitize(file, parsed, INPUT, detection, conversion && { conversion }).wantForResult
          .componentsOnly ?? false
      );
    };
    expect(own({})).toBe(true);
    /** What makes each step read pixels; null for one that never does, whatever is asked for. */
    const readers: Readonly<Record<StepName, readonly Parameters<typeof own>[] | null>> = {
      toSrgb: [[{}, {}, { kind: 'table', profile: new Uint8Array(), samples: 'rgb' }]],
      autoOrient: [[{}, { orientation: 6 }]],
      // no JPEG has one
      cleanAperture: null,
      crop: [[{ crop: { x: 0, y: 0, width: 2000, height: 1000 } }]],
      grayscale: [[{ grayscale: true }]],
      fillBeneath: [
        [{ pixelate: { faces: false, fill: 'solid', regions: [{ x: 0, y: 0, w: 9, h: 9 }] } }],
        [{ pixelate: { faceFill: 'solid' } }],
      ],
      resize: null,
      pixelate: [
        [{ pixelate: { faces: false, regions: [{ x: 0, y: 0, w: 9, h: 9 }] } }],
        [{ pixelate: {} }],
        [{ pixelate: { faces: false, text: true } }],
      ],
      // a JPEG is opaque
      clearTransparent: null,
    };
    for (const [step, jobs] of Object.entries(readers))
      for (const job of jobs ?? []) expect(own(...job), `${step} reads pixels: plan.ts`).toBe(false);
    expect(own({ output: { maxWidth: 800, format: 'webp' } })).toBe(false);
    expect(own({ output: { maxWidth: 800, quality: 95 } })).toBe(false);
    expect(own({}, { colour: 'rgb' })).toBe(false);
    expect(own({}, { colour: 'cmyk' })).toBe(false);
  });

  it('twice as wide as any other, and whole where nothing is resized', () => {
    expect(wantFor({ maxWidth: 800, format: 'png' })).toEqual({ minWidth: 1600 });
    expect(wantFor({ maxWidth: 800, quality: 95 })).toEqual({ minWidth: 1600 });
    expect(wantFor({ maxWidth: 4000 })).toEqual({});
    expect(wantFor({})).toEqual({});
  });
});

describe('the work of solid fills', () => {
  it('has all rows of the source where these are painted before a resize', () => {
    const workOf = (maxWidth: number, fill: 'solid' | 'mosaic') => {
      const regions = [{ x: 0, y: 0, w: 5, h: 90_000 }];
      const ops = { pixelate: { faces: false, fill, regions }, output: { maxWidth } };
      const detection = { cost: () => NO_MEMORY, wantedWidth: () => 1 };
      return planSanitize(stillFacts('png', 100, 90_000), sanitizeOpsSchema.parse(ops), INPUT, detection)
        .work;
    };
    expect(workOf(100, 'solid')).toBe(workOf(100, 'mosaic'));
    // A JPEG is read once; each row has a part in two rows of the output.
    const { reads } = encoders.jpeg;
    expect(workOf(50, 'solid') - workOf(50, 'mosaic')).toBe(2 * 90_000 * SPAN_WORK * reads);
  });
});
