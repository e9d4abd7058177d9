import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Env } from '../../../src/api/env.ts';
import { drainUnreadBody } from '../../../src/api/middleware/drain_unread_body.ts';
import { sent } from '../body/bodies.ts';

const app = new Hono<Env>();
app.use(drainUnreadBody);
app.post('/refused', (c) => c.text('no', 400));
app.post('/read', async (c) => c.text(await c.req.text()));
app.post('/locked', (c) => {
  c.req.raw.body!.getReader();
  return c.text('no', 400);
});

function post(path: string, headers: Record<string, string> = {}) {
  const body = sent(Array.from({ length: 5 }, () => new Uint8Array(10).fill(65)));
  const init = { method: 'POST', body: body.stream, headers, duplex: 'half' } as RequestInit;
  return { ...body, answer: app.request(path, init) };
}

test('what a handler left is taken before it is answered, and never cancelled', async () => {
  const { answer, chunksTaken, cancelled } = post('/refused');
  expect((await answer).status).toBe(400);
  expect([chunksTaken(), cancelled()]).toEqual([5, false]);
});

test('a body that was read is let be', async () => {
  expect(await (await post('/read').answer).text()).toBe('A'.repeat(50));
});

test('a body that another reader holds is let be', async () => {
  const { answer, chunksTaken } = post('/locked');
  expect((await answer).status).toBe(400);
  expect(chunksTaken()).toBe(0);
});

test('of a body too long to be taken nothing is taken', async () => {
  const { answer, chunksTaken } = post('/refused', { 'Content-Length': String(65 * 1024 * 1024) });
  expect((await answer).status).toBe(400);
  expect(chunksTaken()).toBe(0);
});
