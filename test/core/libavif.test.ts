import { expect, it } from 'vitest';
import { decodeByLibavif } from '../../src/core/libavif.ts';
import { isolateMemoryPool, PAGE_BYTES } from '../../src/core/memory_pool.ts';
import { Fault } from '../../src/faults.ts';
import { greenOverRed, resizedGreenOverRed } from '../fixtures/green_over_red.ts';

const ENOUGH = 20 * 1024 * 1024;
const file = greenOverRed();

it('decodes a file that is given in parts', () => {
  const parts = [file.subarray(0, 50), file.subarray(50, 51), file.subarray(51)];
  using frame = decodeByLibavif(parts, ENOUGH)!;
  expect(frame).toMatchObject({ width: 32, height: 16 });
  const pixel = [0, 255, 1, 255];
  expect([...frame.pixels]).toEqual(Array.from({ length: 32 * 16 }, () => pixel).flat());
});

it('leaves nothing of a file in the memory that it gives back', () => {
  const { limit, usedBytes } = isolateMemoryPool;
  isolateMemoryPool.limit = 2 * ENOUGH;
  const frame = decodeByLibavif([file], ENOUGH)!;
  frame[Symbol.dispose]();
  expect(frame.pixels).toHaveLength(0);
  expect(isolateMemoryPool.usedBytes).toBe(usedBytes);
  const memory = isolateMemoryPool.take(ENOUGH);
  expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(16 * 1024 * 1024);
  expect(new BigUint64Array(memory.buffer).every((word) => word === 0n)).toBe(true);
  isolateMemoryPool.giveBack(memory, 0);
  isolateMemoryPool.limit = limit;
});

it('idle memories are dropped for what it grows to', () => {
  const { limit } = isolateMemoryPool;
  isolateMemoryPool.limit = isolateMemoryPool.usedBytes + 2.5 * ENOUGH;
  const idle = isolateMemoryPool.take(2 * ENOUGH);
  idle.grow((2 * ENOUGH - idle.buffer.byteLength) / PAGE_BYTES);
  isolateMemoryPool.giveBack(idle, 0);
  expect(isolateMemoryPool.idleBytes).toBe(2 * ENOUGH);
  using _frame = decodeByLibavif([file], ENOUGH)!;
  const held = isolateMemoryPool.idleBytes + isolateMemoryPool.usedBytes;
  expect(held).toBeLessThanOrEqual(isolateMemoryPool.limit);
  isolateMemoryPool.limit = limit;
});

it.each([
  ['no file', new Uint8Array(0)],
  ['what is no AVIF', new TextEncoder().encode('hello, this is no image')],
  ['half a file', file.subarray(0, file.length - 30)],
  ['data that are wrong', file.slice().fill(0x55, -12)],
])('%s gives no picture', (_, bytes) => {
  expect(decodeByLibavif([bytes], ENOUGH)).toBeUndefined();
});

it('needs no more memory than it may have', () => {
  const size = { width: 1500, height: 1500 };
  const large = greenOverRed({ obus: resizedGreenOverRed(1500, 1500), ...size });
  const before = isolateMemoryPool.usedBytes;
  let fault: unknown;
  try {
    decodeByLibavif([large], ENOUGH);
  } catch (error) {
    fault = error;
  }
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ kind: 'limit' });
  expect(isolateMemoryPool.usedBytes).toBe(before);
});
