import { describe, expect, it } from 'vitest';
import { createCore } from '../../../../src/core/instance.ts';
import { seededBelow } from '../../../fixtures/random.ts';
import { firstDifference } from '../first_difference.ts';
import { SamplePlane } from './sample_plane.ts';

const MAP_STRIDE = 72;

describe('AV1 palette prediction', () => {
  it('gives each sample its colour, in all sizes, and touches nothing beside', () => {
    const core = createCore();
    const below = seededBelow(3);
    const plane = new SamplePlane(core, 80, 66);
    const colours = core.alloc(16);
    const map = core.alloc(MAP_STRIDE * 64 + 16);
    for (const width of [4, 8, 16, 32, 64]) {
      for (const height of [4, 8, 16, 32, 64]) {
        plane.fill(() => below(4096));
        const palette = new Uint16Array(core.exports.memory.buffer, colours, 8).map(() => below(4096));
        new Uint16Array(core.exports.memory.buffer, colours, 8).set(palette);
        const indices = core.view(map, MAP_STRIDE * 64);
        for (let i = 0; i < indices.length; i++) indices[i] = below(8);
        const expected = plane.samples.slice();
        for (let i = 0; i < height; i++) {
          for (let j = 0; j < width; j++) {
            expected[(i + 1) * plane.width + j + 5] = palette[indices[i * MAP_STRIDE + j]!]!;
          }
        }
        core.exports.av1PredictPalette(
          plane.address(5, 1),
          plane.stride,
          colours,
          map,
          MAP_STRIDE,
          width,
          height,
        );
        expect(firstDifference(plane.samples, expected)).toBe(-1);
      }
    }
  });
});
