import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalWorker, startLocalWorker } from '../fixtures/local_worker.ts';

let worker: LocalWorker;
beforeAll(async () => {
  worker = await startLocalWorker();
});
afterAll(() => worker[Symbol.asyncDispose]());

/** Sends the head and the beginning of an upload, and then cuts the line. */
async function breakOffUpload(key: string): Promise<void> {
  const { hostname, port } = new URL(worker.address);
  const socket = connect(Number(port), hostname);
  await new Promise((connected) => socket.once('connect', connected));
  const head = ['POST /v1/inspect HTTP/1.1', `Host: ${hostname}`, `Authorization: Bearer ${key}`];
  socket.write([...head, 'Content-Type: image/png', 'Content-Length: 1000000', '', 'beginning'].join('\r\n'));
  await untilUsage(key, (usage) => usage.calls === 1);
  socket.resetAndDestroy();
}

interface Usage {
  readonly calls: number;
  readonly remaining: number;
}

async function usageOf(key: string): Promise<Usage> {
  const answer = await fetch(`${worker.address}/v1/usage`, { headers: { Authorization: `Bearer ${key}` } });
  const { calls } = (await answer.json()) as { calls: number };
  return { calls, remaining: Number(answer.headers.get('X-RateLimit-Remaining')) };
}

async function untilUsage(key: string, isReached: (usage: Usage) => boolean): Promise<Usage> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const usage = await usageOf(key);
    if (isReached(usage)) return usage;
    await wait(50);
  }
  throw new Error(`Usage stays at ${JSON.stringify(await usageOf(key))}`);
}

test('a client that cuts the line while it sends gets its place back', async () => {
  const key = await worker.issueKey('pro');
  await breakOffUpload(key);
  expect(await untilUsage(key, ({ calls }) => calls === 0)).toEqual({ calls: 0, remaining: 60 });
});
