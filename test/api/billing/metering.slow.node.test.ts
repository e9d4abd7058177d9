import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BareRuntime, startBareRuntime } from '../../fixtures/bare_runtime.ts';

let runtime: BareRuntime;
beforeAll(async () => {
  runtime = await startBareRuntime('test/api/slow_worker.ts', ['enable_request_signal'], {
    TRUSTED_PROXY_HEADER: 'CF-Connecting-IP',
  });
});
afterAll(() => runtime[Symbol.asyncDispose]());

/** The caller of one test. */
const caller = (ip: string) => ({ 'CF-Connecting-IP': ip });

/** Calls that the caller has left, of 1. */
async function callsLeft(ip: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${runtime.port}/look`, { headers: caller(ip) });
  return Number(answer.headers.get('X-RateLimit-Remaining'));
}

async function untilCallsLeft(ip: string, wanted: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if ((await callsLeft(ip)) === wanted) return;
    await wait(20);
  }
  throw new Error(`Never ${wanted} left`);
}

test.each([
  ['during the work', '192.0.2.1', '/slow?ms=1000', 0],
  ['during the upload', '192.0.2.2', '/upload', 1000],
])('a call is refunded if the client disconnects %s', async (_when, ip, path, length) => {
  await cutAndExpectRefund(ip, path, length);
});

test.each([
  ['during the work', '192.0.2.5', '/slow?ms=1000', 0],
  ['during the upload', '192.0.2.6', '/upload', 1000],
])(
  'over a Unix socket a call is refunded if the client just closes it %s',
  async (_when, ip, path, length) => {
    const socket = await sendCounted({ path: runtime.socket }, ip, path, length);
    socket.destroy();
    await untilCallsLeft(ip, 1);
  },
);

// As api.md and deploying.md say: should this fail, the runtime has learned to tell.
test('over TCP the runtime tells nothing of a client that just closes during the work', async () => {
  const { port } = runtime;
  (await sendCounted({ port }, '192.0.2.7', '/slow?ms=300', 0)).destroy();
  await wait(600);
  expect(await callsLeft('192.0.2.7')).toBe(0);
  (await sendCounted({ port }, '192.0.2.8', '/upload', 1000)).destroy();
  await untilCallsLeft('192.0.2.8', 1);
});

/** Sends a request, disconnects once it is counted, and waits for the refund. */
async function cutAndExpectRefund(ip: string, path: string, length: number): Promise<void> {
  const socket = await sendCounted({ port: runtime.port }, ip, path, length);
  socket.resetAndDestroy();
  await untilCallsLeft(ip, 1);
}

/** Sends a request or its beginning, and waits until it is counted. */
async function sendCounted(
  to: { readonly port: number } | { readonly path: string },
  ip: string,
  path: string,
  length: number,
): Promise<Socket> {
  expect(await callsLeft(ip)).toBe(1);
  const socket = connect('port' in to ? { ...to, host: '127.0.0.1' } : to);
  await new Promise((connected) => socket.once('connect', connected));
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: bare',
    `CF-Connecting-IP: ${ip}`,
    `Content-Length: ${length}`,
  ];
  socket.write([...head, '', length > 0 ? 'beginning' : ''].join('\r\n'));
  await untilCallsLeft(ip, 0);
  return socket;
}

test('a call is not refunded if the client stays', async () => {
  const ip = '192.0.2.3';
  const address = `http://127.0.0.1:${runtime.port}/slow?ms=0`;
  const answer = await fetch(address, { method: 'POST', headers: caller(ip) });
  expect(answer.status).toBe(200);
  await answer.text();
  // Long enough for another client's refund.
  await cutAndExpectRefund('192.0.2.4', '/upload', 1000);
  expect(await callsLeft(ip)).toBe(0);
});
