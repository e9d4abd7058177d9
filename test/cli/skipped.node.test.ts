import { expect, it } from 'vitest';
import { kindOfOther, type PassedOver, passedOverLines } from '../../src/cli/passed_over.ts';

it('counts what was passed over by its reason, and has a remedy for HEIC', () => {
  const counts = new Map<PassedOver, number>([
    ['other', 2],
    ['heic', 1],
    ['output', 1],
  ]);
  const [line, ...remedies] = passedOverLines(counts);
  expect(line).toBe('Passed over: 1 HEIC photo, 2 other files, 1 output of an earlier run');
  expect(remedies).toEqual([expect.stringContaining('convert')]);
  expect(passedOverLines(new Map([['raw', 3]]))).toEqual(['Passed over: 3 raw photos']);
  expect(passedOverLines(new Map())).toEqual([]);
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
