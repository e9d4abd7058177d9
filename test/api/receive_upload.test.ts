import type { Context } from 'hono';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../src/api/env.ts';
import { receiveUpload, reserveForBody } from '../../src/api/receive_upload.ts';
import { isolateRuntime } from '../../src/api/runtime.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';

const MEGABYTE = 1024 * 1024;

describe('reserveForBody', () => {
  const post = (body: ReadableStream, length: number) =>
    new Request('http://test/', {
      method: 'POST',
      headers: { 'Content-Length': String(length) },
      body,
      duplex: 'half',
    } as RequestInit);

  it('reserves little at first, whatever length is declared, in cores or outside', async () => {
    const memories = { limit: 0 };
    const budget = new MemoryBudget(60 * MEGABYTE, 4, { memories });
    const request = post(new ReadableStream(), 20 * MEGABYTE);
    const read = 65_536;
    for (const [image, bytes, outside] of [
      ['in cores', MEGABYTE + 2 * read, 2 * read],
      ['outside', 20 * MEGABYTE + 2 * read, 20 * MEGABYTE + 2 * read],
    ] as const) {
      using memory = await reserveForBody(request, budget, image);
      expect(memory.bytes).toBe(bytes);
      expect(memories.limit).toBe(budget.capacity - outside);
    }
    expect(budget.freeBytes).toBe(budget.capacity);
  });

  it('reads nothing while it waits, and leaves the body alone if the queue is full', async () => {
    const budget = new MemoryBudget(60 * MEGABYTE, 0);
    using _other = await budget.reserve(budget.capacity, 'another job');
    const seen: string[] = [];
    const body = new ReadableStream(
      { pull: () => void seen.push('read'), cancel: () => void seen.push('cancelled') },
      { highWaterMark: 0 },
    );
    await expect(reserveForBody(post(body, 1000), budget, 'in cores')).rejects.toMatchObject({
      kind: 'overloaded',
    });
    expect(seen).toEqual([]);
  });
});

describe('receiveUpload', () => {
  it.each([
    ['text/plain', '10', '', /Content-Type|Expected application\/json/],
    ['image/png', '99999999', '', /25 MB|larger/],
    ['image/png', '10', '?image_url=http://a.test/b.png', /image_url/],
  ])('refuses invalid heads without waiting for memory: %s %s %s', async (type, length, query, message) => {
    let cancelled = false;
    const body = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    const request = new Request(`http://test/${query}`, {
      method: 'POST',
      headers: { 'Content-Type': type, 'Content-Length': length },
      body,
      duplex: 'half',
    } as RequestInit);
    const { budget } = isolateRuntime({ MEMORY_BUDGET_MB: '128' });
    using _all = await budget.reserve(budget.freeBytes, 'all memory');
    const c = { req: { raw: request }, env: { MEMORY_BUDGET_MB: '128' } } as unknown as Context<Env>;
    await expect(receiveUpload(c)).rejects.toThrow(message);
    expect(cancelled).toBe(false);
    expect(request.body!.locked).toBe(false);
    expect(budget.waiting).toBe(0);
  });
});
