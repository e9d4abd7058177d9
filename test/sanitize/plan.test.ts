import { describe, expect, it } from 'vitest';
import { predictedOutputBytes } from '../../src/codecs/jpeg/encoder_cost.ts';
import { pngEncoder } from '../../src/codecs/png/encoder.ts';
import { encoders } from '../../src/codecs/registry.ts';
import { predictedOutputBytes as predictedWebpBytes } from '../../src/codecs/webp/encoder_cost.ts';
import { NO_MEMORY, totalBytes } from '../../src/memory/memory_cost.ts';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { type SanitizeOpsInput, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import type { Conversion } from '../../src/pixels/colour/conversion.ts';
import type { Finder } from '../../src/sanitize/finder.ts';
import { findersFor } from '../../src/sanitize/finders.ts';
import { planDetect, planSanitize } from '../../src/sanitize/plan.ts';
import type { StepName } from '../../src/sanitize/steps.ts';
import { MAX_WORK, SPAN_WORK, type Work } from '../../src/scheduling/work.ts';
import { stillFacts } from '../cases/decoder_cases.ts';

const MEGABYTE = 1024 * 1024;
const png = stillFacts('png', 4000, 3000);
const INPUT = 8 * MEGABYTE;

/** A detector of which only the costs are asked. */
const costing = (detectionBytes = 0, wantedWidth = ({ width }: { width: number }) => width) => ({
  cost: () => ({ inCores: detectionBytes, elsewhere: 0 }),
  wantedWidth,
  detect: () => Promise.reject(new Error('it was asked to detect')),
});
const planned = (
  facts: FileFacts,
  given: SanitizeOpsInput,
  detector = costing(),
  source?: { conversion: Conversion },
) => {
  const ops = sanitizeOpsSchema.parse(given);
  return planSanitize(facts, ops, INPUT, findersFor(ops, { detector }), source);
};
const plan = (ops: SanitizeOpsInput, detectionBytes = 0) =>
  planned(png, { output: { format: 'png' }, ...ops }, costing(detectionBytes));
/** A finder of which only the costs are asked. */
const finder = (given: Partial<Finder>): Finder => ({
  reads: 1,
  cost: () => NO_MEMORY,
  wantedWidth: () => 1,
  find: () => Promise.reject(new Error('it was asked to find')),
  ...given,
});
const size = { width: png.width, height: png.height };

it('asks the detector for nothing where no faces are looked for', () => {
  const asked = () => {
    throw new Error('the detector was asked');
  };
  const detector = { ...costing(), cost: asked, wantedWidth: asked };
  const withFaces = (faces: boolean) => planned(png, { pixelate: { faces } }, detector);
  expect(withFaces(false).predictedBytes).toBeGreaterThan(INPUT);
  expect(() => withFaces(true)).toThrow('the detector was asked');
});

it('counts what a job holds beside its parts, in the job and outside of cores', () => {
  const { predictedBytes, outsideCores } = planDetect(stillFacts('png', 1, 1), 0, []);
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
    expect(() => planned(wide, { output: { format: 'webp' } })).toThrow('at most 16383 pixels');
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
  const looks = (work: Work) => [finder({ work: () => work })];
  const ops = sanitizeOpsSchema.parse({ pixelate: { faces: false } });
  const withWork = (work: Work) =>
    planSanitize(png, ops, INPUT, { first: looks(work), around: [], again: [] });
  expect(withWork(1e8).predictedBytes).toBe(withWork(0).predictedBytes);
  expect(() => withWork(MAX_WORK)).toThrow('times the work that a call may take');
  expect(() => planDetect(png, INPUT, looks(MAX_WORK))).toThrow('times the work');
  const [looking, reading] = [1e8, 0].map((work) => planDetect(png, INPUT, looks(work)).work);
  expect(looking! - reading!).toBe(1e8);
});

it('tells the work of detection in the bands that it has: that of usual ones refused what could be read', () => {
  const turned = stillFacts('png', 7000, 7000, { orientation: 6 });
  const sixTimes = finder({ reads: 6, wantedWidth: () => 7000 });
  const { look, work } = planDetect(turned, INPUT, [sixTimes]);
  expect(look.bandBytes).toBeGreaterThan(16 * MEGABYTE);
  expect(work).toBeGreaterThan(6 * 2 * 7000 * 7000);
  expect(work).toBeLessThanOrEqual(MAX_WORK);
});

it('announces all the work that header and ops ask for', () => {
  const works = (pixelate: object) => plan({ pixelate: { faces: false, ...pixelate } }).work;
  const region = { x: 0, y: 0, w: 4000, h: 3000 };
  expect(works({})).toBeGreaterThanOrEqual(png.width * png.height);
  expect(works({ regions: [region] })).toBeGreaterThan(works({}));
  const twice = finder({ reads: 2, wantedWidth: () => 4000 });
  expect(planDetect(png, INPUT, [twice]).work).toBeGreaterThanOrEqual(2 * png.width * png.height);
});

it('reads at full size what its file shows in part, so that no pixel of the rest is mixed in', () => {
  const ops = { output: { maxWidth: 100 }, pixelate: { faces: false } };
  const wantOf = (other: Partial<typeof png>) => {
    const facts = stillFacts('jpeg', 4000, 3000, other);
    return planned(facts, ops).wantForResult.minWidth;
  };
  expect(wantOf({ orientation: 6 })).toBeLessThan(1000);
  expect(wantOf({ cleanAperture: { x: 0, y: 0, width: 4000, height: 2000 } })).toBeUndefined();
});

describe('a JPEG that is resized is read', () => {
  const wantFor = (output: SanitizeOpsInput['output']) => {
    const { minWidth, forResizing } = planned(stillFacts('jpeg', 4000, 3000), {
      output,
      pixelate: { faces: false },
    }).wantForResult;
    return { minWidth, forResizing };
  };

  it('for resizing, one and a half times as wide as an output with losses of its own', () => {
    expect(wantFor({ maxWidth: 1600 })).toEqual({ minWidth: 2400, forResizing: true });
    expect(wantFor({ maxWidth: 800, format: 'webp' })).toEqual({ minWidth: 1200, forResizing: true });
  });

  it('by its components only where no step will surely read pixels', () => {
    const own = (ops: SanitizeOpsInput, facts: Partial<FileFacts> = {}, conversion?: Conversion) => {
      const given = { output: { maxWidth: 800 }, pixelate: { faces: false }, ...ops };
      const file = { ...stillFacts('jpeg', 4000, 3000), colour: 'ycbcr' as const, ...facts };
      const { wantForResult } = planned(file, given, costing(), conversion && { conversion });
      return wantForResult.componentsOnly ?? false;
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
        [{ pixelate: { areas: [{ x: 0, y: 0, w: 9, h: 9 }] } }],
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

  it('whole where something is filled: a pixel that its decoder has shrunk has a part of what lies beneath', () => {
    const wantWith = (pixelate: SanitizeOpsInput['pixelate']) =>
      planned(stillFacts('jpeg', 4000, 3000), { output: { maxWidth: 800 }, pixelate }).wantForResult.minWidth;
    const area = { x: 0, y: 0, w: 9, h: 9 };
    expect(wantWith({})).toBe(1200);
    expect(wantWith({ regions: [area], areas: [area] })).toBe(1200);
    expect(wantWith({ regions: [{ ...area, fill: 'solid' }] })).toBeUndefined();
    expect(wantWith({ fill: 'solid', regions: [area] })).toBeUndefined();
    expect(wantWith({ faceFill: 'solid' })).toBeUndefined();
    expect(wantWith({ areas: [{ ...area, kind: 'plate' }] })).toBeUndefined();
    expect(wantWith({ areas: [area], faceFill: 'solid' })).toBeUndefined();
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
      return planned(stillFacts('png', 100, 90_000), ops).work;
    };
    expect(workOf(100, 'solid')).toBe(workOf(100, 'mosaic'));
    // A JPEG is read once; each row has a part in two rows of the output.
    const { reads } = encoders.jpeg;
    expect(workOf(50, 'solid') - workOf(50, 'mosaic')).toBe(2 * 90_000 * SPAN_WORK * reads);
  });
});
