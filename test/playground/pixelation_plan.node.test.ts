import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { padBox } from '../../src/faces/boxes.ts';
import { blockEdge as serviceBlockEdge } from '../../src/pixels/pixelate.ts';
import { type Box, bottom, right, targetOf, toOutput, touchedPixels } from '../../src/playground/geometry.ts';
import {
  blockEdge,
  type Choices,
  type Face,
  MAX_REGIONS,
  MAX_STRENGTH,
  planHiding,
  strengthFor,
} from '../../src/playground/hiding.ts';
import { faceBlock } from '../../src/sanitize/mosaic_plan.ts';

const face = (box: Box, hidden = true, confidence = 0.9): Face => ({ ...box, hidden, confidence });
const choices = (change: Partial<Choices>): Choices => ({
  faces: true,
  found: [],
  regions: [],
  strength: 3,
  confidence: 0.6,
  padding: 1.5,
  ...change,
});
const frame = { width: 1000, height: 800 };
const whole = targetOf(frame, null, undefined);
const small = { x: 100, y: 100, w: 60, h: 80 };
const other = { x: 600, y: 300, w: 60, h: 80 };

const holds = (outer: Box, inner: Box) =>
  outer.x <= inner.x && outer.y <= inner.y && right(outer) >= right(inner) && bottom(outer) >= bottom(inner);

describe('what is sent', () => {
  it('leaves the faces to the service as long as none is left out', () => {
    const plan = planHiding(
      choices({ found: [face(small), face(other)], regions: [{ x: 0, y: 0, w: 10, h: 10 }] }),
      frame,
      whole,
    );
    expect(plan).toMatchObject({
      faces: true,
      strength: 3,
      notices: [],
      regions: [{ x: 0, y: 0, w: 10, h: 10 }],
    });
    expect(plan.areas).toHaveLength(3);
  });

  it('names the chosen faces as regions once one is left out', () => {
    const plan = planHiding(choices({ found: [face(small), face(other, false)] }), frame, whole);
    expect(plan.faces).toBe(false);
    expect(plan.regions).toEqual([{ x: 85, y: 80, w: 90, h: 120 }]);
    expect(plan.notices).toContain('only_chosen_faces');
  });

  it('takes no notice of faces below the confidence, of those cropped away, or of any when faces are off', () => {
    const left = face(small, false, 0.4);
    expect(planHiding(choices({ found: [left] }), frame, whole).faces).toBe(true);
    const away = targetOf(frame, { x: 500, y: 0, w: 500, h: 800 }, undefined);
    expect(planHiding(choices({ found: [face(small, false), face(other)] }), frame, away).faces).toBe(true);
    const off = planHiding(choices({ faces: false, found: [face(small)] }), frame, whole);
    expect(off).toMatchObject({ faces: false, regions: [], notices: [] });
  });

  it('raises the strength where the largest chosen face demands it, and says so', () => {
    const large = { x: 300, y: 100, w: 260, h: 340 };
    const plan = planHiding(choices({ found: [face(large), face(small, false)] }), frame, whole);
    expect(plan.faces).toBe(false);
    expect(plan.notices).toContain('strength_raised');
    // 340 / 7 = 49 pixels a block; 6 % of 800 is 48, 7 % is 56.
    expect(plan.strength).toBe(7);
  });

  it('hides every face where no strength is coarse enough', () => {
    const huge = { x: 100, y: 20, w: 600, h: 760 };
    const plan = planHiding(choices({ found: [face(huge), face(other, false)] }), frame, whole);
    expect(plan).toMatchObject({ faces: true, strength: 3, notices: ['all_faces_hidden'] });
    expect(plan.areas).toHaveLength(2);
  });

  it('hides every face where the chosen ones are more than the service takes regions', () => {
    const crowd = Array.from({ length: MAX_REGIONS + 2 }, (_, index) =>
      face({ x: (index % 20) * 40, y: Math.floor(index / 20) * 40, w: 20, h: 25 }, index > 0),
    );
    expect(planHiding(choices({ found: crowd }), frame, whole)).toMatchObject({
      faces: true,
      notices: ['all_faces_hidden'],
    });
  });

  it('hides nothing by force when all faces are left out', () => {
    const huge = { x: 100, y: 20, w: 600, h: 760 };
    expect(planHiding(choices({ found: [face(huge, false)] }), frame, whole)).toMatchObject({
      faces: false,
      regions: [],
    });
  });

  it('sends no more regions than the service takes, and says so', () => {
    const regions = Array.from({ length: MAX_REGIONS + 5 }, (_, index) => ({ x: index, y: 0, w: 2, h: 2 }));
    for (const faces of [true, false]) {
      const plan = planHiding(choices({ faces, regions }), frame, whole);
      expect(plan.regions).toHaveLength(MAX_REGIONS);
      expect(plan.notices).toContain('regions_dropped');
    }
  });
});

