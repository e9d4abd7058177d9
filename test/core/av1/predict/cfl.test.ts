import { describe, expect, it } from 'vitest';
import { createCore } from '../../../../src/core/instance.ts';
import { seededBelow } from '../../../fixtures/random.ts';
import { firstDifference } from '../first_difference.ts';
import { SamplePlane } from './sample_plane.ts';

const SIDES = [4, 8, 16, 32];
const SAMPLINGS = [
  ['4:4:4', 0, 0],
  ['4:2:2', 1, 0],
  ['4:2:0', 1, 1],
] as const;

const round2Signed = (x: number, n: number) => Math.sign(x) * Math.floor((Math.abs(x) + 2 ** n / 2) / 2 ** n);

/** Section 7.11.5 by the letter. @returns rows of what is added to the DC prediction */
function scaledLuma(
  luma: (x: number, y: number) => number,
  [subX, subY]: readonly [number, number],
  [width, height]: readonly [number, number],
  [maxLumaW, maxLumaH]: readonly [number, number],
  alpha: number,
): number[][] {
  let sum = 0;
  const values = Array.from({ length: height }, (_, i) =>
    Array.from({ length: width }, (_, j) => {
      const lumaY = Math.min(i << subY, maxLumaH - (1 << subY));
      const lumaX = Math.min(j << subX, maxLumaW - (1 << subX));
      let t = 0;
      for (let dy = 0; dy <= subY; dy++) for (let dx = 0; dx <= subX; dx++) t += luma(lumaX + dx, lumaY + dy);
      const v = t << (3 - subX - subY);
      sum += v;
      return v;
    }),
  );
  const average = Math.floor((sum + (width * height) / 2) / (width * height));
  return values.map((row) => row.map((value) => round2Signed(alpha * (value - average), 6)));
}

describe('AV1 chroma from luma', () => {
  for (const bitDepth of [8, 10, 12]) {
    for (const [name, subX, subY] of SAMPLINGS) {
      it(`${name}, ${bitDepth} bits: all sizes, alphas and edges of the picture`, () => {
        const core = createCore();
        const below = seededBelow(bitDepth * 10 + subX * 2 + subY);
        const most = 2 ** bitDepth - 1;
        const luma = new SamplePlane(core, 80, 70);
        const chroma = new SamplePlane(core, 48, 40);
        for (const width of SIDES) {
          for (const height of SIDES) {
            for (let k = 0; k < 4; k++) {
              const isExtreme = below(3) === 0;
              luma.fill(() => (isExtreme ? below(2) * most : below(most + 1)));
              chroma.fill(() => below(most + 1));
              const maxLuma = [
                (1 + below(width / 4)) * (4 << subX),
                below(2) ? height << subY : (1 + below(height / 4)) * (4 << subY),
              ] as const;
              const alpha = below(33) - 16;
              const { samples } = luma;
              const added = scaledLuma(
                (x, y) => samples[(2 + y) * luma.width + 8 + x]!,
                [subX, subY],
                [width, height],
                maxLuma,
                alpha,
              );
              const expected = chroma.samples.slice();
              added.forEach((row, i) => {
                row.forEach((difference, j) => {
                  const at = (i + 3) * chroma.width + j + 6;
                  expected[at] = Math.max(0, Math.min(most, expected[at]! + difference));
                });
              });
              core.exports.av1PredictCfl(
                chroma.address(6, 3),
                chroma.stride,
                luma.address(8, 2),
                luma.stride,
                subX,
                subY,
                width,
                height,
                ...maxLuma,
                alpha,
                bitDepth,
              );
              expect(firstDifference(chroma.samples, expected)).toBe(-1);
            }
          }
        }
      });
    }
  }
});
