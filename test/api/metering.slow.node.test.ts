import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BareRuntime, startBareRuntime } from '../fixtures/bare_runtime.ts';

let runtime: BareRuntime;
beforeAll(async () => {
  runtime = await startBareRuntime('test/api/slow_worker.ts', ['enable_request_signal']);
});
afterAll(() => runtime[Symbol.asyncDispose]());

/** Makes one caller of each test: without Cloudflare in front, the header can be set. */
const caller = (ip: string) => ({ 'CF-Connecting-IP': ip });

/** Places that the caller has left, of 1. */
async function placesLeft(ip: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${runtime.port}/look`, { headers: caller(ip) });
  return Number(answer.headers.get('X-RateLimit-Remaining'));
}

async function untilPlacesLeft(ip: string, wanted: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if ((await placesLeft(ip)) === wanted) return;
    await wait(20);
  }
  throw new Error(`Never ${wanted} left`);
}

test.each([
  ['while the work is done', '192.0.2.1', '/slow?ms=1000', 0],
  ['while it sends', '192.0.2.2', '/upload', 1000],
])('a client that cuts the line %s gets its place back', async (_when, ip, path, length) => {
  await cutAndGetBack(ip, path, length);
});

/** Sends a request, cuts the line once it is counted, and waits until it is not any more. */
async function cutAndGetBack(ip: string, path: string, length: number): Promise<void> {
  expect(await placesLeft(ip)).toBe(1);
  const socket = connect(runtime.port, '127.0.0.1');
  await new Promise((connected) => socket.once('connect', connected));
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: bare',
    `CF-Connecting-IP: ${ip}`,
    `Content-Length: ${length}`,
  ];
  socket.write([...head, '', length > 0 ? 'beginning' : ''].join('\r\n'));
  await untilPlacesLeft(ip, 0);
  socket.resetAndDestroy();
  await untilPlacesLeft(ip, 1);
}

test('a client that stays does not', async () => {
  const ip = '192.0.2.3';
  const address = `http://127.0.0.1:${runtime.port}/slow?ms=0`;
  const answer = await fetch(address, { method: 'POST', headers: caller(ip) });
  expect(answer.status).toBe(200);
  await answer.text();
  // Long enough for another one's place to be given back.
  await cutAndGetBack('192.0.2.4', '/upload', 1000);
  expect(await placesLeft(ip)).toBe(0);
});
