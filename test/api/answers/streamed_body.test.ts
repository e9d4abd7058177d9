import type { Context } from 'hono';
import { describe, expect, it } from 'vitest';
import { streamedBody } from '../../../src/api/answers/streamed_body.ts';
import type { Env } from '../../../src/api/env.ts';

/** A request whose client can disconnect, and the promises that its handler put under `waitUntil`. */
function request() {
  const client = new AbortController();
  const pending: Promise<unknown>[] = [];
  const set: Record<string, unknown> = {};
  const c = {
    set(name: string, value: unknown) {
      set[name] = value;
    },
    req: { raw: { signal: client.signal } },
    executionCtx: { waitUntil: (work: Promise<unknown>) => pending.push(work) },
  } as unknown as Context<Env>;
  return { c, client, set, settled: () => Promise.all(pending) };
}

/** Memory that counts its disposals and is cleared by them; `told` is what it was told of sending. */
function reservedMemory(bytes: Uint8Array, requirePace: () => void = () => {}) {
  const told: number[] = [];
  return {
    bytes,
    disposals: 0,
    told,
    memory: {
      startSending: (length: number) => void told.push(length),
      moved: (count: number) => void told.push(count),
      requirePace,
    },
    [Symbol.dispose]() {
      this.disposals++;
      this.bytes.fill(0);
    },
  };
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('a body streamed from reserved memory', () => {
  it('is complete, and its memory is disposed of once, after the last byte', async () => {
    const { c, set, settled } = request();
    const memory = reservedMemory(new TextEncoder().encode('one two'));
    const chunks = [memory.bytes.subarray(0, 3), memory.bytes.subarray(3)];
    const reader = streamedBody(c, memory, { length: 7, chunks }).getReader();
    expect(text((await reader.read()).value)).toBe('one');
    expect(memory.disposals).toBe(0);
    expect(text((await reader.read()).value)).toBe(' two');
    expect((await reader.read()).done).toBe(true);
    await set.sending;
    expect(memory.disposals).toBe(1);
    await settled();
    expect(memory.disposals).toBe(1);
  });

  it('makes a chunk only when the previous one was read', async () => {
    const { c, client, settled } = request();
    let made = 0;
    function* chunks() {
      for (; made < 100; made++) yield new Uint8Array(1000);
    }
    const memory = reservedMemory(new Uint8Array(1));
    const reader = streamedBody(c, memory, { length: 100_000, chunks: chunks() }).getReader();
    await reader.read();
    await new Promise((later) => setTimeout(later, 20));
    expect(made).toBeLessThan(4);
    client.abort(new Error('gone'));
    await settled();
    expect(memory.disposals).toBe(1);
  });

  it.each(['before the first byte', 'in the middle', 'by cancelling'])(
    'disposes of its memory if the client disconnects %s',
    async (when) => {
      const { c, client, settled } = request();
      const memory = reservedMemory(new Uint8Array(10));
      if (when === 'before the first byte') client.abort(new Error('gone'));
      const body = streamedBody(c, memory, { length: 20, chunks: [memory.bytes, memory.bytes] });
      if (when === 'in the middle') {
        await body.getReader().read();
        client.abort(new Error('gone'));
      }
      if (when === 'by cancelling') await body.cancel();
      await settled();
      expect(memory.disposals).toBe(1);
    },
  );

  it('tells how far its reader has come, 64 KB at a time', async () => {
    const { c, settled } = request();
    const memory = reservedMemory(Uint8Array.from({ length: 150_000 }, (_, index) => index * 7));
    const expected = memory.bytes.slice();
    const body = streamedBody(c, memory, { length: 150_000, chunks: [memory.bytes] });
    expect(memory.told).toEqual([150_000]);
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(expected);
    await settled();
    expect(memory.told).toEqual([150_000, 65_536, 65_536, 18_928]);
  });

  it('breaks off for a reader that is too slow, and gives its memory back', async () => {
    const { c, settled } = request();
    const tooSlow = () => {
      throw new Error('too slow');
    };
    const memory = reservedMemory(new Uint8Array(200_000).fill(7), tooSlow);
    const reader = streamedBody(c, memory, { length: 200_000, chunks: [memory.bytes] }).getReader();
    await settled();
    expect(memory.disposals).toBe(1);
    await expect(reader.read()).rejects.toThrow();
  });

  it('disposes of its memory if a chunk cannot be made', async () => {
    const { c, settled } = request();
    const memory = reservedMemory(new Uint8Array(10));
    function* chunks(): Generator<Uint8Array> {
      yield memory.bytes;
      throw new Error('no more');
    }
    const reader = streamedBody(c, memory, { length: 20, chunks: chunks() }).getReader();
    await reader.read();
    await settled();
    expect(memory.disposals).toBe(1);
  });
});
