import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { toApiError } from '../../src/api/answers/errors.ts';
import type { Env } from '../../src/api/env.ts';
import { receiveCall } from '../../src/api/receive_call.ts';
import { isolateRuntime } from '../../src/api/runtime.ts';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';

const env = { MEMORY_BUDGET_MB: '128', CALLER_HASH_SECRET: 'of this test, long enough' };

/** Sends a call with such ops. @param isSame whether its idempotency key is of this picture */
async function send(ops: object, isSame = true) {
  const asked: string[] = [];
  const app = new Hono<Env>().post('/', async (c) => {
    c.set('retriedCall', {
      hash: 1,
      isSame: async () => {
        asked.push('content');
        return isSame;
      },
    });
    try {
      using call = await receiveCall(c, 'sanitize', sanitizeOpsSchema);
      return c.json({ quality: call.ops.output.quality, held: isolateRuntime(env).budget.freeBytes });
    } catch (error) {
      return c.json({ code: toApiError(error).code });
    }
  });
  const url = `/?ops=${encodeURIComponent(JSON.stringify(ops))}`;
  const headers = { 'Content-Type': 'image/png', 'CF-Connecting-IP': '192.0.2.1' };
  const answer = await app.request(url, { method: 'POST', headers, body: new Uint8Array(1000) }, env);
  return { asked, answer: await answer.json() };
}

describe('receiving a call', () => {
  it('gives its ops with defaults, once its idempotency key is known to be of this picture', async () => {
    const { budget } = isolateRuntime(env);
    const { answer, asked } = await send({ output: { quality: 40 } });
    expect(answer).toMatchObject({ quality: 40 });
    expect((answer as { held: number }).held).toBeLessThan(budget.capacity);
    expect(asked).toEqual(['content']);
    expect(budget.freeBytes).toBe(budget.capacity);
  });

  it('holds no memory after a refusal: of its ops, or of another picture under its key', async () => {
    const { budget } = isolateRuntime(env);
    expect(await send({ output: { quality: 0 } })).toEqual({ asked: [], answer: { code: 'invalid_ops' } });
    expect((await send({}, false)).answer).toEqual({ code: 'idempotency_key_reused' });
    expect(budget.freeBytes).toBe(budget.capacity);
  });
});
