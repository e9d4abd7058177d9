import { expect, it } from 'vitest';
import { CallLimit } from '../../../src/cli/mcp/call_limit.ts';

const never = new AbortController().signal;
const turns = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told. */
function work(log: string[], name: string) {
  let end: (error?: Error) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  const run = () => {
    log.push(name);
    return ended;
  };
  return { run, end: (error?: Error) => end(error) };
}

it('lets so many calls work at once, and the others in their order, also behind one that fails', async () => {
  const limit = new CallLimit(2);
  const log: string[] = [];
  const [a, b, c, d] = [...'abcd'].map((name) => work(log, name)) as ReturnType<typeof work>[];
  const calls = [a!, b!, c!, d!].map(({ run }) => limit.run(never, 1, run));
  await turns();
  expect([log, limit.waiting]).toEqual([['a', 'b'], 2]);
  b!.end(new Error('broken'));
  await expect(calls[1]).rejects.toThrow('broken');
  await turns();
  expect([log, limit.waiting]).toEqual([['a', 'b', 'c'], 1]);
  a!.end();
  await turns();
  expect(log).toEqual(['a', 'b', 'c', 'd']);
  for (const one of [c, d]) one!.end();
  await Promise.all([calls[0], calls[2], calls[3]]);
  const later = work(log, 'e');
  later.end();
  await limit.run(never, 1, later.run);
  expect(log).toHaveLength(5);
});

it('forgets a call that is aborted while it waits, and tells when fewer wait', async () => {
  const limit = new CallLimit(1);
  const log: string[] = [];
  const first = work(log, 'a');
  const call = limit.run(never, 1, first.run);
  const leaving = new AbortController();
  const left = limit.run(leaving.signal, 1, work(log, 'b').run);
  let isTold = false;
  const told = limit.fewerThan(1, 100).then(() => {
    isTold = true;
  });
  await turns();
  expect([isTold, limit.waiting]).toEqual([false, 1]);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await told;
  first.end();
  await call;
  expect([log, limit.waiting]).toEqual([['a'], 0]);
});

it('tells when the waiting messages have fewer bytes: sixteen of 48 MB were held', async () => {
  const limit = new CallLimit(1);
  const log: string[] = [];
  const [a, b] = [work(log, 'a'), work(log, 'b')];
  const calls = [a, b].map(({ run }) => limit.run(never, 48, run));
  let isTold = false;
  const told = limit.fewerThan(16, 48).then(() => {
    isTold = true;
  });
  await turns();
  expect([isTold, limit.waitingBytes]).toEqual([false, 48]);
  a.end();
  await told;
  expect(limit.waitingBytes).toBe(0);
  b.end();
  await Promise.all(calls);
});
