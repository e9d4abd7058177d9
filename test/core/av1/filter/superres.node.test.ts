import { describe, expect, it } from 'vitest';
import { addChanges, expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { DEPTHS, SAMPLINGS } from '../../../fixtures/av1/filter_plans.ts';

const WIDTHS = [
  [150, 160],
  [100, 199],
  [64, 128],
  [17, 33],
  [9, 16],
] as const;

describe('superres', () => {
  it.each(SAMPLINGS)('makes rows wider before they are restored: %s', (sampling) => {
    const changes = { deblock: 0, cdef: 0, restore: 0 };
    WIDTHS.forEach(([width, upscaledWidth], i) => {
      const superblock = i % 2 ? 64 : 128;
      const filters = { deblock: true, cdef: i !== 1, restore: i !== 2 };
      const plan = { width, upscaledWidth, height: 70, seed: 60 + i, sampling, superblock } as const;
      addChanges(changes, expectFiltered({ ...plan, ...filters, bitDepth: DEPTHS[i % 3]! }));
    });
    expect(changes.restore).toBeGreaterThan(1000);
  });
});
