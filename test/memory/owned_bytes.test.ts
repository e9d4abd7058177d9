import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { isolateMemoryPool } from '../../src/core/memory_pool.ts';
import { bytesOf } from '../../src/memory/image_file.ts';
import { CoreBytes, detachedCopy, disposeOf, HeapBytes } from '../../src/memory/owned_bytes.ts';

const MEGABYTE = 1 << 20;

describe('bytes in a core', () => {
  it('keep their core, outlive it as a copy, and are gone once disposed of', async () => {
    const core = createCore();
    const inside = CoreBytes.allocate(core, 1000);
    inside.bytes.fill(7);
    const view = inside.bytes;
    expect([inside.retainedBytes, inside.outsideCores]).toEqual([core.heldBytes, 0]);
    const copy = await detachedCopy(inside);
    inside[Symbol.dispose]();
    inside[Symbol.dispose]();
    expect(core.disposed).toBe(true);
    expect([view.length, inside.bytes.length]).toEqual([0, 0]);
    expect(copy).toEqual(new Uint8Array(1000).fill(7));
  });

  it('are copied in parts, between which others may run, or give it up', async () => {
    using inside = CoreBytes.allocate(createCore(), 10 * MEGABYTE + 3);
    inside.bytes.forEach((_byte, at, bytes) => {
      bytes[at] = at * 7;
    });
    const parts: number[] = [];
    const copy = await detachedCopy(inside, async (bytes) => void parts.push(bytes));
    expect(parts).toEqual([4 * MEGABYTE, 4 * MEGABYTE, 2 * MEGABYTE + 3]);
    expect(Buffer.compare(copy, inside.bytes)).toBe(0);
    const gone = detachedCopy(inside, () => Promise.reject(new Error('gone')));
    await expect(gone).rejects.toThrow('gone');
  });

  it('are found where they are after their memory has grown', () => {
    using core = createCore();
    using file = CoreBytes.allocate(core, 1000);
    file.bytes.fill(9);
    const before = file.bytes;
    core.alloc(10_000_000);
    expect(before.length).toBe(0);
    expect(file.bytes).toEqual(new Uint8Array(1000).fill(9));
  });

  it('move to a roomier memory where one is idle, and only there', () => {
    for (const [idle, expected, isMoved] of [
      [20, 20, true],
      [20, 25, true],
      [20, 40, false],
      [20, 3, false],
      [40, 20, false],
    ] as const) {
      isolateMemoryPool.limit = 0;
      isolateMemoryPool.limit = 128 * MEGABYTE;
      const first = createCore();
      using file = CoreBytes.allocate(first, 2 * MEGABYTE);
      file.bytes.fill(7);
      const view = file.bytes;
      const left = createCore();
      left.alloc(idle * MEGABYTE);
      left[Symbol.dispose]();
      file.moveToRoomier(expected * MEGABYTE);
      expect([first.disposed, file.core === first]).toEqual([isMoved, !isMoved]);
      expect(file.bytes.length).toBe(2 * MEGABYTE);
      expect(file.bytes.every((byte) => byte === 7)).toBe(true);
      expect(view.length).toBe(isMoved ? 0 : file.length);
    }
    isolateMemoryPool.limit = 16 * MEGABYTE;
  });
});

describe('bytes of the heap', () => {
  it('keep all of their buffer, and are handed on as they are', async () => {
    const bytes = new Uint8Array(new ArrayBuffer(1000), 100, 200);
    const owned = new HeapBytes(bytes);
    expect([owned.retainedBytes, owned.outsideCores]).toEqual([1000, 1000]);
    expect(await detachedCopy(owned)).toBe(bytes);
    disposeOf(owned);
    expect(owned.bytes.length).toBe(0);
  });

  it('may be nobody’s: a plain array is a file, and nothing happens to it', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    expect(bytesOf(bytes)).toBe(bytes);
    disposeOf(bytes);
    expect([...bytes]).toEqual([1, 2, 3]);
  });
});
