import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BoxNeighbours, isNear } from '../../src/faces/box_index.ts';
import { type Box, overlap, sharedArea } from '../../src/faces/boxes.ts';
import { alignTilted, confident, fuse, withoutCovered } from '../../src/faces/fusion.ts';
import { calibrated, leastLogit, logit, scoreOf } from '../../src/faces/model.ts';
import type { Proposal, View } from '../../src/faces/proposals.ts';

const whole: View = { weight: 1, scale: 0.5, leastSide: 10 };
const fine: View = { weight: 2, scale: 1, leastSide: 10 };
const near: View = { weight: 4, scale: 1, leastSide: 0, partial: true };

/** A face of 50 × 60 pixels, or what differs. */
const seen = (view: View, value: number, differs: Partial<Proposal> = {}): Proposal => ({
  x: 100,
  y: 100,
  w: 50,
  h: 60,
  confidence: scoreOf(value),
  view,
  pass: 0,
  cut: false,
  ...differs,
});

it('moves a box towards that of the surest tilted view of the same face, by less than half', () => {
  const face = { x: 100, y: 100, w: 50, h: 60, logit: 2 };
  const beside = { ...face, x: 110, w: 60, logit: 1, turned: 35 };
  const tilted = [beside, { ...face, x: 90, logit: 0.5, turned: -35 }, { ...face, x: 160, logit: 4 }];
  const moved = alignTilted(face, tilted);
  expect(moved).toEqual({ x: expect.closeTo(104, 9), y: 100, w: expect.closeTo(54, 9), h: 60, logit: 2 });
  expect(alignTilted(face, [{ ...beside, logit: 0.4 }])).toBe(face);
  expect(alignTilted({ ...face, logit: -2 }, [{ ...beside, logit: -1.1 }]).x).toBe(100);
});

