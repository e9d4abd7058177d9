import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { padBox } from '../../src/faces/boxes.ts';
import { blockEdge } from '../../src/pixels/block_edges.ts';
import { type Box, bottom, right, targetOf, toOutput, touchedPixels } from '../../src/playground/geometry.ts';
import {
  type Face,
  leastStrengthFor,
  MAX_REGIONS,
  MAX_STRENGTH,
  type PixelationChoices,
  planPixelation,
} from '../../src/playground/pixelation_plan.ts';
import { faceBlock } from '../../src/sanitize/mosaic_plan.ts';

const face = (box: Box, hidden = true, confidence = 0.9): Face => ({ ...box, hidden, confidence });
const choices = (change: Partial<PixelationChoices>): PixelationChoices => ({
  faces: true,
  detectedFaces: [],
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

const contains = (outer: Box, inner: Box) =>
  outer.x <= inner.x && outer.y <= inner.y && right(outer) >= right(inner) && bottom(outer) >= bottom(inner);

describe('the pixelation plan', () => {
  it('leaves the faces to the service while none is left out', () => {
    const plan = planPixelation(
      choices({ detectedFaces: [face(small), face(other)], regions: [{ x: 0, y: 0, w: 10, h: 10 }] }),
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

  it('sends the chosen faces as regions once one is left out', () => {
    const plan = planPixelation(choices({ detectedFaces: [face(small), face(other, false)] }), frame, whole);
    expect(plan.faces).toBe(false);
    expect(plan.regions).toEqual([{ x: 85, y: 80, w: 90, h: 120 }]);
    expect(plan.notices).toContain('only_chosen_faces');
  });

  it('sends a spot that was added by hand as a region, while the service hides the faces', () => {
    const spot = { ...face(other, false, 0.4), isAdded: true };
    const plan = planPixelation(choices({ detectedFaces: [face(small), spot] }), frame, whole);
    expect(plan).toMatchObject({
      faces: true,
      strength: 6,
      regions: [{ x: 585, y: 280, w: 90, h: 120 }],
      notices: ['strength_raised'],
      chosenFaces: 1,
      leftFaces: 0,
    });
    expect(plan.areas).toHaveLength(2);
    // Beside a face that is left out, it is one chosen face among others.
    const chosen = planPixelation(choices({ detectedFaces: [face(small, false), spot] }), frame, whole);
    expect(chosen).toMatchObject({ faces: false, strength: 6, leftFaces: 1, chosenFaces: 1 });
    expect(chosen.regions).toEqual([{ x: 585, y: 280, w: 90, h: 120 }]);
    // One that fills the image gets the coarsest blocks there are.
    const huge = { ...face({ x: 5, y: 5, w: 780, h: 780 }, true, 0.4), isAdded: true };
    expect(planPixelation(choices({ detectedFaces: [huge] }), frame, whole)).toMatchObject({
      faces: true,
      strength: MAX_STRENGTH,
    });
  });

  it('ignores faces below the confidence, faces cropped away, and all faces when faces are off', () => {
    const left = face(small, false, 0.4);
    expect(planPixelation(choices({ detectedFaces: [left] }), frame, whole).faces).toBe(true);
    const away = targetOf(frame, { x: 500, y: 0, w: 500, h: 800 }, undefined);
    expect(
      planPixelation(choices({ detectedFaces: [face(small, false), face(other)] }), frame, away).faces,
    ).toBe(true);
    const off = planPixelation(choices({ faces: false, detectedFaces: [face(small)] }), frame, whole);
    expect(off).toMatchObject({ faces: false, regions: [], notices: [] });
  });

  it('raises the strength for the largest chosen face, with a notice', () => {
    const large = { x: 300, y: 100, w: 260, h: 340 };
    const plan = planPixelation(choices({ detectedFaces: [face(large), face(small, false)] }), frame, whole);
    expect(plan.faces).toBe(false);
    expect(plan.notices).toContain('strength_raised');
    // 340 / 3 = 114 pixels a block; the most there is, 12 % of 800, is 96.
    expect(plan.strength).toBe(12);
    const middling = { x: 300, y: 100, w: 140, h: 170 };
    const less = planPixelation(
      choices({ detectedFaces: [face(middling), face(small, false)] }),
      frame,
      whole,
    );
    // 170 / 3 = 57 pixels; 7 % of 800 is 56, 8 % is 64.
    expect(less.strength).toBe(8);
  });

  it('hides every face if no strength is coarse enough', () => {
    const huge = { x: 100, y: 20, w: 600, h: 760 };
    const plan = planPixelation(choices({ detectedFaces: [face(huge), face(other, false)] }), frame, whole);
    expect(plan).toMatchObject({ faces: true, strength: 3, notices: ['all_faces_hidden'] });
    expect(plan.areas).toHaveLength(2);
  });

  it('shows a close-up with the blocks that the service will give it', () => {
    const edges = (picture: typeof frame, faces: readonly Box[]) =>
      planPixelation(
        choices({ detectedFaces: faces.map((box) => face(box)) }),
        picture,
        targetOf(picture, null, undefined),
      ).areas.map((area) => area.blockEdge);
    // A third of it in a picture whose rows can wait for a block, however coarse.
    expect(edges(frame, [{ x: 100, y: 20, w: 600, h: 750 }])).toEqual([250]);
    // (8 MiB / 16,128 bytes - 64) / 1.5 rows in one of 12 megapixels, in eighths; a seventh beyond.
    const large = { width: 4032, height: 3024 };
    expect(edges(large, [{ x: 1200, y: 700, w: 900, h: 1150 }])).toEqual([304]);
    expect(edges(large, [{ x: 800, y: 200, w: 2000, h: 2450 }])).toEqual([350]);
    // Beside a larger face, blocks fill those of its grid.
    const [first, second] = edges(frame, [
      { x: 100, y: 100, w: 250, h: 300 },
      { x: 480, y: 150, w: 100, h: 120 },
    ]);
    expect(first! % second!).toBe(0);
  });

  it('hides every face if there are more chosen ones than the service takes regions', () => {
    const crowd = Array.from({ length: MAX_REGIONS + 2 }, (_, index) =>
      face({ x: (index % 20) * 40, y: Math.floor(index / 20) * 40, w: 20, h: 25 }, index > 0),
    );
    expect(planPixelation(choices({ detectedFaces: crowd }), frame, whole)).toMatchObject({
      faces: true,
      notices: ['all_faces_hidden'],
    });
  });

  it('hides no face when all are left out', () => {
    const huge = { x: 100, y: 20, w: 600, h: 760 };
    expect(planPixelation(choices({ detectedFaces: [face(huge, false)] }), frame, whole)).toMatchObject({
      faces: false,
      regions: [],
    });
  });

  it('sends no more regions than the service takes, with a notice', () => {
    const regions = Array.from({ length: MAX_REGIONS + 5 }, (_, index) => ({ x: index, y: 0, w: 2, h: 2 }));
    for (const faces of [true, false]) {
      const plan = planPixelation(choices({ faces, regions }), frame, whole);
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
  /** Unclipped faces, in shares of the picture; some reach outside. */
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
  it('is never less hidden than by the service’s rule: its padded box, and blocks as coarse', () => {
    let asRegions = 0;
    fc.assert(
      fc.property(scenes, ({ frame, maxWidth, strength, padding, tight }) => {
        const target = targetOf(frame, null, maxWidth);
        const seen = tight.flatMap(({ x, y, h, aspect, hidden }) => {
          const edge = Math.min(frame.width, frame.height);
          const box = { x: x * frame.width, y: y * frame.height, w: h * aspect * edge, h: h * edge };
          // Clipped to the picture, as detect returns it; faces mostly outside would not be detected.
          const left = Math.max(0, box.x);
          const top = Math.max(0, box.y);
          const clipped = {
            x: left,
            y: top,
            w: Math.min(frame.width, right(box)) - left,
            h: Math.min(frame.height, bottom(box)) - top,
          };
          const isDetected = clipped.w > box.w * 0.6 && clipped.h > box.h * 0.6;
          return isDetected ? [{ box, detected: face(clipped, hidden) }] : [];
        });
        const plan = planPixelation(
          choices({ detectedFaces: seen.map(({ detected }) => detected), strength, padding }),
          frame,
          target,
        );
        if (plan.faces) return;
        asRegions++;
        for (const { box, detected } of seen) {
          if (!detected.hidden) continue;
          // The service's rule, for the unclipped box in the output.
          const scaled = toOutput(box, target);
          const needed = touchedPixels(padBox(scaled, padding), target.output);
          const block = blockEdge(plan.strength, target.output);
          // As far as strength goes.
          const most = blockEdge(MAX_STRENGTH, target.output);
          const asService = (least: number) => Math.min(most, faceBlock(scaled, least, target.output));
          expect(block).toBeGreaterThanOrEqual(Math.max(scaled.w, scaled.h) / 7);
          expect(block).toBeGreaterThanOrEqual(asService(blockEdge(strength, target.output)));
          // Also as coarse as its second look would make them, up to the maximum strength.
          const second = blockEdge(Math.min(MAX_STRENGTH, strength * 2), target.output);
          expect(block).toBeGreaterThanOrEqual(asService(second));
          if (needed) expect(plan.regions.some((region) => contains(region, needed))).toBe(true);
        }
      }),
      { seed: 8, numRuns: 600 },
    );
    expect(asRegions).toBeGreaterThan(100);
  });
});

it('the strength for a block is the least that gives it', () => {
  const output = { width: 500, height: 400 };
  expect(leastStrengthFor(12, 3, output)).toBe(3);
  expect(leastStrengthFor(13, 3, output)).toBe(4);
  expect(leastStrengthFor(48, 3, output)).toBe(12);
  expect(leastStrengthFor(49, 3, output)).toBeUndefined();
});
