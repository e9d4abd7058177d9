import { describe, expect, it } from 'vitest';
import { sizeWithin } from '../../../src/playground/pictures/size_within.ts';

describe('the size of a converted picture', () => {
  it('keeps its proportions, is within the limit, and never grows', () => {
    expect(sizeWithin({ width: 400, height: 300 }, 48e6)).toEqual({ width: 400, height: 300 });
    for (const [width, height] of [
      [12_000, 9000],
      [100_000, 500],
      [10, 6_000_000],
    ] as const) {
      const size = sizeWithin({ width, height }, 48e6);
      expect(size.width * size.height).toBeLessThanOrEqual(48e6);
      expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
    }
    const { width, height } = sizeWithin({ width: 12_000, height: 9000 }, 48e6);
    expect(width / height).toBeCloseTo(4 / 3, 3);
  });
});
