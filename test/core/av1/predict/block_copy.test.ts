import { describe, expect, it } from 'vitest';
import { createCore } from '../../../../src/core/instance.ts';
import { seededBelow } from '../../../fixtures/random.ts';
import { firstDifference } from '../first_difference.ts';
import { SamplePlane } from './sample_plane.ts';

const round2 = (x: number, n: number) => Math.floor((x + 2 ** n / 2) / 2 ** n);

/**
 * Section 7.11.3.4 for taps 3 and 4 of the bilinear filter at positions 0 and 8, which are all it can get.
 */
function interpolated(
  at: (x: number, y: number) => number,
  halfX: boolean,
  halfY: boolean,
  bitDepth: number,
): number {
  const [round0, round1] = bitDepth === 12 ? [5, 9] : [3, 11];
  const [left, right] = halfX ? [64, 64] : [128, 0];
  const [upper, lower] = halfY ? [64, 64] : [128, 0];
  const across = (y: number) => round2(left * at(0, y) + right * at(1, y), round0);
  return round2(upper * across(0) + lower * across(1), round1);
}

describe('AV1 intra block copy', () => {
  for (const bitDepth of [8, 10, 12]) {
    it(`${bitDepth} bits: whole and half samples as the inter prediction has them`, () => {
      const core = createCore();
      const below = seededBelow(bitDepth);
      const plane = new SamplePlane(core, 300, 280);
      for (const [width, height] of [
        [2, 2],
        [2, 8],
        [4, 2],
        [4, 16],
        [8, 4],
        [16, 64],
        [32, 32],
        [64, 16],
        [128, 128],
      ] as const) {
        for (const [halfX, halfY] of [
          [false, false],
          [true, false],
          [false, true],
          [true, true],
        ] as const) {
          plane.fill(() => below(2 ** bitDepth));
          const before = plane.samples.slice();
          const expected = before.slice();
          for (let i = 0; i < height; i++) {
            for (let j = 0; j < width; j++) {
              const at = (x: number, y: number) => before[(3 + i + y) * plane.width + 7 + j + x]!;
              expected[(140 + i) * plane.width + 150 + j] = interpolated(at, halfX, halfY, bitDepth);
            }
          }
          core.exports.av1CopyBlock(
            plane.address(150, 140),
            plane.stride,
            plane.address(7, 3),
            width,
            height,
            Number(halfX),
            Number(halfY),
          );
          expect(firstDifference(plane.samples, expected)).toBe(-1);
        }
      }
    });
  }
});
