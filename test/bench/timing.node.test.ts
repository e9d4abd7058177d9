import { expect, test } from 'vitest';
import { megabytes, ms, race, ratio } from './timing.ts';

test('contenders run in turn, and the least time of each counts', async () => {
  let now = 0;
  const ran: string[] = [];
  const taking = (name: string, times: number[]) => async () => {
    ran.push(name);
    now += times.shift()!;
  };
  const contenders = { a: taking('a', [5, 3, 9]), b: taking('b', [2, 8, 4]), absent: undefined };
  expect(await race(contenders, 3, () => now)).toEqual({ a: 3, b: 2 });
  expect(ran.join('')).toBe('ababab');
});

test('figures carry their unit', () => {
  expect([ms(1.234), ms(12.34), ms(123.4), ratio(1, 3), megabytes(3 << 19)]).toEqual([
    '1.23 ms',
    '12.3 ms',
    '123 ms',
    '0.33 ×',
    '1.5 MB',
  ]);
});
