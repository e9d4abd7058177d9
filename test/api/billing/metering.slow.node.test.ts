import { connect } from 'node:net';
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

/** Sends a request, disconnects once it is counted, and waits for the refund. */
async function cutAndExpectRefund(ip: string, path: string, length: number): Promise<void> {
  expect(await callsLeft(ip)).toBe(1);
  const socket = connect(runtime.port, '127.0.0.1');
  await new Promise((connected) => socket.once('connect', connected));
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: bare',
    `CF-Connecting-IP: ${ip}`,
    `Content-Length: ${length}`,
  ];
  socket.write([...head, '', length > 0 ? 'beginning' : ''].join('\r\n'));
  await untilCallsLeft(ip, 0);
  socket.resetAndDestroy();
  await untilCallsLeft(ip, 1);
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
