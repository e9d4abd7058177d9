import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeOpsSchema } from '../../../src/ops/schema.ts';
import { validateOps } from '../../../src/ops/validate.ts';
import { defaultSettings, planRequest, type Settings } from '../../../src/playground/settings/ops.ts';

const frame = { width: 640, height: 480 };
const unknown = { detectedFaces: null, kindsLookedFor: [] };
const requestFor = (change: Partial<Settings>) =>
  planRequest({ ...defaultSettings, ...change }, unknown, frame);

describe('the ops for the settings', () => {
  it('only ask for a list while nothing is changed: the page’s defaults are the service’s', () => {
    expect(requestFor({}).ops).toEqual({ pixelate: { verify: 'list' } });
    const { faces, faceFill, regions, strength, confidence, padding } = sanitizeOpsSchema.parse({}).pixelate;
    const { format, quality } = sanitizeOpsSchema.parse({}).output;
    const grayscale = sanitizeOpsSchema.parse({}).grayscale;
    expect(defaultSettings).toEqual({
      ...{ faces, faceFill, regions, strength, confidence, padding, format, quality, grayscale },
      turn: 0,
      plates: false,
      text: false,
      detectors: [],
      crop: null,
      maxWidth: undefined,
    });
  });

  it('are planned once for all parts of the page that ask, and anew when anything has changed', () => {
    const settings = { ...defaultSettings, strength: 4 };
    const faces = [{ x: 1, y: 2, w: 30, h: 40, confidence: 0.9, hidden: true }];
    const known = { detectedFaces: faces, kindsLookedFor: [] };
    const plan = planRequest(settings, known, frame);
    expect(planRequest(settings, { ...known }, frame)).toBe(plan);
    expect(planRequest({ ...settings, strength: 5 }, known, frame).ops.pixelate).toMatchObject({
      strength: 5,
    });
    expect(planRequest(settings, { ...known, detectedFaces: [] }, frame).pixelation.list).toEqual([]);
    expect(planRequest(settings, known, { width: 64, height: 48 }).target.output).toEqual({
      width: 64,
      height: 48,
    });
    expect(planRequest(settings, known, frame)).toEqual(plan);
  });

  it('hold what differs from the defaults, the crop in whole pixels', () => {
    const { ops, target } = requestFor({
      crop: { x: 10.6, y: 20, w: 300.2, h: 200 },
      maxWidth: 150,
      regions: [
        { x: 10, y: 20, w: 30, h: 40, fill: 'solid' },
        { x: 100, y: 20, w: 30, h: 40, fill: 'mosaic' },
      ],
      faceFill: 'solid',
      grayscale: true,
      format: 'webp',
      quality: 80,
      strength: 5,
    });
    expect(ops).toEqual({
      crop: { x: 10, y: 20, width: 301, height: 200 },
      grayscale: true,
      pixelate: {
        regions: [
          { x: 0, y: 0, w: 15, h: 20, fill: 'solid' },
          { x: 44, y: 0, w: 16, h: 20 },
        ],
        faceFill: 'solid',
        strength: 5,
        verify: 'list',
      },
      output: { format: 'webp', quality: 80, maxWidth: 150 },
    });
    expect(target.output).toEqual({ width: 150, height: 100 });
  });

  it('look for plates and text only where they are asked to', () => {
    expect(requestFor({ plates: true, text: true }).ops).toEqual({
      pixelate: { plates: true, text: true, verify: 'list' },
    });
    expect(requestFor({ text: true, faces: false }).ops).toEqual({
      pixelate: { faces: false, text: true, verify: false },
    });
  });

  it('name the operator’s detectors that were ticked', () => {
    expect(requestFor({ detectors: ['badges', 'logos'] }).ops).toEqual({
      pixelate: { detectors: { badges: true, logos: true }, verify: 'list' },
    });
  });

  it('have no quality for PNG, and no crop that keeps everything', () => {
    expect(requestFor({ format: 'png', quality: 40, crop: { x: 0, y: 0, w: 640, h: 480 } }).ops).toEqual({
      pixelate: { verify: 'list' },
      output: { format: 'png' },
    });
  });

  it('are always valid for the service', () => {
    const box = fc.record({
      x: fc.double({ min: 0, max: 639, noNaN: true }),
      y: fc.double({ min: 0, max: 479, noNaN: true }),
      w: fc.double({ min: 0.5, max: 640, noNaN: true }),
      h: fc.double({ min: 0.5, max: 480, noNaN: true }),
    });
    const fill = fc.constantFrom('mosaic' as const, 'solid' as const);
    const settings = fc.record({
      faces: fc.boolean(),
      plates: fc.boolean(),
      text: fc.boolean(),
      detectors: fc.subarray(['badges', 'logos']),
      regions: fc.array(
        box.chain((there) => fill.map((how) => ({ ...there, fill: how }))),
        { maxLength: 5 },
      ),
      faceFill: fill,
      crop: fc.option(box),
      strength: fc.integer({ min: 1, max: 12 }),
      confidence: fc.integer({ min: 5, max: 99 }).map((percent) => percent / 100),
      padding: fc.double({ min: 1, max: 3, noNaN: true }),
      grayscale: fc.boolean(),
      turn: fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
      format: fc.constantFrom('jpeg' as const, 'png' as const, 'webp' as const),
      quality: fc.integer({ min: 30, max: 100 }),
      maxWidth: fc.option(fc.integer({ min: 16, max: 12000 }), { nil: undefined }),
    });
    const detectedFaces = fc.array(
      box.chain((there) =>
        fc
          .record({
            hidden: fc.boolean(),
            confidence: fc.double({ min: 0, max: 1, noNaN: true }),
            kind: fc.constantFrom(undefined, 'text', 'badges'),
          })
          .map(({ kind, ...more }) => ({ ...there, ...more, ...(kind && { kind }) })),
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(settings, fc.option(detectedFaces), (set, faces) => {
        const known = { detectedFaces: faces, kindsLookedFor: faces ? ['text', 'badges'] : [] };
        const { ops } = planRequest(set, known, frame);
        expect(validateOps(sanitizeOpsSchema, ops)).toMatchObject({ ok: true });
      }),
      { seed: 8, numRuns: 400 },
    );
  });
});
