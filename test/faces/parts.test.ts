import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, clipBox, moveBox, overlap } from '../../src/faces/boxes.ts';
import { planDetection, tileOverlap } from '../../src/faces/detection_plan.ts';
import { confident, fuse } from '../../src/faces/fusion.ts';
import { calibrated, logit } from '../../src/faces/model.ts';
import { isCut } from '../../src/faces/parts.ts';
import type { Proposal, View } from '../../src/faces/proposals.ts';

const size = { width: 1600, height: 1200 };
const fine = planDetection(size).fine!;
const tiles: View = { weight: 2, scale: 1, leastSide: 0 };
const whole: View = { weight: 1, scale: 0.4, leastSide: 10, partial: true };
const fused = (detections: readonly Proposal[]) => fuse(detections, [tiles, whole]).map(confident);

/**
 * What ideal passes over the tiles see of a face: the part of it in every tile that shows a third of it or
 * more.
 */
function detectionsOf(face: Box, confidence: (share: number) => number): Proposal[] {
  const seen: Proposal[] = [];
  for (const [row, top] of fine.tops.entries()) {
    for (const [column, left] of fine.lefts.entries()) {
      const inTile = clipBox(moveBox(face, -left, -top), fine.tile);
      if (!inTile) continue;
      const share = (inTile.w * inTile.h) / (face.w * face.h);
      if (share < 1 / 3) continue;
      const part = moveBox(inTile, left, top);
      const tile = { x: left, y: top, w: fine.tile.width, h: fine.tile.height };
      const pass = row * fine.lefts.length + column;
      seen.push({
        ...part,
        confidence: confidence(share),
        pass,
        view: tiles,
        cut: isCut(part, tile, fine.size),
      });
    }
  }
  return seen;
}

const faceUpTo = (longest: number) =>
  fc
    .record({
      x: fc.integer({ min: 0, max: size.width - longest }),
      y: fc.integer({ min: 0, max: size.height - longest }),
      w: fc.integer({ min: 12, max: longest }),
      h: fc.integer({ min: 12, max: longest }),
    })
    .filter(({ w, h }) => w / h < 1.5 && h / w < 1.5);

describe('parts of faces', () => {
  it('gives a face that fits the overlap once, in its place, however many tiles show it', () => {
    fc.assert(
      fc.property(faceUpTo(tileOverlap - 2), (face) => {
        const merged = fused(detectionsOf(face, (share) => 0.5 + share / 3));
        expect(merged).toHaveLength(1);
        expect(overlap(merged[0]!, face)).toBeGreaterThan(0.999);
        if (Math.max(face.w, face.h) >= 20)
          expect(merged[0]!.confidence).toBeCloseTo(calibrated(logit(0.5 + 1 / 3)), 5);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('counts a larger face once too when no pass shows all of it, and leaves little of it uncovered', () => {
    fc.assert(
      fc.property(faceUpTo(180), (face) => {
        const seen = detectionsOf(face, () => 0.7);
        fc.pre(seen.length > 0);
        const merged = fused(seen);
        expect(merged).toHaveLength(1);
        expect(overlap(merged[0]!, face)).toBeGreaterThan(0.4);
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it('takes the place from the whole face, and counts the logit of a surer part', () => {
    const seenWhole = { x: 100, y: 100, w: 60, h: 80, confidence: 0.4, view: whole, pass: 0, cut: false };
    const part = { x: 100, y: 100, w: 40, h: 80, confidence: 0.8, view: tiles, pass: 1, cut: true };
    const [face, ...others] = fused([seenWhole, part]);
    expect(others).toEqual([]);
    expect(overlap(face!, seenWhole)).toBeCloseTo(1, 9);
    expect(face!.confidence).toBeCloseTo(calibrated((logit(0.4) + 2 * logit(0.8)) / 3), 5);
  });

  it('does not let an uncertain large box swallow a confident part', () => {
    const wall = { x: 0, y: 0, w: 900, h: 900, confidence: 0.06, view: whole, pass: 0, cut: false };
    const part = { x: 100, y: 100, w: 40, h: 80, confidence: 0.8, view: tiles, pass: 1, cut: true };
    expect(fused([wall, part])[0]).toMatchObject({ x: 100, y: 100, w: 40, h: 80 });
  });
});

describe('isCut', () => {
  const tile = { x: 100, y: 0, w: 100, h: 100 };
  it.each([
    ['at a border inside the picture', { x: 102, y: 40, w: 30, h: 30 }, true],
    ['at the picture’s own border', { x: 140, y: 0, w: 30, h: 30 }, false],
    ['clear of all borders', { x: 140, y: 40, w: 30, h: 30 }, false],
    ['at the far side', { x: 170, y: 40, w: 30, h: 30 }, true],
    ['beyond the lower one', { x: 140, y: 80, w: 30, h: 30 }, true],
  ])('%s: %o', (_, box, cut) => {
    expect(isCut(box, tile, { width: 300, height: 200 })).toBe(cut);
  });
});