const side = fc.integer({ min: 60, max: 2000 });
const scenes = fc.record({
  frame: fc.record({ width: side, height: side }),
  maxWidth: fc.option(fc.integer({ min: 50, max: 1500 }), { nil: undefined }),
  strength: fc.integer({ min: 1, max: 12 }),
  padding: fc.double({ min: 1, max: 3, noNaN: true }),
  /** Faces as the detector sees them, by parts of the picture; some reach outside. */
  tight: fc.array(
    fc.record({
      x: fc.double({ min: -0.1, max: 0.95, noNaN: true }),
      y: fc.double({ min: -0.1, max: 0.95, noNaN: true }),
      h: fc.double({ min: 0.02, max: 0.6, noNaN: true }),
      aspect: fc.double({ min: 0.65, max: 1.1, noNaN: true }),
      hidden: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

describe('a chosen face', () => {
  it('is never less hidden than by the service’s own rule: its padded box, and blocks as coarse', () => {
    let asRegions = 0;
    fc.assert(
      fc.property(scenes, ({ frame, maxWidth, strength, padding, tight }) => {
        const target = targetOf(frame, null, maxWidth);
        const seen = tight.flatMap(({ x, y, h, aspect, hidden }) => {
          const edge = Math.min(frame.width, frame.height);
          const box = { x: x * frame.width, y: y * frame.height, w: h * aspect * edge, h: h * edge };
          // As detect answers: clipped to the picture. At least half of it is in there, or it would not be
          // seen.
          const left = Math.max(0, box.x);
          const top = Math.max(0, box.y);
          const clipped = {
            x: left,
            y: top,
            w: Math.min(frame.width, right(box)) - left,
            h: Math.min(frame.height, bottom(box)) - top,
          };
          const isSeen = clipped.w > box.w * 0.6 && clipped.h > box.h * 0.6;
          return isSeen ? [{ box, found: face(clipped, hidden) }] : [];
        });
        const plan = planHiding(
          choices({ found: seen.map(({ found }) => found), strength, padding }),
          frame,
          target,
        );
        if (plan.faces) return;
        asRegions++;
        for (const { box, found } of seen) {
          if (!found.hidden) continue;
          // The service's rule, from the box that it would have found in the output.
          const scaled = toOutput(box, target);
          const needed = touchedPixels(padBox(scaled, padding), target.output);
          const block = serviceBlockEdge(plan.strength, target.output);
          expect(block).toBeGreaterThanOrEqual(faceBlock(scaled, serviceBlockEdge(strength, target.output)));
          // And as coarse as its second look would make them, as far as the scale of strengths goes.
          const second = serviceBlockEdge(Math.min(MAX_STRENGTH, strength * 2), target.output);
          expect(block).toBeGreaterThanOrEqual(faceBlock(scaled, second));
          if (needed) expect(plan.regions.some((region) => holds(region, needed))).toBe(true);
        }
      }),
      { seed: 8, numRuns: 600 },
    );
    expect(asRegions).toBeGreaterThan(100);
  });
});

it('blocks are as large as the service makes them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), side, side, (strength, width, height) => {
      expect(blockEdge(strength, { width, height })).toBe(serviceBlockEdge(strength, { width, height }));
    }),
    { seed: 8 },
  );
});

it('the strength for a block is the least that makes it', () => {
  const output = { width: 500, height: 400 };
  expect(strengthFor(12, 3, output)).toBe(3);
  expect(strengthFor(13, 3, output)).toBe(4);
  expect(strengthFor(48, 3, output)).toBe(12);
  expect(strengthFor(49, 3, output)).toBeUndefined();
});
