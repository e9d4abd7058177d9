import { describe, expect, it } from 'vitest';
import { threadCount } from '../../src/library/thread_count.ts';

const MB = 1024 * 1024;
const allCores = Array.from({ length: 128 }, (_, at) => at + 1);

describe('threadCount', () => {
  it.each(allCores)('leaves each thread of %i cores a share that serves any photo', (cores) => {
    for (const budget of [256, 512, 1024, 4096, 65_536]) {
      const threads = threadCount(budget * MB, cores);
      expect((budget * MB) / threads).toBeGreaterThanOrEqual(256 * MB);
      expect(threads).toBe(Math.min(cores, budget / 256));
    }
  });

  it.each(allCores)('takes %i threads at their word as far as ordinary photos have room', (asked) => {
    const threads = threadCount(512 * MB, 4, asked);
    expect(threads).toBe(Math.min(asked, 5));
    expect(512 / threads).toBeGreaterThanOrEqual(100);
  });

  it('gives all of a tiny budget to one thread', () => {
    for (const budget of [1, MB, 99 * MB]) {
      expect(threadCount(budget, 8)).toBe(1);
      expect(threadCount(budget, 8, 8)).toBe(1);
    }
  });
});
