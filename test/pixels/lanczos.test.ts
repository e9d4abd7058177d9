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
    const parts = [...lanczosTaps(100_000, 1000)];
    const { count } = allTaps(100_000, 1000);
    expect(parts.length).toBeGreaterThan(900);
    expect(Math.max(...parts)).toBeLessThan(3000);
    expect(sum(parts)).toBe(2 * sum(count));
  });

  // Regression: work was told of after each sample, and passed on through all that reads a picture.
  it('of few taps are made many samples at a time', () => {
    const parts = [...lanczosTaps(2500, 1600)];
    expect(parts.length).toBeLessThan(1600 / 32);
    expect(sum(parts)).toBe(2 * sum(allTaps(2500, 1600).count));
  });

  it.each([
    [2500, 1600, 2500],
    [1890, 1200, 1889.25],
    [65535, 16, 65535],
    [5, 4, 5],
  ])('%i → %i of %f shown: weigh as the kernel says', (from, to, shown) => {
    const { start, count, weights, stride } = allTaps(from, to, shown);
    const scale = Math.max(1, shown / to);
    const kernel = (x: number) =>
      x === 0
        ? 1
        : Math.abs(x) >= 3
          ? 0
          : (3 * Math.sin(x * Math.PI) * Math.sin((x * Math.PI) / 3)) / (x * Math.PI) ** 2;
    for (let i = 0; i < to; i++) {
      const exact = Array.from({ length: count[i]! }, (_, tap) =>
        kernel((start[i]! + tap + 0.5 - ((i + 0.5) * shown) / to) / scale),
      );
      const whole = sum(exact);
      for (const [tap, weight] of exact.entries())
        expect(Math.abs(weights[i * stride + tap]! - weight / whole)).toBeLessThan(1e-7);
    }
  });
});

const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0);
