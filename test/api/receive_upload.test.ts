import type { Context } from 'hono';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../src/api/env.ts';
import { readMessage } from '../../src/api/mcp/read_message.ts';
import { receiveBody, receiveUpload, reserveForBody } from '../../src/api/receive_upload.ts';
import { isolateRuntime } from '../../src/api/runtime.ts';
import { MemoryBudget } from '../../src/memory/budget.ts';
import { jobTime, nextTurn } from '../../src/scheduling/time_slice.ts';

const MEGABYTE = 1024 * 1024;

const post = (body: ReadableStream, length: number) =>
  new Request('http://test/', {
    method: 'POST',
    headers: { 'Content-Length': String(length) },
    body,
    duplex: 'half',
  } as RequestInit);

describe('reserveForBody', () => {
  it('reserves little at first, whatever length is declared', async () => {
    const memories = { limit: 0 };
    const budget = new MemoryBudget(60 * MEGABYTE, 4, { memories });
    const request = post(new ReadableStream(), 20 * MEGABYTE);
    const read = 65_536;
    const memory = await reserveForBody(request, { budget });
    expect(memory.bytes).toBe(MEGABYTE + 2 * read);
    expect(memories.limit).toBe(budget.capacity - 2 * read);
    memory[Symbol.dispose]();
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
    await expect(reserveForBody(post(body, 1000), { budget })).rejects.toMatchObject({
      kind: 'overloaded',
    });
    expect(seen).toEqual([]);
  });
});

describe('receiveBody', () => {
  it.each([false, true])(
    'tells the thread whose call it is: ten of one caller had ten times what others had (no key: %s)',
    async (isAnonymous) => {
      const budget = new MemoryBudget(60 * MEGABYTE, 4);
      const taken = { many: 0, other: 0 };
      let isOver = false;
      const work = async (whose: keyof typeof taken, id: string) => {
        const request = post(new Blob(['body']).stream(), 4);
        const caller = { id, isAnonymous: isAnonymous && whose === 'many' };
        const sharing = { budget, caller };
        using _received = await receiveBody(request, sharing, async () => ({ image: undefined }));
        const time = jobTime(nextTurn, request.signal);
        time.announce(1e9);
        for (; !isOver; taken[whose]++) await time.spend(1e7);
      };
      const jobs = Array.from({ length: 10 }, (_, n) => work('many', isAnonymous ? `network ${n}` : 'many'));
      jobs.push(work('other', 'other'));
      for (let round = 0; round < 100; round++) await nextTurn();
      isOver = true;
      await Promise.all(jobs);
      expect(taken.many).toBeLessThan(1.5 * taken.other);
    },
  );

  it('holds of a tool call what has come, not what is declared, and gives it back', async () => {
    const budget = new MemoryBudget(60 * MEGABYTE, 4);
    let sent = 0;
    let end = () => {};
    const ended = new Promise<void>((done) => {
      end = done;
    });
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent === 2 * MEGABYTE) {
          await ended;
          controller.error(new Error('gone'));
          return;
        }
        const piece = new Uint8Array(65_536).fill(0x41);
        if (sent === 0) piece.set(new TextEncoder().encode('{"params":{"arguments":{"image":"'));
        sent += piece.length;
        controller.enqueue(piece);
      },
    });
    const request = post(body, 30 * MEGABYTE);
    const received = receiveBody(request, { budget }, (sink, gate) =>
      readMessage(request, sink, gate, async () => undefined),
    );
    while (sent < 2 * MEGABYTE) await new Promise((done) => setTimeout(done));
    expect(budget.capacity - budget.freeBytes).toBeLessThan(5 * MEGABYTE);
    end();
    await expect(received).rejects.toMatchObject({ code: 'bad_request' });
    expect(budget.freeBytes).toBe(budget.capacity);
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
