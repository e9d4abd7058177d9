import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalWorker, startLocalWorker } from '../fixtures/local_worker.ts';
import { photoPicture } from '../fixtures/raster.ts';

/** Different photographs, each a job of nearly half of the deployment's job memory. */
const PHOTOS = 6;
const WIDTH = 1400;
const HEIGHT = 1000;
const ops = encodeURIComponent(
  JSON.stringify({ pixelate: { faces: false, regions: [{ x: 100, y: 100, w: 300, h: 200 }] } }),
);

let worker: LocalWorker;
let key: string;
let photos: Uint8Array<ArrayBuffer>[];
let alone: Uint8Array[];

beforeAll(async () => {
  photos = await Promise.all(
    Array.from({ length: PHOTOS }, async (_, seed) => {
      const { pixels } = photoPicture(WIDTH, HEIGHT, seed + 1);
      const photo = sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } }).removeAlpha();
      return new Uint8Array(await photo.jpeg({ progressive: seed % 2 === 1 }).toBuffer());
    }),
  );
  // 12 MB for jobs of 6 MB each: they wait for one another, since the others' files are there, too.
  worker = await startLocalWorker({ MEMORY_BUDGET_MB: '40' });
  key = await worker.issueKey();
  alone = [];
  for (const photo of photos) alone.push(await clean(photo));
});

afterAll(async () => worker?.[Symbol.asyncDispose]());

const post = (photo: Uint8Array<ArrayBuffer>, signal?: AbortSignal) =>
  fetch(`${worker.address}/v1/sanitize?ops=${ops}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` },
    body: photo,
    ...(signal && { signal }),
  });

/** What a client does that is told to come back: those who have just left may still be in the queue. */
async function afterOverload(photo: Uint8Array<ArrayBuffer>): Promise<Response> {
  for (;;) {
    const answer = await post(photo);
    if (answer.status !== 503) return answer;
    await answer.body?.cancel();
    await wait(Number(answer.headers.get('Retry-After')) * 1000);
  }
}

async function clean(
  photo: Uint8Array<ArrayBuffer>,
  send: (photo: Uint8Array<ArrayBuffer>) => Promise<Response> = post,
): Promise<Uint8Array> {
  const answer = await send(photo);
  const body = new Uint8Array(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${answer.status} ${new TextDecoder().decode(body)}`);
  return body;
}

it('jobs that wait for memory all get it, and each gets its own image', async () => {
  const answers = await Promise.all([...photos, ...photos].map((photo) => clean(photo)));
  answers.forEach((answer, index) => {
    expect(Buffer.compare(answer, alone[index % PHOTOS]!)).toBe(0);
  });
});

it('clients that disconnect leak no memory', async () => {
  for (const delay of [0, 5, 20, 40, 80]) {
    const left = photos.map(async (photo, index) => {
      const answer = await post(photo, AbortSignal.timeout(delay + index * 7)).catch(() => null);
      await answer?.body?.cancel().catch(() => {});
    });
    await Promise.all(left);
  }
  for (const [index, photo] of photos.entries()) {
    expect(Buffer.compare(await clean(photo, afterOverload), alone[index]!)).toBe(0);
  }
});
