import { expect, test } from 'vitest';
import { Pool } from '../../scripts/serve/front/pool.mjs';

const poolOf = (...paths: string[]) => {
  const pool = new Pool();
  const places = paths.map((path) => pool.add(path));
  return { pool, places };
};

test('calls go where there are fewest, in turns', () => {
  const { pool } = poolOf('a', 'b', 'c');
  const taken = [1, 2, 3, 4].map(() => pool.take(false)!);
  expect(taken.map(({ socketPath }) => socketPath)).toEqual(['a', 'b', 'c', 'a']);
  taken[1]!.leave();
  expect(pool.take(false)!.socketPath).toBe('b');
});

test('small calls queued behind large ones: one process is left to them', () => {
  const { pool } = poolOf('a', 'b');
  const large = [1, 2, 3].map(() => pool.take(true)!);
  expect(large.map(({ socketPath }) => socketPath)).toEqual(['a', 'a', 'a']);
  expect(pool.take(false)!.socketPath).toBe('b');
  for (const { leave } of large) leave();
  expect(pool.take(true)!.socketPath).toBe('a');
  const { pool: alone } = poolOf('a');
  expect([alone.take(true)!.socketPath, alone.take(true)!.socketPath]).toEqual(['a', 'a']);
});

test('a process that has ended looked least busy: nothing is sent there', async () => {
  const { pool, places } = poolOf('a', 'b');
  const call = pool.take(false)!;
  const emptied = pool.remove(places[0]!);
  expect([1, 2].map(() => pool.take(false)!.socketPath)).toEqual(['b', 'b']);
  let isEmpty = false;
  const seen = emptied.then(() => {
    isEmpty = true;
  });
  await Promise.resolve();
  expect(isEmpty).toBe(false);
  call.leave();
  await seen;
});

test('calls wait while no process takes any, for so long, or until their client goes', async () => {
  const pool = new Pool();
  expect(pool.take(false)).toBeUndefined();
  const { signal } = new AbortController();
  const waiting = pool.takeLater(false, signal, 60_000);
  pool.pause();
  pool.add('a');
  pool.goOn();
  expect((await waiting)?.socketPath).toBe('a');
  pool.pause();
  expect(await pool.takeLater(false, signal, 1)).toBeUndefined();
  const gone = new AbortController();
  const left = pool.takeLater(false, gone.signal, 60_000);
  gone.abort();
  expect(await left).toBeUndefined();
});
