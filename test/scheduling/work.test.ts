import { describe, expect, it } from 'vitest';
import { ROW_WORK, rowsOfStrip, rowsWork } from '../../src/scheduling/work.ts';

describe('the work of a job', () => {
  it('is that of the pixels of a strip and of its rows', () => {
    expect(rowsWork(8, 100)).toBe(8 * (100 + ROW_WORK));
    expect(rowsWork(0, 100)).toBe(0);
  });

  it('bounds the rows of a strip, not only its bytes', () => {
    expect(rowsOfStrip(4000, 3000)).toBe(16);
    expect(rowsOfStrip(1, 50_000_000)).toBeLessThan(2000);
    expect(rowsOfStrip(50_000_000, 1)).toBe(1);
    expect(rowsOfStrip(10, 3)).toBe(3);
  });
});
