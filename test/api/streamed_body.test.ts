import type { Context } from 'hono';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../src/api/env.ts';
import { base64Between } from '../../src/api/envelope.ts';
import { streamedBody } from '../../src/api/streamed_body.ts';

/** A request whose client can go, and what its handler leaves to be waited for. */
function request() {
  const client = new AbortController();
  const left: Promise<unknown>[] = [];
  const c = {
    req: { raw: { signal: client.signal } },
    executionCtx: { waitUntil: (work: Promise<unknown>) => left.push(work) },
  } as unknown as Context<Env>;
  return { c, client, settled: () => Promise.all(left) };
}

/** Memory that is emptied when it is given back. */
function memory(bytes: Uint8Array) {
  return {
    bytes,
    givenBack: 0,
    [Symbol.dispose]() {
      this.givenBack++;
      this.bytes.fill(0);
    },
  };
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('a body read from held memory', () => {
  it('is whole, and the memory is given back once, after its last byte', async () => {
    const { c, settled } = request();
    const held = memory(new TextEncoder().encode('one two'));
    const pieces = [held.bytes.subarray(0, 3), held.bytes.subarray(3)];
    const reader = streamedBody(c, held, { length: 7, pieces }).getReader();
    expect(text((await reader.read()).value)).toBe('one');
    expect(held.givenBack).toBe(0);
    expect(text((await reader.read()).value)).toBe(' two');
    expect((await reader.read()).done).toBe(true);
    await settled();
    expect(held.givenBack).toBe(1);
  });

  it('makes a piece only when the one before is read', async () => {
    const { c, client, settled } = request();
    let made = 0;
    function* pieces() {
      for (; made < 100; made++) yield new Uint8Array(1000);
    }
    const held = memory(new Uint8Array(1));
    const reader = streamedBody(c, held, { length: 100_000, pieces: pieces() }).getReader();
    await reader.read();
    await new Promise((later) => setTimeout(later, 20));
    expect(made).toBeLessThan(4);
    client.abort(new Error('gone'));
    await settled();
    expect(held.givenBack).toBe(1);
  });

  it.each(['before', 'in the middle', 'by cancelling'])(
    'gives back when the client goes %s',
    async (when) => {
      const { c, client, settled } = request();
      const held = memory(new Uint8Array(10));
      if (when === 'before') client.abort(new Error('gone'));
      const body = streamedBody(c, held, { length: 20, pieces: [held.bytes, held.bytes] });
      if (when === 'in the middle') {
        await body.getReader().read();
        client.abort(new Error('gone'));
      }
      if (when === 'by cancelling') await body.cancel();
      await settled();
      expect(held.givenBack).toBe(1);
    },
  );

  it('gives back when a piece cannot be made', async () => {
    const { c, settled } = request();
    const held = memory(new Uint8Array(10));
    function* pieces(): Generator<Uint8Array> {
      yield held.bytes;
      throw new Error('no more');
    }
    const reader = streamedBody(c, held, { length: 20, pieces: pieces() }).getReader();
    await reader.read();
    await settled();
    expect(held.givenBack).toBe(1);
  });
});

describe('base64 between texts', () => {
  it.each([0, 1, 2, 3, 196_607, 196_608, 196_609, 500_000])(
    'is as long as it says, of %i bytes',
    (length) => {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) & 255);
      const made = base64Between('{"é":"', bytes, '"}');
      const whole = [...made.pieces].map(text).join('');
      expect(new TextEncoder().encode(whole).length).toBe(made.length);
      expect(whole).toBe(`{"é":"${bytes.toBase64()}"}`);
    },
  );
});
