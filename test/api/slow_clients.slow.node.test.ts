import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalWorker, startLocalWorker } from '../fixtures/local_worker.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { RawClient } from '../fixtures/raw_client.ts';

/** About 42 MB for jobs. */
const MEMORY_BUDGET_MB = '100';
/** What a call may wait for memory, and what these small jobs take on a busy machine. */
const MOST_MS = 20_000 + 10_000;

const noFaces = { faces: false };
const toPng = encodeURIComponent(JSON.stringify({ pixelate: noFaces, output: { format: 'png' } }));
const toJpeg = encodeURIComponent(JSON.stringify({ pixelate: noFaces }));

let worker: LocalWorker;
let headers: Record<string, string>;
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
  headers = { Authorization: `Bearer ${await worker.issueKey()}`, 'Content-Type': 'image/jpeg' };
});

afterAll(async () => worker?.[Symbol.asyncDispose]());

/** One call as it should be. @returns how long it took, in milliseconds */
async function honestCall(photo: Buffer<ArrayBuffer>, ops: string): Promise<number> {
  const from = performance.now();
  const answer = await fetch(`${worker.address}/v1/sanitize?ops=${ops}`, {
    method: 'POST',
    headers,
    body: photo,
    signal: AbortSignal.timeout(MOST_MS),
  });
  const body = await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${answer.status} ${new TextDecoder().decode(body)}`);
  return performance.now() - from;
}

it('six clients that stop reading their answers keep nobody from being served', async () => {
  const stalled: RawClient[] = [];
  try {
    for (let client = 0; client < 6; client++) {
      const length = { 'Content-Length': String(large.length) };
      const one = await RawClient.post(worker.address, `/v1/sanitize?ops=${toPng}`, {
        ...headers,
        ...length,
      });
      stalled.push(one);
      one.send(large);
      await one.untilAnswered();
      expect(one.status).toBe(200);
      one.stopReading();
    }
    for (let call = 0; call < 4; call++) {
      expect(await honestCall(large, toPng)).toBeLessThan(MOST_MS);
      expect(await honestCall(small, toJpeg)).toBeLessThan(MOST_MS);
    }
  } finally {
    for (const one of stalled) one[Symbol.dispose]();
  }
});

it('a trickling upload of declared 25 MB and two that send one byte keep nobody from being served', async () => {
  const declared = { ...headers, 'Content-Length': String(25 * 1024 * 1024) };
  const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
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
    await honestCall(small, toJpeg);
    const took: number[] = [];
    for (let call = 0; call < 10; call++) took.push(await honestCall(small, toJpeg));
    // Before, each had to wait until the slow ones were given up, 10 s or more.
    expect(took.sort((a, b) => a - b)[5]).toBeLessThan(2000);
    expect(await honestCall(large, toPng)).toBeLessThan(MOST_MS);
  } finally {
    clearInterval(trickling);
    for (const one of clients) one[Symbol.dispose]();
  }
});
