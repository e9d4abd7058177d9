import { describe, expect, it } from 'vitest';
import { type SanitizerOptions, sanitizerOn } from '../../src/library/sanitizer.ts';
import type { ThreadCall } from '../../src/library/thread_calls.ts';
import { describeImageInputs } from '../cases/image_input_cases.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { threadsHere } from '../fixtures/threads_here.ts';

const noFaces = { pixelate: { faces: false } };
const MB = 1024 * 1024;

/** A pool of threads that run here. */
function poolOf(options: SanitizerOptions, cores = 1) {
  const { start, started } = threadsHere();
  return { sanitizer: sanitizerOn({ cores, startThread: start }, options), started };
}

const poolFor = ({ memoryBudget }: { readonly memoryBudget?: number }) =>
  poolOf({ workers: 1, memoryBudget }).sanitizer;

describeImageInputs('sanitize of a pool', (image, { signal, ...rest }) =>
  poolFor(rest).sanitize(image, noFaces, { signal }),
);
describeImageInputs('detect of a pool', (image, { signal, ...rest }) =>
  poolFor(rest).detect(image, {}, { signal }),
);
describeImageInputs('inspect of a pool', (image, { signal, ...rest }) =>
  poolFor(rest).inspect(image, {}, { signal }),
);

describe('sanitizerOn', () => {
  it.each([
    [{}, 1, 1],
    [{}, 16, 2],
    [{}, 128, 2],
    [{ memoryBudget: 4096 * MB }, 64, 16],
    [{ workers: 4 }, 64, 4],
    [{ workers: 99 }, 2, 5],
    [{ workers: 8, memoryBudget: 20 * MB }, 8, 1],
  ])('with %o and %i cores has %i threads, each with its share', async (options, cores, threads) => {
    const { sanitizer, started } = poolOf(options, cores);
    const image = await sampleFile('tiff', drawPeople(64, 64));
    await Promise.all(Array.from({ length: threads + 1 }, () => sanitizer.inspect(image)));
    expect(started).toHaveLength(threads);
    const { memoryBudget = 512 * MB } = options as SanitizerOptions;
    const [{ memoryBudget: share }] = started[0]!.posts as [ThreadCall];
    expect(share).toBe(Math.floor(memoryBudget / threads));
  });

  it.each([
    [{ workers: 0 }],
    [{ workers: 1.5 }],
    [{ workers: Number.NaN }],
    [{ memoryBudget: 0 }],
    [{ memoryBudget: Number.NaN }],
    [{ memoryBudget: -1 }],
  ])('refuses %o', (options) => {
    expect(() => poolOf(options)).toThrow(RangeError);
  });

  it('gives away what it has read, and what it is told to', async () => {
    const { sanitizer } = poolOf({ workers: 1 });
    const image = await sampleFile('jpeg', drawPeople(64, 64));
    await sanitizer.inspect(image);
    const chunk = image.slice();
    await sanitizer.inspect(
      (async function* () {
        yield chunk;
      })(),
    );
    expect([image.length > 0, chunk.length > 0]).toEqual([true, true]);
    await sanitizer.inspect(image, {}, { transfer: true });
    expect(image).toHaveLength(0);
  });
});
