import { expect, it } from 'vitest';
import { kindOfOther, type SkipReason, skippedLines } from '../../src/cli/skipped.ts';

it('counts what was passed over by its reason, and has a remedy for HEIC', () => {
  const counts = new Map<SkipReason, number>([
    ['other', 2],
    ['heic', 1],
    ['output', 1],
  ]);
  const [line, ...remedies] = skippedLines(counts);
  expect(line).toBe('Passed over: 1 HEIC photo, 2 other files, 1 output of an earlier run');
  expect(remedies).toEqual([expect.stringContaining('convert')]);
  expect(skippedLines(new Map([['raw', 3]]))).toEqual(['Passed over: 3 raw photos']);
  expect(skippedLines(new Map())).toEqual([]);
});

it.each([
  ['IMG_1.HEIC', 'heic'],
  ['a.hif', 'heic'],
  ['a.CR3', 'raw'],
  ['a.mov', 'video'],
  ['a.jxl', 'picture'],
  ['notes.txt', 'other'],
  ['heic', 'other'],
])('takes %s for %s', (name, kind) => expect(kindOfOther(name)).toBe(kind));
