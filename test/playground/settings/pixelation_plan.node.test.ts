import { describe, expect, it } from 'vitest';
import { type Box, type Turn, targetOf } from '../../../src/playground/geometry.ts';
import { defaultSettings } from '../../../src/playground/settings/ops.ts';
import {
  type Face,
  type PixelationChoices,
  planPixelation,
} from '../../../src/playground/settings/pixelation_plan.ts';
import { turnedFound } from '../../../src/playground/settings/things.ts';
import { previewAreas } from '../../../src/playground/stage/preview_areas.ts';
import { MAX_AREAS, MAX_REGIONS } from '../../../src/vocabulary/vocabulary.ts';

const frame = { width: 1000, height: 800 };
const whole = targetOf(frame, null, undefined);
const face = (box: Box, hidden = true, confidence = 0.9): Face => ({ ...box, hidden, confidence });
const text = (box: Box, hidden = true): Face => ({ ...face(box, hidden), kind: 'text' });
const small = { x: 100, y: 100, w: 60, h: 80 };
const other = { x: 600, y: 300, w: 60, h: 80 };
/** Grown by the padding of 1.5. */
const smallArea = { x: 85, y: 80, w: 90, h: 120 };
const otherArea = { x: 585, y: 280, w: 90, h: 120 };

const planOf = (
  detectedFaces: readonly Face[] | null,
  change: Partial<PixelationChoices> = {},
  target = whole,
  kindsLookedFor: readonly string[] = ['plate', 'text', 'badges'],
) =>
  planPixelation(
    { ...defaultSettings, ...change },
    { detectedFaces, kindsLookedFor: detectedFaces ? kindsLookedFor : [] },
    frame,
    target,
  );
const countOf = (plan: ReturnType<typeof planOf>, kind = 'face') => plan.counts.get(kind);

