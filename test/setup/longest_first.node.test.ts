import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LONG } from './longest_first.ts';

it('names files that are there, once each', () => {
  expect(LONG.filter((path) => !existsSync(path))).toEqual([]);
  expect(new Set(LONG).size).toBe(LONG.length);
});
