import { describe, expect, it } from 'vitest';
import { ImageError } from '../../src/library/image_error.ts';
import type { Progress, SanitizedImage } from '../../src/library/options.ts';
import { ThreadError } from '../../src/library/thread_error.ts';
import { ThreadPool } from '../../src/library/thread_pool.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { threadsHere } from '../fixtures/threads_here.ts';

const request = (image: Uint8Array, ops: unknown = { pixelate: { faces: false } }) => ({
  call: 'sanitize' as const,
  image,
  ops,
  memoryBudget: undefined,
});

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
    await expect(lost).rejects.toThrow(ThreadError);
    await expect(lost).rejects.toMatchObject({ code: 'thread_failed', cause: failure });
    await expect(next).resolves.toMatchObject({ mediaType: 'image/jpeg' });
    expect(started.map(({ ended }) => ended)).toEqual([true, false]);
  });

  it('serves on where a thread can’t be started', async () => {
    const { start, started } = threadsHere();
    const failure = new Error('no memory for a stack');
    let isRefused = true;
    const pool = new ThreadPool((listener) => {
      if (isRefused) throw failure;
      return start(listener);
    }, 2);
    const image = await photo();
    const lost = pool.run(request(image), false);
    await expect(lost).rejects.toMatchObject({ name: 'ThreadError', cause: failure });
    isRefused = false;
    const first = pool.run(request(image), false);
    isRefused = true;
    // No second thread: the first one takes it over.
    const second = pool.run(request(image), false);
    expect(await Promise.all([first, second])).toHaveLength(2);
    expect(started).toHaveLength(1);
  });

  it('refuses what no thread can be sent, at once or after it waited, and serves on', async () => {
    const { start, started } = threadsHere();
    const pool = new ThreadPool(start, 1);
    const image = await photo();
    const unsendable = request(image, { crop: () => 1 });
    const refused = { name: 'ImageError', code: 'invalid_ops' };
    await expect(pool.run(unsendable, false)).rejects.toMatchObject(refused);
    const running = pool.run(request(image), false);
    const waited = pool.run(unsendable, false);
    const gone = image.slice();
    const transferred = pool.run(request(gone), true);
    structuredClone(gone, { transfer: [gone.buffer] });
    const failure = new Error('a getter');
    const ops = Object.defineProperty({}, 'crop', {
      enumerable: true,
      get() {
        throw failure;
      },
    });
    const thrown = pool.run(request(image, ops), false);
    const last = pool.run(request(image), false);
    await expect(waited).rejects.toMatchObject(refused);
    await expect(transferred).rejects.toThrow('but it was given away');
    await expect(thrown).rejects.toBe(failure);
    expect(await last).toEqual(await running);
    expect(started).toHaveLength(1);
  });

  it.each([
    ['throws', true],
    ['rejects', false],
  ])('ends a call whose listener %s with that, and goes on with the others', async (_, isThrown) => {
    const { start, started } = threadsHere();
    const pool = new ThreadPool(start, 1);
    const failure = new Error('a mistake of the caller');
    let told = 0;
    const listener = () => {
      told++;
      if (isThrown) throw failure;
      return Promise.reject(failure);
    };
    const large = await sampleFile('png', drawPeople(1500, 1000));
    const failed = pool.run(request(large), false, undefined, listener);
    const next = pool.run(request(await photo()), false);
    await expect(failed).rejects.toBe(failure);
    const before = told;
    await expect(next).resolves.toMatchObject({ mediaType: 'image/jpeg' });
    expect([told, started.length]).toEqual([before, 1]);
    expect(started[0]!.posts).toContainEqual({ abort: 0 });
  });

  it('sends an image alone, without the rest of its buffer', async () => {
    const { start, started } = threadsHere();
    const pool = new ThreadPool(start, 1);
    const image = await photo();
    const around = new Uint8Array(image.length + 100_000);
    around.set(image, 50_000);
    await pool.run(request(around.subarray(50_000, 50_000 + image.length)), false);
    const [sent] = started[0]!.posts as { image: Uint8Array }[];
    expect(sent!.image.buffer.byteLength).toBe(image.length);
    expect(around.length).toBe(image.length + 100_000);
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