describe('the plan of what is hidden', () => {
  it('leaves faces to the engine before anybody has looked, and only lists what it may have missed', () => {
    const region = { x: 0, y: 0, w: 10, h: 10, fill: 'mosaic' as const };
    const plan = planOf(null, { regions: [region], plates: true });
    expect(plan).toMatchObject({
      pixelate: { regions: [{ x: 0, y: 0, w: 10, h: 10 }], plates: true, verify: 'list' },
      asked: ['face', 'plate'],
      notices: [],
    });
    expect(plan.list.map(({ owner }) => owner)).toEqual(['region']);
    expect(plan.counts.size).toBe(0);
  });

  it('sends what was found as it is shown, and asks for nothing else', () => {
    const plate = { ...text({ x: 500, y: 500, w: 200, h: 60 }), kind: 'plate' };
    const plan = planOf([face(small), face(other, false), plate], { plates: true });
    expect(plan.pixelate).toEqual({
      areas: [smallArea, { x: 500, y: 500, w: 200, h: 60, kind: 'plate' }],
      verify: 'list',
    });
    expect(plan.list.map(({ owner, fill }) => [owner, fill])).toEqual([
      ['face', 'mosaic'],
      ['plate', 'solid'],
    ]);
    expect(plan.asked).toEqual([]);
    expect([countOf(plan), countOf(plan, 'plate')]).toEqual([
      { count: 2, visible: 1 },
      { count: 1, visible: 0 },
    ]);
  });

  it('asks only for the kinds that were not looked for yet', () => {
    const plan = planOf([face(small)], { plates: true, text: true, detectors: ['badges'] }, whole, ['text']);
    expect(plan.pixelate).toEqual({
      ...{ areas: [smallArea], plates: true, detectors: { badges: true }, verify: 'list' },
    });
    expect(plan.asked).toEqual(['plate', 'badges']);
    expect(countOf(plan, 'plate')).toBeUndefined();
  });

  it('searches nothing with faces off, and says how many are visible', () => {
    const off = planOf([face(small), face(other)], { faces: false });
    expect(off.pixelate).toEqual({ faces: false });
    expect(countOf(off)).toEqual({ count: 2, visible: 2 });
    const word = text({ x: 400, y: 400, w: 90, h: 20 });
    expect(planOf([face(small), word], { faces: false, text: true }).pixelate).toEqual({
      areas: [{ x: 400, y: 400, w: 90, h: 20, kind: 'text' }],
    });
    expect(planOf(null, { faces: false, text: true }).pixelate).toEqual({
      ...{ faces: false, text: true, verify: false },
    });
  });

  it('gives places in the upright picture, whatever the turn and the crop', () => {
    const outline = [
      { x: 0, y: 0.2 },
      { x: 0.9, y: 0 },
      { x: 1, y: 0.8 },
      { x: 0.1, y: 1 },
    ];
    const line = { ...text({ x: 500, y: 500, w: 200, h: 60 }), outline };
    const before = planOf([face(small), line], { text: true });
    expect(before.pixelate.areas?.[1]).toMatchObject({
      corners: [
        { x: 500, y: 512 },
        { x: 680, y: 500 },
        { x: 700, y: 548 },
        { x: 520, y: 560 },
      ],
    });
    for (const turn of [90, 180, 270] as const) {
      const [size, found] = [face(small), line].reduce<[typeof frame, Face[]]>(
        ([, all], one) => [
          turn === 180 ? frame : { width: 800, height: 1000 },
          [...all, turnedFound(one, frame, turn as Turn)],
        ],
        [frame, []],
      );
      const plan = planPixelation(
        { ...defaultSettings, text: true, turn },
        { detectedFaces: found, kindsLookedFor: ['text'] },
        size,
        targetOf(size, null, 400),
      );
      const sorted = (areas: typeof plan.pixelate.areas) =>
        areas?.map(({ corners, ...area }) => [area, corners?.toSorted((a, b) => a.x - b.x)]);
      expect(sorted(plan.pixelate.areas)).toEqual(sorted(before.pixelate.areas));
    }
    // What the crop leaves out is not sent, not counted, and not hidden.
    const right = targetOf(frame, { x: 500, y: 0, w: 500, h: 400 }, undefined);
    const cut = planOf([face(small), face(other, false), line], { text: true }, right);
    expect(cut.pixelate).toEqual({ areas: [], verify: 'list' });
    expect([countOf(cut), countOf(cut, 'text')]).toEqual([
      { count: 1, visible: 1 },
      { count: 0, visible: 0 },
    ]);
  });

  it('never sends a place outside of the picture, nor one without an area', () => {
    const atEdge = face({ x: -5, y: 780, w: 60, h: 40 });
    expect(planOf([atEdge]).pixelate.areas).toEqual([{ x: 0, y: 770, w: 70, h: 30 }]);
    expect(planOf([text({ x: 999.97, y: 5, w: 40, h: 20 })], { text: true }).pixelate.areas).toEqual([]);
  });

  it('hides a spot that was added as a face, and in the colour that was chosen for it', () => {
    const spot = { ...face(other, true, 0.4), isAdded: true };
    expect(planOf([face(small), spot]).pixelate.areas).toEqual([smallArea, otherArea]);
    expect(countOf(planOf([face(small), spot]))).toEqual({ count: 2, visible: 0 });
    const solid = planOf([{ ...spot, fill: 'solid' }]);
    expect(solid.pixelate.areas).toEqual([{ ...otherArea, fill: 'solid' }]);
    expect(solid.list[0]).toMatchObject({ owner: 'face', fill: 'solid' });
    // Below the confidence, what nobody has added counts as nothing.
    const none = planOf([face(other, true, 0.4), face(small, false, 0.4)]);
    expect([none.pixelate.areas, countOf(none)]).toEqual([[], { count: 0, visible: 0 }]);
  });

  it('says what each detector calls what it found', () => {
    const badge = { ...text(other), kind: 'badges', called: 'badge' };
    expect(planOf([badge], { detectors: ['badges'] }).pixelate.areas).toEqual([
      { ...other, kind: 'badge', detector: 'badges' },
    ]);
  });

  it('counts a face as visible until something covers it, whoever has put that there', () => {
    const shown = [face(small, false), face(other)];
    const over = (box: Box, shape?: 'ellipse') =>
      countOf(planOf(shown, { regions: [{ ...box, fill: 'solid', ...(shape && { shape }) }] }));
    expect(over({ x: 300, y: 100, w: 60, h: 80 })).toEqual({ count: 2, visible: 1 });
    expect(over(small)).toEqual({ count: 2, visible: 0 });
    expect(over({ ...small, h: 50 })).toEqual({ count: 2, visible: 1 });
    expect(over({ x: 60, y: 60, w: 140, h: 160 }, 'ellipse')).toEqual({ count: 2, visible: 0 });
  });

  it('has regions in whole pixels, ovals as they were drawn, and all of one that the crop cuts', () => {
    const drawn = { x: 100.3, y: 50.6, w: 200.1, h: 120.2, fill: 'solid', shape: 'ellipse' } as const;
    const sent = { x: 100, y: 50, w: 201, h: 121, fill: 'solid', shape: 'ellipse' };
    const black = planOf([], { regions: [drawn] });
    expect(black.pixelate.regions).toEqual([sent]);
    const pixels = previewAreas(black.list, frame).filled.reduce((sum, { w, h }) => sum + w * h, 0);
    expect(pixels / ((Math.PI / 4) * 201 * 121)).toBeCloseTo(1.015, 2);
    const target = targetOf(frame, { x: 150, y: 60, w: 800, h: 700 }, undefined);
    const cut = (change: Partial<Box>) =>
      planOf([], { regions: [{ ...drawn, ...change }] }, target).pixelate.regions;
    expect(cut({})).toEqual([{ x: 0, y: 0, w: 151, h: 111, fill: 'solid' }]);
    expect(cut({ x: 900, y: 700, w: 200, h: 120 })).toEqual([
      { x: 750, y: 640, w: 200, h: 120, fill: 'solid', shape: 'ellipse' },
    ]);
    // Its rectangle reaches into the corner of the crop, it does not.
    expect(cut({ x: 945, y: 755 })).toBeUndefined();
  });

  it('gives a close-up the blocks that the service will give it', () => {
    const edges = (picture: typeof frame, faces: readonly Box[]) =>
      planPixelation(
        defaultSettings,
        { detectedFaces: faces.map((box) => face(box)), kindsLookedFor: [] },
        picture,
        targetOf(picture, null, undefined),
      ).list.map(({ block }) => block);
    const [first, second] = edges(frame, [
      { x: 100, y: 100, w: 250, h: 300 },
      { x: 480, y: 150, w: 100, h: 120 },
    ]);
    expect(first! % second!).toBe(0);
    expect(edges(frame, [{ x: 150, y: 130, w: 400, h: 500 }])).toEqual([167]);
  });

  it('is honest where more is wanted than the service takes', () => {
    const regions = Array.from({ length: MAX_REGIONS + 5 }, (_, index) => ({
      ...{ x: index, y: 0, w: 2, h: 2 },
      fill: 'solid' as const,
    }));
    for (const faces of [true, false]) {
      const plan = planOf([], { faces, regions });
      expect(plan.pixelate.regions).toHaveLength(MAX_REGIONS);
      expect(plan.notices).toEqual(['regions_dropped']);
    }
    const words = Array.from({ length: MAX_AREAS + 3 }, (_, index) =>
      text({ x: (index % 50) * 20, y: Math.floor(index / 50) * 19, w: 15, h: 12 }),
    );
    const plan = planOf([...words, face(small)], { text: true });
    expect(plan.pixelate.areas).toHaveLength(MAX_AREAS);
    // Faces come first.
    expect(plan.pixelate.areas![0]).toEqual(smallArea);
    expect(plan.notices).toEqual(['areas_dropped']);
    expect(countOf(plan, 'text')).toMatchObject({ count: MAX_AREAS + 3 });
    expect(countOf(plan, 'text')!.visible).toBeGreaterThan(0);
  });
});
