import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BareRuntime, startBareRuntime } from '../fixtures/bare_runtime.ts';
import { issueKey, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { noisePicture } from '../fixtures/raster.ts';

let runtime: BareRuntime;
let address: string;
let key: string;
beforeAll(async () => {
  runtime = await startBareRuntime('src/index.ts', ['enable_request_signal'], {
    ...TEST_SECRETS,
    MEMORY_BUDGET_MB: '128',
  });
  address = `http://127.0.0.1:${runtime.port}`;
  key = await issueKey(address);
});
afterAll(() => runtime[Symbol.asyncDispose]());

/**
 * A client that declares much, sends little and then cuts the line with a reset. From outside nothing tells
 * when the Worker has begun to read, or noticed that the line is cut: both get some time.
 */
async function cutUpload(path: string, type: string): Promise<void> {
  const socket = connect(runtime.port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((connected) => socket.once('connect', connected));
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: bare',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}`,
  ];
  socket.write([...head, 'Content-Length: 25000000', '', '{"jsonrpc":"2.0",'].join('\r\n'));
  await wait(300);
  socket.resetAndDestroy();
  await wait(300);
}

/** A client that has an image sanitized and disconnects when the response begins. */
async function cutAnswer(response: 'binary' | 'json', body: Uint8Array<ArrayBuffer>): Promise<void> {
  const abort = new AbortController();
  const ops = encodeURIComponent(
    JSON.stringify({ pixelate: { faces: false }, output: { format: 'png' }, response }),
  );
  const answer = await fetch(`${address}/v1/sanitize?ops=${ops}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/png', Authorization: `Bearer ${key}` },
    body,
    signal: abort.signal,
  });
  expect(answer.status).toBe(200);
  await answer.body!.getReader().read();
  abort.abort();
  await wait(200);
}

test.each([
  ['/mcp', 'application/json'],
  ['/v1/sanitize', 'image/png'],
  ['/v1/inspect', 'application/json'],
])('a reset while %s reads its body leaks no memory of the isolate', async (path, type) => {
  for (let turn = 0; turn < 4; turn++) await cutUpload(path, type);
  await expectNoLeak();
});

test.each(['binary', 'json'] as const)(
  'a reset while a %s response is sent leaks no memory of the isolate',
  async (response) => {
    const { width, height, pixels } = noisePicture(2000, 1500, 9);
    const picture = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
    const png = new Uint8Array(await picture.png({ compressionLevel: 1 }).toBuffer());
    expect(png.length).toBeGreaterThan(7_000_000);
    for (let turn = 0; turn < 8; turn++) await cutAnswer(response, png);
    await expectNoLeak();
  },
);

/** A body of the largest size can be reserved, which is only possible if no memory was leaked. */
async function expectNoLeak(): Promise<void> {
  const picture = sharp({ create: { width: 40, height: 40, channels: 3, background: '#123' } });
  const png = await picture.png().toBuffer();
  const body = new Uint8Array(24 * 1024 * 1024);
  body.set(png);
  const answer = await fetch(`${address}/v1/inspect`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/png', Authorization: `Bearer ${key}` },
    body,
    signal: AbortSignal.timeout(8000),
  });
  expect(answer.status).toBe(200);
}
