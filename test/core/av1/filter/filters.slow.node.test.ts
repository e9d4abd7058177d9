import { describe, expect, it } from 'vitest';
import { addChanges, expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { randomPlans } from '../../../fixtures/av1/filter_plans.ts';

describe('all filters on random pictures', () => {
  it.each([11, 12, 13, 14])('leave what the specification leaves: seed %i', (seed) => {
    const changes = { deblock: 0, cdef: 0, restore: 0 };
    for (const plan of randomPlans(seed, 120, 300)) addChanges(changes, expectFiltered(plan));
    expect(Math.min(...Object.values(changes))).toBeGreaterThan(10_000);
  });
});
