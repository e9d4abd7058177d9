import { describe, expect, it } from 'vitest';
import { ImageError } from '../../src/library/image_error.ts';
import type { Progress, SanitizedImage } from '../../src/library/options.ts';
import { serve } from '../../src/library/thread_calls.ts';
import { ThreadPool } from '../../src/library/thread_pool.ts';
import type { ThreadListener } from '../../src/library/threads.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';

const request = (image: Uint8Array, ops: unknown = { pixelate: { faces: false } }) => ({
  call: 'sanitize' as const,
  image,
  ops,
  memoryBudget: undefined,
});

/** Threads that run here: everything passes by structured clone, as between real ones. */
function threadsHere() {
  const started: { listener: ThreadListener; ended: boolean; resting: boolean; posts: unknown[] }[] = [];
  const start = (listener: ThreadListener) => {
    const receive = serve((value, transfer) => {
      const cloned = structuredClone(value, { transfer });
      queueMicrotask(() => !state.ended && listener.message(cloned));
    });
    const state = { listener, ended: false, resting: true, posts: [] as unknown[] };
    started.push(state);
    return {
      post(value: unknown, transfer: ArrayBuffer[]) {
        const cloned = structuredClone(value, { transfer });
        state.posts.push(cloned);
        queueMicrotask(() => !state.ended && receive(cloned));
      },
      rest: () => Object.assign(state, { resting: true }),
      work: () => Object.assign(state, { resting: false }),
      end: () => Object.assign(state, { ended: true }),
    };
  };
  return { start, started };
}

const photo = (width = 300) => sampleFile('jpeg', drawPeople(width, 200));

describe('ThreadPool', () => {
  it('runs calls in order on no more threads than it may have, which then rest', async () => {
    const { start, started } = threadsHere();
    const pool = new ThreadPool(start, 2);
    const image = await photo();
    const ended: number[] = [];
    const calls = Array.from({ length: 5 }, (_, index) =>
      pool.run(request(image), false).then((result) => {
        ended.push(index);
        return (result as SanitizedImage).bytes;
      }),
    );
    const [first, ...others] = await Promise.all(calls);
    expect(started).toHaveLength(2);
    for (const bytes of others) expect(bytes).toEqual(first);
    expect(ended.indexOf(4)).toBeGreaterThan(1);
    expect(started.map(({ resting }) => resting)).toEqual([true, true]);
    expect(image.length).toBeGreaterThan(0);
  });

  it('gives away the buffer of an image that is its own, and only that', async () => {
    const { start } = threadsHere();
    const pool = new ThreadPool(start, 1);
    const [own, part] = [await photo(), new Uint8Array(await photo()).subarray(0)];
    const larger = new Uint8Array(part.length + 4);
    larger.set(part);
    await pool.run(request(own), true);
    expect(own.byteLength).toBe(0);
    await pool.run(request(larger.subarray(0, part.length)), true);
    expect(larger.byteLength).toBe(part.length + 4);
  });

  it('passes on errors by their class, and progress', async () => {
    const pool = new ThreadPool(threadsHere().start, 1);
    const image = await photo();
    const refused = await pool.run(request(image, { blur: 1 }), false).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ImageError);
    expect(refused).toMatchObject({ code: 'invalid_ops', issues: [{ path: 'blur' }] });
    const told: Progress[] = [];
    await pool.run(request(image), false, undefined, (progress) => told.push(progress));
    expect(told.at(-1)).toEqual({ phase: 'encoding', share: 1 });
  });

  it('ends waiting and running calls by their signal, and goes on with the others', async () => {
    const { start, started } = threadsHere();
    const pool = new ThreadPool(start, 1);
    const image = await sampleFile('png', drawPeople(1500, 1000));
    const [running, waiting] = [new AbortController(), new AbortController()];
    const calls = [
      pool.run(request(image), false, running.signal),
      pool.run(request(image), false, waiting.signal),
      pool.run(request(await photo()), false),
    ];
    const settled = Promise.allSettled(calls);
    waiting.abort('second');
    running.abort('first');
    expect((await settled).map((one) => (one.status === 'rejected' ? one.reason : one.status))).toEqual([
      'first',
      'second',
      'fulfilled',
    ]);
    expect(started).toHaveLength(1);
    await expect(pool.run(request(image), false, AbortSignal.abort('late'))).rejects.toBe('late');
  });

  it('replaces a thread that fails', async () => {
    const { start, started } = threadsHere();
    const pool = new ThreadPool(start, 1);
    const image = await photo();
    const lost = pool.run(request(image), false);
    const next = pool.run(request(image), false);
    const failure = new Error('out of memory');
    started[0]!.listener.failed(failure);
    started[0]!.listener.failed(new Error('ended'));
    await expect(lost).rejects.toBe(failure);
    await expect(next).resolves.toMatchObject({ mediaType: 'image/jpeg' });
    expect(started.map(({ ended }) => ended)).toEqual([true, false]);
  });

  it('closes: threads end, calls reject, and no more are taken', async () => {
    const { start, started } = threadsHere();
    const pool = new ThreadPool(start, 1);
    const image = await photo();
    const calls = [pool.run(request(image), false), pool.run(request(image), false)];
    const settled = Promise.allSettled(calls);
    pool.close();
    for (const one of await settled) expect(one).toMatchObject({ reason: { name: 'AbortError' } });
    expect([pool.size, started[0]!.ended]).toEqual([0, true]);
    await expect(pool.run(request(image), false)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
