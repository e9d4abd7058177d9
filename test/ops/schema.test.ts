import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { detectOpsSchema, inspectOpsSchema, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { MAX_REGIONS } from '../../src/vocabulary/vocabulary.ts';

it('leaves the settings of zod as they were', async () => {
  const before = z.config({ jitless: false }).jitless;
  vi.resetModules();
  await import('../../src/ops/schema.ts');
  expect([before, z.config().jitless]).toEqual([false, false]);
});

describe('defaults of ops', () => {
  it('are those of the specification, and of additions what leaves its results as they are', () => {
    expect(sanitizeOpsSchema.parse({}), 'of a new op, add its default here').toEqual({
      grayscale: false,
      pixelate: {
        faces: true,
        plates: false,
        text: false,
        regions: [],
        fill: 'mosaic',
        faceFill: 'mosaic',
        colour: '#000000',
        except: [],
        strength: 3,
        confidence: 0.6,
        padding: 1.5,
        verify: true,
        secondLook: false,
      },
      output: { format: 'jpeg', quality: 92, chroma: 'auto' },
      response: 'binary',
    });
    expect(detectOpsSchema.parse({})).toEqual({
      confidence: 0.6,
      padding: 1.5,
      kinds: ['face'],
      belowConfidence: false,
    });
    expect(inspectOpsSchema.parse({})).toEqual({ values: false, thumbnails: false });
  });

  it('are filled in besides the given members', () => {
    const ops = sanitizeOpsSchema.parse({
      pixelate: { strength: 12 },
      output: { format: 'png', maxWidth: 16 },
    });
    expect(ops.pixelate).toEqual({
      ...sanitizeOpsSchema.parse({}).pixelate,
      faces: true,
      regions: [],
      strength: 12,
      confidence: 0.6,
      padding: 1.5,
      verify: true,
    });
    expect(ops.output).toEqual({ format: 'png', quality: 92, chroma: 'auto', maxWidth: 16 });
  });
});

describe('bounds of ops', () => {
  const accepts = (ops: unknown) => sanitizeOpsSchema.safeParse(ops).success;
  it.each([
    ['pixelate', 'strength', 1, 12],
    ['output', 'quality', 30, 100],
    ['output', 'maxWidth', 16, 12000],
  ])('%s.%s is an integer from %i to %i', (group, field, least, most) => {
    const at = (value: number) => accepts({ [group]: { [field]: value } });
    expect([at(least), at(most), at(least - 1), at(most + 1), at(least + 0.5)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['confidence', 0.05, 0.99],
    ['padding', 1, 3],
  ])('pixelate.%s is a number from %d to %d', (field, least, most) => {
    const at = (value: number) => accepts({ pixelate: { [field]: value } });
    expect([at(least), at(most), at(least - 0.01), at(most + 0.01)]).toEqual([true, true, false, false]);
  });

  it.each([
    ['#12aBff', true],
    ['#12aBf', false],
    ['#12aBff0', false],
    ['12abff', false],
    ['black', false],
  ])('pixelate.colour %s: %s', (colour, fits) => {
    expect(accepts({ pixelate: { colour } })).toBe(fits);
  });

  it('areas to spare have no way of being hidden; regions have', () => {
    const area = { x: 0, y: 0, w: 1, h: 1, fill: 'solid' };
    expect(accepts({ pixelate: { regions: [area] } })).toBe(true);
    expect(accepts({ pixelate: { except: [area] } })).toBe(false);
    expect(accepts({ pixelate: { regions: [{ ...area, fill: 'blur' }] } })).toBe(false);
    expect(accepts({ pixelate: { regions: [{ ...area, shape: 'ellipse' }] } })).toBe(true);
    expect(accepts({ pixelate: { regions: [{ ...area, shape: 'circle' }] } })).toBe(false);
  });

  it('at most 200 regions are accepted, each with x, y, w and h', () => {
    const region = { x: 0, y: 0, w: 1, h: 1 };
    const regions = (count: number) => ({
      pixelate: { regions: Array.from({ length: count }, () => region) },
    });
    expect(accepts(regions(MAX_REGIONS))).toBe(true);
    expect(accepts(regions(MAX_REGIONS + 1))).toBe(false);
    for (const change of [
      { x: -1 },
      { w: 0 },
      { h: -2 },
      { y: '1' },
      { w: undefined },
      { h: Number.POSITIVE_INFINITY },
    ]) {
      expect(accepts({ pixelate: { regions: [{ ...region, ...change }] } })).toBe(false);
    }
  });

  it('a crop needs all its members', () => {
    const crop = { x: 0, y: 0.5, width: 1, height: 2 };
    expect(accepts({ crop })).toBe(true);
    for (const change of [{ x: -0.1 }, { width: 0 }, { height: undefined }, { depth: 1 }]) {
      expect(accepts({ crop: { ...crop, ...change } })).toBe(false);
    }
  });
});
