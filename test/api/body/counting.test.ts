import { expect, it } from 'vitest';
import { counted } from './counting.ts';

it('counts every allocation', () => {
  const { allocate, bytes, sizes } = counted();
  expect(allocate(10).length).toBe(10);
  allocate(5);
  expect([bytes(), sizes]).toEqual([15, [10, 5]]);
});
