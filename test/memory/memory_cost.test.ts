import { expect, it } from 'vitest';
import { totalBytes } from '../../src/memory/memory_cost.ts';

it('is the sum of what lies in cores and elsewhere', () => {
  expect(totalBytes({ inCores: 3, elsewhere: 4 })).toBe(7);
});
