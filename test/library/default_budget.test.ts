import { expect, it } from 'vitest';
import { defaultMemoryBudget } from '../../src/library/default_budget.ts';

it.each([
  [0.25, 64],
  [0.5, 128],
  [1, 256],
  [2, 512],
  [8, 512],
  [undefined, 512],
])('a device of %s GiB lets calls have %i MB', (deviceMemory, megabytes) => {
  expect(defaultMemoryBudget(deviceMemory === undefined ? {} : { deviceMemory })).toBe(
    megabytes * 1024 * 1024,
  );
});

it('is 512 MB where nothing tells the memory', () => {
  expect(defaultMemoryBudget()).toBe(512 * 1024 * 1024);
});
