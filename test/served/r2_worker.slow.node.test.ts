import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare, type Request, Response } from 'miniflare';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';

/** The example, with the R2 and the queues of miniflare; it is told of objects as R2's notifications do. */
const { address, key } = inject('sharedWorker');

let example: Miniflare;
/** Statuses that the service has answered with; the first call is answered as by a busy one. */
const answered: number[] = [];
beforeAll(async () => {
  example = new Miniflare(
    convertV4MiniflareOptions({
      modules: [
        {
          type: 'ESModule',
          path: 'worker.mjs',
          contents: await readFile('examples/r2_worker/worker.mjs', 'utf8'),
        },
      ],
      compatibilityDate: '2026-10-20',
      r2Buckets: ['UPLOADS', 'CLEAN'],
      queueProducers: { EVENTS: 'uploads' },
      queueConsumers: { uploads: { maxBatchSize: 5, maxBatchTimeout: 0, maxRetries: 5 } },
      bindings: { IMAGE_SANITIZER_KEY: key },
      serviceBindings: { SANITIZER: askService },
    }),
  );
  await example.ready;
});
afterAll(() => example?.dispose());

async function askService(request: Request) {
  const body = await request.arrayBuffer();
  if (answered.length === 0) {
    answered.push(503);
    return new Response('busy', { status: 503, headers: { 'Retry-After': '1' } });
  }
  const { pathname, search } = new URL(request.url);
  const headers = [...request.headers].filter(
    ([name]) => !['host', 'content-length', 'transfer-encoding'].includes(name),
  );
  const answer = await fetch(address + pathname + search, { method: request.method, headers, body });
  answered.push(answer.status);
  return new Response(await answer.arrayBuffer(), { status: answer.status, headers: [...answer.headers] });
}

/** Puts an object and tells of it. @param eTag of the event, where it is not the object's */
async function upload(name: string, bytes: Uint8Array, eTag?: string) {
  const uploads = await example.getR2Bucket('UPLOADS');
  const { etag, size } = await uploads.put(name, bytes, { customMetadata: { camera: 'mine' } });
  const events = await example.getQueueProducer('EVENTS');
  await events.send({
    account: 'a',
    action: 'PutObject',
    bucket: 'uploads',
    object: { key: name, size, eTag: eTag ?? etag },
    eventTime: '2026-11-01T00:00:00Z',
  });
}

async function until<T>(find: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found) return found;
    await wait(50);
  }
}

it('cleans an object when it is created, and tries again where the service is busy', async () => {
  const photo = tagJpeg(await sampleFile('jpeg', drawPeople(120, 90)), {});
  expect(scan(photo)!.blocks).toHaveLength(1);
  await upload('trip/a.jpg', photo);
  const bucket = await example.getR2Bucket('CLEAN');
  const clean = await until(() => bucket.get('trip/a.jpg'));
  expect(answered).toEqual([503, 200]);
  expect([clean.httpMetadata?.contentType, clean.customMetadata]).toEqual(['image/jpeg', {}]);
  expect(scan(new Uint8Array(await clean.arrayBuffer()))).toMatchObject({
    format: 'jpeg',
    width: 120,
    blocks: [],
  });
  // What came is left to its owner.
  const uploads = await example.getR2Bucket('UPLOADS');
  expect((await uploads.head('trip/a.jpg'))?.size).toBe(photo.length);
});

it('leaves out what is no picture, and what another object has replaced', async () => {
  answered.push(0);
  await upload('stale.jpg', await sampleFile('jpeg', drawPeople(60, 40)), 'd41d8cd98f00b204e9800998ecf8427e');
  await upload('notes.txt', new TextEncoder().encode('no picture'));
  await until(async () => answered.includes(422));
  await upload('last.png', await sampleFile('png', drawPeople(60, 40)));
  const bucket = await example.getR2Bucket('CLEAN');
  await until(() => bucket.head('last.png'));
  expect((await bucket.list()).objects.map((one) => one.key)).toEqual(['last.png', 'trip/a.jpg']);
  expect(answered.slice(answered.indexOf(0) + 1)).toEqual([422, 200]);
});