describe('fuse', () => {
  it('gives the weighted mean of what the views say', () => {
    const [face, ...others] = fuse([seen(whole, 1), seen(fine, 2.5)], [whole, fine]);
    expect(others).toEqual([]);
    expect(face!.logit).toBeCloseTo((1 + 2 * 2.5) / 3, 5);
    expect(confident(face!).confidence).toBeCloseTo(calibrated(2), 5);
  });

  it('counts a view that sees nothing with the least logit, unless the face is too small for it', () => {
    expect(fuse([seen(fine, 2)], [whole, fine])[0]!.logit).toBeCloseTo((leastLogit + 2 * 2) / 3, 5);
    const small = { w: 19, h: 19 };
    const [face] = fuse([seen(fine, 2, small)], [whole, fine]);
    expect(face!.logit).toBeCloseTo(2 + 1.5 * Math.log2(19 / 20), 5);
  });

  it('leaves a face too large for a view to the others, with its place', () => {
    const enlarged: View = { ...fine, scale: 1.5, mostSide: 80 };
    const views = [fine, enlarged];
    const [large] = fuse([seen(fine, 3), seen(enlarged, 0, { x: 110 })], views);
    expect([large!.logit, large!.x]).toEqual([expect.closeTo(3, 5), 100]);
    const small = { w: 40, h: 40 };
    const [face] = fuse([seen(fine, 3, small), seen(enlarged, 0, { ...small, x: 104 })], views);
    expect(face!.logit).toBeCloseTo(1.5, 5);
    expect(face!.x).toBeGreaterThan(101);
  });

  it('asks a view of parts of the picture only where it has shown something', () => {
    expect(fuse([seen(fine, 1)], [fine, near])[0]!.logit).toBeCloseTo(1, 5);
    expect(fuse([seen(fine, 1), seen(near, 4)], [fine, near])[0]!.logit).toBeCloseTo(3, 5);
  });

  it('asks a view of some places only of those', () => {
    const closer: View = { ...fine, scale: 1.5, shows: ({ x }) => x < 200 };
    const views = [fine, closer];
    expect(fuse([seen(fine, 2)], views)[0]!.logit).toBeCloseTo((2 + leastLogit) / 2, 5);
    expect(fuse([seen(fine, 2, { x: 300 })], views)[0]!.logit).toBeCloseTo(2, 5);
    expect(fuse([seen(fine, 2), seen(closer, 4)], views)[0]!.logit).toBeCloseTo(3, 5);
  });

  it('lets a view that sees faces of some kinds only make a face surer, never less sure', () => {
    const raising: View = { ...whole, onlyRaises: true };
    const views = [fine, raising];
    expect(fuse([seen(fine, 0)], views)[0]!.logit).toBeCloseTo(0, 5);
    expect(fuse([seen(fine, 0), seen(raising, -3)], views)[0]!.logit).toBeCloseTo(0, 5);
    expect(fuse([seen(fine, 0), seen(raising, 3)], views)[0]!.logit).toBeCloseTo(1, 5);
    expect(fuse([seen(raising, 3)], [raising])[0]!.logit).toBeCloseTo(3, 5);
  });

  it('places the box between those of the views, nearer to the surer and weightier', () => {
    const [face] = fuse([seen(whole, 0), seen(fine, 0, { x: 106 })], [whole, fine]);
    expect(face!.x).toBeCloseTo(104, 5);
    expect(face!.w).toBeCloseTo(50, 5);
  });

  it('keeps neighbours apart, drops a box that is part of a more confident one, and sorts', () => {
    const at = (x: number, value: number, side = 50) => seen(fine, value, { x, w: side, h: side });
    const fused = fuse([at(10, -1), at(70, 3), at(74, 0), at(85, 1, 22)], [fine]);
    expect(fused.map(({ x }) => Math.round(x))).toEqual([71, 10]);
  });

  const box = fc.record({
    x: fc.integer({ min: 0, max: 400 }),
    y: fc.integer({ min: 0, max: 300 }),
    w: fc.integer({ min: 2, max: 120 }),
    h: fc.integer({ min: 2, max: 120 }),
  });
  const detection = fc
    .tuple(box, fc.constantFrom(whole, fine, near), fc.integer({ min: 4, max: 996 }), fc.nat(3), fc.boolean())
    .map(([place, view, score, pass, cut]) => ({
      ...place,
      view,
      confidence: score / 1000,
      pass,
      cut: cut && view === fine,
    }));

  it('gives what it gives when every box is compared with every other', () => {
    let parts = 0;
    fc.assert(
      fc.property(fc.array(detection, { maxLength: 80, size: 'max' }), (detections) => {
        parts += detections.filter(({ cut }) => cut).length;
        const views = [whole, fine, near];
        expect(fuse(detections, views)).toEqual(fuse(detections, views, compareAll));
      }),
      { seed: 21, numRuns: 100 },
    );
    expect(parts).toBeGreaterThan(500);
  });

  it('leaves no two boxes of one face, and every detection under or beside a surer box', () => {
    fc.assert(
      fc.property(fc.array(detection, { maxLength: 60, size: 'max' }), (detections) => {
        const fused = fuse(detections, [whole, fine, near]);
        for (const [index, face] of fused.entries()) {
          for (const surer of fused.slice(0, index)) {
            expect(surer.logit).toBeGreaterThanOrEqual(face.logit);
            expect(overlap(surer, face)).toBeLessThanOrEqual(0.45);
            expect(sharedArea(surer, face)).toBeLessThan(0.8 * face.w * face.h + 1e-6);
          }
        }
        expect(withoutCovered(fused)).toEqual(fused);
      }),
      { seed: 22, numRuns: 50 },
    );
  });

  it('has a logit of a score and back', () => {
    for (const score of [0.02, 0.3, 0.97]) expect(scoreOf(logit(score))).toBeCloseTo(score, 9);
    expect(logit(0)).toBe(leastLogit);
    expect(Number.isFinite(logit(1))).toBe(true);
  });
});

/** An index that compares with every box. */
function compareAll<B extends Box>(): BoxNeighbours<B> {
  const boxes: B[] = [];
  return {
    insert: (one) => boxes.push(one),
    near: (one, share) => boxes.filter((other) => isNear(other, one, share)),
  };
}
