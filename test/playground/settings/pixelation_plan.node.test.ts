import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsCentre } from '../../../src/faces/boxes.ts';
import { type Box, intersection, targetOf, toOutput } from '../../../src/playground/geometry.ts';
import {
  type Face,
  type PixelationChoices,
  planPixelation,
} from '../../../src/playground/settings/pixelation_plan.ts';
import { MAX_REGIONS } from '../../../src/vocabulary/vocabulary.ts';

const face = (box: Box, hidden = true, confidence = 0.9): Face => ({ ...box, hidden, confidence });
const choices = (change: Partial<PixelationChoices>): PixelationChoices => ({
  faces: true,
  detectedFaces: [],
  kinds: [],
  faceFill: 'mosaic',
  regions: [],
  spared: [],
  strength: 3,
  confidence: 0.6,
  padding: 1.5,
  ...change,
});
const frame = { width: 1000, height: 800 };
const whole = targetOf(frame, null, undefined);
const text = (box: Box, hidden = true): Face => ({ ...face(box, hidden), kind: 'text' });
const small = { x: 100, y: 100, w: 60, h: 80 };
const other = { x: 600, y: 300, w: 60, h: 80 };

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

describe('the pixelation plan', () => {
  it('leaves the faces to the service', () => {
    const region = { x: 0, y: 0, w: 10, h: 10, fill: 'mosaic' as const };
    const plan = planPixelation(
      choices({ detectedFaces: [face(small), face(other)], regions: [region] }),
      frame,
      whole,
    );
    expect(plan).toMatchObject({
      faces: true,
      notices: [],
      regions: [region],
    });
    expect(plan.areas).toHaveLength(3);
  });

  it('has an ellipse as it was drawn, in whole pixels, and draws the blocks and pixels that it touches', () => {
    const drawn = { x: 100.3, y: 50.6, w: 200.1, h: 120.2, shape: 'ellipse' as const };
    const sent = { x: 100, y: 50, w: 201, h: 121, shape: 'ellipse' };
    const black = planPixelation(choices({ regions: [{ ...drawn, fill: 'solid' }] }), frame, whole);
    expect(black.regions).toEqual([{ ...sent, fill: 'solid' }]);
    const pixels = black.filled.reduce((sum, { w, h }) => sum + w * h, 0);
    expect(pixels / ((Math.PI / 4) * 201 * 121)).toBeCloseTo(1.015, 2);
    const blocks = planPixelation(choices({ regions: [{ ...drawn, fill: 'mosaic' }] }), frame, whole).areas;
    expect(Math.min(...blocks.map(({ x }) => x))).toBe(96);
    expect(blocks[0]!.w).toBeLessThan(200);
    expect(new Set(blocks.map(({ blockEdge }) => blockEdge))).toEqual(new Set([24]));
  });

  it('hides all of an ellipse that a crop cuts where the service has no place, and none that it leaves out', () => {
    const crop = { x: 150, y: 60, w: 800, h: 700 };
    const target = targetOf(frame, crop, undefined);
    const drawn = { x: 100, y: 50, w: 200, h: 120, fill: 'solid', shape: 'ellipse' } as const;
    const plan = (change: Partial<Box>) =>
      planPixelation(choices({ regions: [{ ...drawn, ...change }] }), frame, target).regions;
    expect(plan({})).toEqual([{ x: 0, y: 0, w: 150, h: 110, fill: 'solid' }]);
    expect(plan({ x: 900, y: 700 })).toEqual([
      { x: 750, y: 640, w: 200, h: 120, fill: 'solid', shape: 'ellipse' },
    ]);
    // Its rectangle reaches into the corner of the crop, it does not.
    expect(plan({ x: 945, y: 755 })).toEqual([]);
  });

  it('leaves one face out by its box, and changes nothing else', () => {
    const [left, both] = [
      [face(small), face(other, false)],
      [face(small), face(other)],
    ].map((detectedFaces) => planPixelation(choices({ detectedFaces }), frame, whole));
    expect(left).toMatchObject({ faces: true, regions: [], except: [other], notices: [] });
    expect(left!.areas).toHaveLength(1);
    expect(both!.areas).toContainEqual(left!.areas[0]);
    expect(left!.kept).toEqual([other]);
  });

  it('hides the box that a face was given instead of the one that was found', () => {
    const area = { x: 300, y: 500, w: 90, h: 70 };
    const plan = planPixelation(
      choices({ detectedFaces: [{ ...face(small), area }, face(other)] }),
      frame,
      whole,
    );
    expect(plan).toMatchObject({
      regions: [{ ...area, fill: 'solid' }],
      except: [small],
      facesAsRegions: 1,
      facesMoved: 1,
      notices: [],
    });
    expect(plan.filled).toEqual([area]);
    expect(plan.areas).toHaveLength(1);
    // One that stays visible does so whatever its box.
    const shown = planPixelation(choices({ detectedFaces: [{ ...face(small, false), area }] }), frame, whole);
    expect(shown).toMatchObject({ regions: [], except: [small], facesMoved: 0 });
  });

  it('leaves text and plates to the service, and shows what it covers: turned lines by their bands', () => {
    const outline = [
      { x: 0, y: 0.2 },
      { x: 0.9, y: 0 },
      { x: 1, y: 0.8 },
      { x: 0.1, y: 1 },
    ];
    const line = { ...text({ x: 500, y: 500, w: 200, h: 60 }), outline };
    const plate = { ...text(other), kind: 'plate' };
    const found = [face(small), plate, line];
    const plan = planPixelation(choices({ detectedFaces: found, kinds: ['plate', 'text'] }), frame, whole);
    expect(plan).toMatchObject({ kinds: ['plate', 'text'], regions: [], except: [], thingsLeft: 0 });
    expect(plan.areas).toHaveLength(1);
    expect(plan.filled).toContainEqual(other);
    const shown = plan.filled.filter(({ y }) => y >= 500);
    expect(shown.length).toBeGreaterThan(5);
    const area = shown.reduce((sum, { w, h }) => sum + w * h, 0);
    expect(area).toBeGreaterThan(0.7 * 200 * 60);
    expect(area).toBeLessThan(0.95 * 200 * 60);
    // What nobody has ticked is not shown as hidden.
    expect(planPixelation(choices({ detectedFaces: found }), frame, whole)).toMatchObject({
      kinds: [],
      filled: [],
    });
  });

  it('leaves one text by its box; what lies over it is hidden all the same', () => {
    const word = { x: 130, y: 110, w: 90, h: 20 };
    const next = { ...word, x: 230 };
    const kinds = ['text'];
    const plan = planPixelation(
      choices({ detectedFaces: [text(word, false), text(next)], kinds }),
      frame,
      whole,
    );
    expect(plan).toMatchObject({ except: [word], thingsLeft: 1, notices: [], filled: [next] });
    // A face in whose middle it stands, and a line that goes over it.
    for (const over of [face({ x: 145, y: 100, w: 60, h: 40 }), text({ ...word, w: 95 })]) {
      const both = planPixelation(choices({ detectedFaces: [text(word, false), over], kinds }), frame, whole);
      expect(both).toMatchObject({ except: [], thingsLeft: 0, notices: ['not_spared'] });
      const hidden = [...both.filled, ...both.areas];
      expect(hidden.some((area) => holdsCentre(area, word))).toBe(true);
    }
  });

  it('sends what is to be hidden of a page of text where more is left than can be spared', () => {
    const words = Array.from({ length: MAX_REGIONS + 50 }, (_, index) =>
      text(
        { x: 10 + (index % 10) * 90, y: 10 + Math.floor(index / 10) * 30, w: 80, h: 20 },
        index % 100 === 0,
      ),
    );
    const hidden = words.filter((word) => word.hidden);
    const kinds = ['plate', 'text'];
    const plan = planPixelation(choices({ detectedFaces: words, kinds }), frame, whole);
    expect(plan).toMatchObject({ kinds: ['plate'], except: [], notices: [], thingsLeft: words.length - 3 });
    expect(plan.regions).toEqual(hidden.map(({ x, y, w, h }) => ({ x, y, w, h, fill: 'solid' })));
    expect(plan.filled).toHaveLength(3);
    // Where both are too many the service hides all, and what can be is spared.
    const page = Array.from({ length: 2 * words.length }, (_, index) =>
      text({ x: 5 + (index % 20) * 49, y: 10 + Math.floor(index / 20) * 30, w: 40, h: 20 }, index % 2 === 0),
    );
    const most = planPixelation(choices({ detectedFaces: page, kinds }), frame, whole);
    expect(most).toMatchObject({ kinds, regions: [], notices: ['not_spared'], thingsLeft: MAX_REGIONS });
    expect(most.except).toHaveLength(MAX_REGIONS);
  });

  it('leaves no face for a changed box that the service would not take', () => {
    const crowd = Array.from({ length: MAX_REGIONS + 2 }, (_, index) => {
      const box = { x: (index % 20) * 40, y: Math.floor(index / 20) * 40, w: 20, h: 25 };
      return { ...face(box), area: box };
    });
    const plan = planPixelation(choices({ detectedFaces: crowd }), frame, whole);
    expect(plan.regions).toHaveLength(MAX_REGIONS);
    expect(plan.except).toHaveLength(MAX_REGIONS);
    for (const { x, y } of plan.except)
      expect(plan.regions).toContainEqual(expect.objectContaining({ x, y }));
    // The others are hidden where they were found.
    expect(plan.areas).toHaveLength(2);
  });

  it('never spares a face that is to be hidden with the one that is left out', () => {
    const child = { x: 135, y: 120, w: 30, h: 40 };
    const plan = planPixelation(choices({ detectedFaces: [face(small, false), face(child)] }), frame, whole);
    expect(plan.except).toEqual([{ ...small, w: 47 }]);
    expect(plan.areas).toHaveLength(1);
    const within = { x: 115, y: 120, w: 30, h: 40 };
    expect(
      planPixelation(choices({ detectedFaces: [face(small, false), face(within)] }), frame, whole),
    ).toMatchObject({ except: [], notices: ['not_spared'] });
  });

  it('keeps the others hidden, however faces lie: no area to be spared holds the middle of one', () => {
    let close = 0;
    fc.assert(
      fc.property(scenes, ({ frame, maxWidth, strength, padding, tight }) => {
        const target = targetOf(frame, null, maxWidth);
        const seen = tight.flatMap(({ x, y, h, aspect, hidden }) => {
          const edge = Math.min(frame.width, frame.height);
          const box = { x: x * frame.width, y: y * frame.height, w: h * aspect * edge, h: h * edge };
          const clipped = intersection(box, { x: 0, y: 0, w: frame.width, h: frame.height });
          return clipped ? [face(clipped, hidden)] : [];
        });
        const { except } = planPixelation(choices({ detectedFaces: seen, strength, padding }), frame, target);
        for (const area of except) {
          for (const one of seen) {
            if (!one.hidden) continue;
            const scaled = toOutput(one, target);
            expect(holdsCentre(area, scaled)).toBe(false);
            if (intersection(area, scaled)) close++;
          }
        }
      }),
      { seed: 8, numRuns: 600 },
    );
    expect(close).toBeGreaterThan(100);
  });

  it('covers a spot that was added by hand, and nobody else’s blocks change', () => {
    const spot = { ...face(other, false, 0.4), isAdded: true };
    const [plan, alone] = [[face(small), spot], [face(small)]].map((detectedFaces) =>
      planPixelation(choices({ detectedFaces }), frame, whole),
    );
    const area = { x: 585, y: 280, w: 90, h: 120 };
    expect(plan).toMatchObject({
      ...{ faces: true, regions: [{ ...area, fill: 'solid' }], except: [], notices: [] },
      facesAsRegions: 1,
      facesMoved: 0,
    });
    expect(plan!.areas).toEqual(alone!.areas);
    expect(plan!.filled).toEqual([area]);
  });

  it('ignores faces below the confidence, faces cropped away, and all faces when faces are off', () => {
    const none = { faces: true, except: [], notices: [] };
    const left = face(small, false, 0.4);
    expect(planPixelation(choices({ detectedFaces: [left] }), frame, whole)).toMatchObject(none);
    const away = targetOf(frame, { x: 500, y: 0, w: 500, h: 800 }, undefined);
    expect(
      planPixelation(choices({ detectedFaces: [face(small, false), face(other)] }), frame, away),
    ).toMatchObject(none);
    const off = choices({ faces: false, detectedFaces: [face(small, false)], spared: [small] });
    expect(planPixelation(off, frame, whole)).toMatchObject({ ...none, faces: false, regions: [] });
  });

  it('has regions and faces each with its own fill, as the result will', () => {
    const box = { x: 40, y: 40, w: 20, h: 10 };
    const blocks = { x: 300, y: 40, w: 48, h: 48 };
    const solid = planPixelation(
      choices({
        ...{ detectedFaces: [face(small)], faceFill: 'solid' },
        regions: [
          { ...box, fill: 'solid' },
          { ...blocks, fill: 'mosaic' },
        ],
      }),
      frame,
      whole,
    );
    expect(solid.filled).toEqual([box, { x: 85, y: 80, w: 90, h: 120 }]);
    expect(solid.areas).toEqual([{ ...blocks, blockEdge: 24 }]);
    // A region over a face that stays is hidden all the same.
    const over = planPixelation(
      choices({ detectedFaces: [face(small, false)], regions: [{ ...small, h: 40, fill: 'solid' }] }),
      frame,
      whole,
    );
    expect(over.filled).toEqual([{ ...small, h: 40 }]);
  });

  it('sends what was taken back of the second look as areas to be spared', () => {
    const plan = planPixelation(choices({ detectedFaces: [face(small)], spared: [other] }), frame, whole);
    expect(plan.except).toEqual([other]);
    expect(
      planPixelation(choices({ detectedFaces: [face(other)], spared: [other] }), frame, whole),
    ).toMatchObject({ except: [], notices: ['not_spared'] });
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

  it('spares no more faces than the service takes areas, with a notice', () => {
    const crowd = Array.from({ length: MAX_REGIONS + 2 }, (_, index) =>
      face({ x: (index % 20) * 40, y: Math.floor(index / 20) * 40, w: 20, h: 25 }, false),
    );
    const plan = planPixelation(choices({ detectedFaces: crowd }), frame, whole);
    expect(plan).toMatchObject({ faces: true, notices: ['not_spared'] });
    expect(plan.except).toHaveLength(MAX_REGIONS);
  });

  it('sends no more regions than the service takes, with a notice', () => {
    const regions = Array.from({ length: MAX_REGIONS + 5 }, (_, index) => ({
      ...{ x: index, y: 0, w: 2, h: 2 },
      fill: 'solid' as const,
    }));
    for (const faces of [true, false]) {
      const plan = planPixelation(choices({ faces, regions }), frame, whole);
      expect(plan.regions).toHaveLength(MAX_REGIONS);
      expect(plan.notices).toContain('regions_dropped');
    }
  });
});
