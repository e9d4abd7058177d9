import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BareRuntime, startBareRuntime } from '../fixtures/bare_runtime.ts';
import { issueKey, type LocalWorker, startLocalWorker, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { RawClient } from '../fixtures/raw_client.ts';

/** About 42 MB for jobs. */
const MEMORY_BUDGET_MB = '70';
/** What a call may wait for memory, and what these small jobs take on a busy machine. */
const MOST_MS = 20_000 + 10_000;

const noFaces = { faces: false };
const toPng = encodeURIComponent(JSON.stringify({ pixelate: noFaces, output: { format: 'png' } }));
const toJpeg = encodeURIComponent(JSON.stringify({ pixelate: noFaces }));

let worker: LocalWorker;
/** The same without the development server, which holds 13 MB of an answer that nobody reads. */
let runtime: BareRuntime;
let bare: string;
const headers = new Map<string, Record<string, string>>();
/** A JPEG whose PNG is larger than what the system buffers for a connection, and a small one. */
let large: Buffer<ArrayBuffer>;
let small: Buffer<ArrayBuffer>;

async function noisyPhoto(width: number, height: number) {
  const { pixels } = photoPicture(width, height, 5);
  for (let at = 0; at < pixels.length; at++) pixels[at] = pixels[at]! ^ ((at * 2654435761) >>> 29);
  const photo = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  return (await photo.jpeg({ quality: 95 }).toBuffer()) as Buffer<ArrayBuffer>;
}

beforeAll(async () => {
  [large, small] = await Promise.all([noisyPhoto(2800, 2100), noisyPhoto(800, 600)]);
  worker = await startLocalWorker({ MEMORY_BUDGET_MB });
  runtime = await startBareRuntime('src/index.ts', ['enable_request_signal'], {
    ...TEST_SECRETS,
    MEMORY_BUDGET_MB,
  });
  bare = `http://127.0.0.1:${runtime.port}`;
  // Each knows the keys that it has issued.
  for (const address of [worker.address, bare]) {
    headers.set(address, {
      Authorization: `Bearer ${await issueKey(address)}`,
      'Content-Type': 'image/jpeg',
    });
  }
});

afterAll(async () => {
  await worker?.[Symbol.asyncDispose]();
  await runtime?.[Symbol.asyncDispose]();
});

/** One call as it should be, answered in time. */
async function sanitized(address: string, photo: Buffer<ArrayBuffer>, ops: string): Promise<Buffer> {
  const answer = await fetch(`${address}/v1/sanitize?ops=${ops}`, {
    method: 'POST',
    headers: headers.get(address)!,
    body: photo,
    signal: AbortSignal.timeout(MOST_MS),
  });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${answer.status} ${body}`);
  return body;
}

it('six clients that stop reading their answers keep nobody from being served', async () => {
  const alone = await sanitized(bare, large, toPng);
  const stalled: RawClient[] = [];
  try {
    for (let client = 0; client < 6; client++) {
      const length = { 'Content-Length': String(large.length) };
      const one = await RawClient.post(bare, `/v1/sanitize?ops=${toPng}`, {
        ...headers.get(bare),
        ...length,
      });
      stalled.push(one);
      one.send(large);
      await one.untilAnswered();
      expect(one.status).toBe(200);
      one.stopReading();
    }
    for (let call = 0; call < 3; call++) {
      expect(Buffer.compare(await sanitized(bare, large, toPng), alone)).toBe(0);
      await sanitized(bare, small, toJpeg);
    }
    // Who lost his memory gets no more of the answer, and nothing that came into that memory later.
    let cut = 0;
    await Promise.all(stalled.map((one) => one.readOn(1000)));
    for (const { body } of stalled) {
      expect(Buffer.compare(body, alone.subarray(0, body.length))).toBe(0);
      cut += Number(body.length < alone.length);
    }
    expect(cut).toBeGreaterThan(0);
  } finally {
    for (const one of stalled) one[Symbol.dispose]();
  }
});

it('a trickling upload of declared 25 MB and two that send one byte keep nobody from being served', async () => {
  const declared = { ...headers.get(worker.address), 'Content-Length': String(25 * 1024 * 1024) };
  const chunked = { ...headers.get(worker.address), 'Transfer-Encoding': 'chunked' };
  const path = `/v1/sanitize?ops=${toJpeg}`;
  const clients = await Promise.all([
    RawClient.post(worker.address, path, declared),
    RawClient.post(worker.address, path, chunked),
    RawClient.post(worker.address, path, chunked),
  ]);
  clients[1].send('1\r\nx\r\n');
  clients[2].send('1\r\nx\r\n');
  const trickling = setInterval(() => clients[0].send(small.subarray(0, 900)), 100);
  try {
    for (let call = 0; call < 10; call++) await sanitized(worker.address, small, toJpeg);
    await sanitized(worker.address, large, toPng);
  } finally {
    clearInterval(trickling);
    for (const one of clients) one[Symbol.dispose]();
  }
});
