import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_PAGES, MemoryPool, PAGE_BYTES } from '../../src/core/memory_pool.ts';

/** A memory grown to so many pages and full of sevens. */
function used(memories: MemoryPool, pages: number, expected = 0): WebAssembly.Memory {
  const memory = memories.take(expected);
  const more = pages - memory.buffer.byteLength / PAGE_BYTES;
  if (more > 0) memory.grow(more);
  new Uint8Array(memory.buffer).fill(7);
  return memory;
}

const pagesOf = (memory: WebAssembly.Memory) => memory.buffer.byteLength / PAGE_BYTES;

describe('memories of cores', () => {
  it('come back as zeros, and old views of them are detached', () => {
    const memories = new MemoryPool();
    const memory = used(memories, 5);
    const view = new Uint8Array(memory.buffer, 100, 50);
    memories.giveBack(memory, 5 * PAGE_BYTES);
    expect(view.length).toBe(0);
    const again = memories.take(0);
    expect(again).toBe(memory);
    expect(pagesOf(again)).toBe(5);
    expect(new Uint8Array(again.buffer).every((byte) => byte === 0)).toBe(true);
  });

  it('are chosen by what is expected: the smallest that has it, else the largest that has less, else a new one', () => {
    const memories = new MemoryPool();
    const made = [3, 30, 10].map((pages) => used(memories, pages));
    for (const memory of made) memories.giveBack(memory, memory.buffer.byteLength);
    expect(pagesOf(memories.take(4 * PAGE_BYTES))).toBe(10);
    expect(pagesOf(memories.take(50 * PAGE_BYTES))).toBe(30);
    expect(pagesOf(memories.take(0))).toBe(3);
    expect(pagesOf(memories.take(0))).toBe(INITIAL_PAGES);
  });

  it('are not taken where far less is expected', () => {
    const memories = new MemoryPool(1000 * PAGE_BYTES);
    const made = [500, 150].map((pages) => used(memories, pages));
    for (const memory of made) memories.giveBack(memory, memory.buffer.byteLength);
    // Half as much again is taken, or 128 pages more; what has less grows.
    expect(pagesOf(memories.take(200 * PAGE_BYTES))).toBe(150);
    expect(pagesOf(memories.take(10 * PAGE_BYTES))).toBe(INITIAL_PAGES);
    expect(pagesOf(memories.take(340 * PAGE_BYTES))).toBe(500);
  });

  it('stay within the limit whatever is taken, grown and given back; those in use are never dropped', () => {
    const steps = fc.array(
      fc.record({ give: fc.boolean(), pages: fc.integer({ min: 2, max: 40 }), at: fc.nat() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 100 }), (turns, limit) => {
        const memories = new MemoryPool(limit * PAGE_BYTES);
        const inUse: WebAssembly.Memory[] = [];
        for (const { give, pages, at } of turns) {
          if (give && inUse.length > 0) {
            const [memory] = inUse.splice(at % inUse.length, 1);
            memories.giveBack(memory!, memory!.buffer.byteLength);
          } else {
            inUse.push(used(memories, pages));
            memories.keepLimit();
          }
          const held = inUse.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
          expect(memories.usedBytes).toBe(held);
          expect(memories.idleBytes).toBeLessThanOrEqual(Math.max(0, limit * PAGE_BYTES - held));
        }
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it('are dropped at once where the limit falls', () => {
    const memories = new MemoryPool();
    const made = [3, 30, 10].map((pages) => used(memories, pages));
    for (const memory of made) memories.giveBack(memory, memory.buffer.byteLength);
    memories.limit = 14 * PAGE_BYTES;
    expect(memories.idleBytes).toBe(13 * PAGE_BYTES);
    expect(memories.usedBytes).toBe(0);
  });

  it('are collected once 8 MB of them were dropped, since the runtime does not count them', () => {
    const memories = new MemoryPool(0);
    let collected = 0;
    memories.collect = () => {
      collected++;
    };
    // Each is dropped as it is given back.
    for (let turn = 0; turn < 20; turn++) memories.giveBack(used(memories, 16), 0);
    expect(memories.idleBytes).toBe(0);
    expect(collected).toBe(2);
  });
});
