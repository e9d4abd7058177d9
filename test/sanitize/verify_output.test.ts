import { describe, expect, it, vi } from 'vitest';
import { encoders } from '../../src/codecs/registry.ts';
import type { OutputFormat } from '../../src/codecs/types.ts';
import { isolateMemoryPool } from '../../src/core/memory_pool.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { HeapBytes } from '../../src/memory/owned_bytes.ts';
import { SCAN_TIME, SHORT_TIME } from '../../src/sanitize/scan_turns.ts';
import { assertClean } from '../../src/sanitize/verify_output.ts';
import { jobTime } from '../../src/scheduling/time_slice.ts';
import { fixtures } from '../fixtures/metadata/all.ts';
import { photoPicture, rasterOf } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitized } from '../fixtures/sanitized.ts';

const outputs: readonly OutputFormat[] = ['jpeg', 'png', 'webp'];
const unclean = expect.objectContaining({ kind: 'unclean' });
const time = jobTime(() => Promise.resolve());
const verified = (bytes: Uint8Array<ArrayBuffer>) => assertClean(new HeapBytes(bytes), time);

/** A PNG, and what the pool had given out before: encoding one may make the core of its rows grow. */
async function encodedPng() {
  const encode = () => encoders.png.encode(rasterOf(photoPicture(40, 30)), 90, 1 << 26);
  (await encode())[Symbol.dispose]();
  const before = isolateMemoryPool.usedBytes;
  return { output: await encode(), before };
}

describe('assertClean', () => {
  it.each(outputs)('accepts a %s of our encoder, and returns its facts', async (format) => {
    const facts = await verified(await sampleFile(format, photoPicture(40, 30)));
    expect(facts).toMatchObject({ format, width: 40, height: 30, blocks: [] });
  });

  it.each(outputs)('refuses a %s that carries a metadata block', async (format) => {
    const carrying = fixtures[format].whole.filter(({ blocks }) => blocks.length > 0);
    expect(carrying.length).toBeGreaterThan(5);
    for (const { bytes } of carrying) await expect(verified(bytes.slice())).rejects.toThrow(unclean);
  });

  it.each(outputs)('refuses a %s that is cut short or followed by anything', async (format) => {
    const file = await sampleFile(format, photoPicture(40, 30));
    for (const length of [0, 1, 20, file.length - 1]) {
      await expect(verified(file.slice(0, length))).rejects.toThrow(unclean);
    }
    await expect(verified(Uint8Array.of(...file, 1, 2, 3))).rejects.toThrow(unclean);
  });

  it('releases the memory of an output that it refuses', async () => {
    const { output, before } = await encodedPng();
    output.bytes.copyWithin(output.bytes.length - 12, 0, 12);
    await expect(assertClean(output, time)).rejects.toThrow(unclean);
    expect(isolateMemoryPool.usedBytes).toBe(before);
  });

  it('releases an output whose job was aborted before it is scanned', async () => {
    const { output, before } = await encodedPng();
    const spend = () => Promise.reject(new Error('the client has gone'));
    await expect(assertClean(output, { ...time, spend })).rejects.toThrow('the client has gone');
    expect(isolateMemoryPool.usedBytes).toBe(before);
  });

  it('releases a long output whose job was aborted after it is scanned', async () => {
    const bytes = new Uint8Array(Math.ceil(SHORT_TIME / SCAN_TIME) + 1);
    bytes.set((await sampleFile('png', photoPicture(40, 30))).subarray(0, 40));
    const whole: number[] = [];
    const spend = (cost: number) => {
      if (cost >= SHORT_TIME) whole.push(cost);
      return whole.length === 2 ? Promise.reject(new Error('the client has gone')) : undefined;
    };
    const dispose = vi.fn<() => void>();
    const output = Object.assign(new HeapBytes(bytes), { [Symbol.dispose]: dispose });
    await expect(assertClean(output, { ...time, spend })).rejects.toThrow('the client has gone');
    expect(dispose).toHaveBeenCalledOnce();
  });

  it('runs at the end of every job: an output with a metadata block is not sent', async () => {
    const encoder = encoders.png;
    const { encode } = encoder;
    const budget = new MemoryBudget(1 << 28, 4);
    const file = await sampleFile('png', photoPicture(40, 30));
    const run = () => sanitized(file.slice(), { pixelate: { faces: false } }, { budget });
    expect((await run()).report.metadataStripped).toBe(true);
    encoder.encode = async (...args) => {
      const encoded = await encode.apply(encoder, args);
      const { bytes } = fixtures.png.whole.find(({ blocks }) => blocks.includes('text'))!;
      encoded[Symbol.dispose]();
      return new HeapBytes(bytes.slice());
    };
    try {
      await expect(run()).rejects.toThrow(unclean);
    } finally {
      encoder.encode = encode;
    }
    expect(budget.freeBytes).toBe(budget.capacity);
    expect((await run()).report.metadataStripped).toBe(true);
  });
});
