import { describe, expect, it } from 'vitest';
import { lanczosTaps } from '../../src/pixels/lanczos.ts';
import { allTaps } from '../fixtures/resized_in_floats.ts';

describe('Lanczos taps', () => {
  it.each([
    [1, 1],
    [2, 1],
    [100, 1],
    [7, 6],
    [4000, 1600],
    [65535, 16],
  ])('%i → %i: inside the source, summing to 1, using every source sample', (from, to) => {
    const { start, count, weights, stride } = allTaps(from, to);
    const used = new Uint8Array(from);
    for (let i = 0; i < to; i++) {
      expect(start[i]).toBeGreaterThanOrEqual(0);
      expect(count[i]).toBeGreaterThan(0);
      expect(count[i]).toBeLessThanOrEqual(stride);
      expect(start[i]! + count[i]!).toBeLessThanOrEqual(from);
      if (i > 0) expect(start[i]).toBeGreaterThanOrEqual(start[i - 1]!);
      let sum = 0;
      for (let tap = 0; tap < count[i]!; tap++) sum += weights[i * stride + tap]!;
      expect(sum).toBeCloseTo(1, 4);
      used.fill(1, start[i]!, start[i]! + count[i]!);
    }
    expect(used.every(Boolean)).toBe(true);
  });

  it('of a wide row are made with work told of on the way, each tap once', () => {
    let parts = 0;
    let work = 0;
    for (const part of lanczosTaps(100_000, 1000)) {
      parts++;
      work += part;
    }
    expect(parts).toBe(1000);
    expect(work).toBeGreaterThan(6 * 100_000);
  });
});
