import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { imagePaths } from '../../src/api/openapi/paths/images.ts';
import { connected, errorOf, operator } from '../fixtures/mcp_client.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { bodyForms, postImage } from '../fixtures/service.ts';

let photos: Uint8Array<ArrayBuffer>[];
let key: string;
let keyId: string;

beforeAll(async () => {
  photos = await Promise.all([1, 2, 3].map((seed) => sampleFile('png', photoPicture(16, 12, seed))));
});
beforeEach(async () => {
  ({ key, key_id: keyId } = await operator.issueKey({ plan: 'pro' }));
});

const ops = { pixelate: { faces: false } };
const named = (name: string) => ({ Authorization: `Bearer ${key}`, 'Idempotency-Key': name });
const sanitize = (
  photo: number,
  name: string,
  more: object = {},
  form: 'raw' | 'json' | 'multipart' = 'raw',
) => postImage('/v1/sanitize', photos[photo]!, { ...ops, ...more }, { form, headers: named(name) });
const usage = async () => {
  const { calls, billable_calls } = (await operator.showKey(keyId)).usage;
  return { calls, billable_calls };
};
/** Uses up the free call of the window. */
const useFreeCall = () =>
  postImage('/v1/inspect', photos[0]!, undefined, { headers: { Authorization: `Bearer ${key}` } });

describe('one idempotency key', () => {
  test('sells one picture: others are 422, never charged, and take a place of the window', async () => {
    await useFreeCall();
    expect((await sanitize(0, 'a')).status).toBe(200);
    for (const photo of [1, 2, 1]) {
      const refused = await sanitize(photo, 'a');
      expect(refused.status).toBe(422);
      expect(refused.headers.get('X-Service-Billable')).toBe('false');
      expect(await refused.json()).toMatchObject({ error: 'idempotency_key_reused' });
    }
    const again = await sanitize(0, 'a');
    expect(again.status).toBe(200);
    expect(again.headers.get('X-Service-Billable')).toBe('true');
    expect(again.headers.get('X-RateLimit-Remaining')).toBe('54');
    expect(await usage()).toEqual({ calls: 2, billable_calls: 1 });
  });

  test('that was first used on the free call gives no other picture', async () => {
    expect((await sanitize(0, 'a')).status).toBe(200);
    expect((await sanitize(1, 'a')).status).toBe(422);
    expect((await sanitize(0, 'a')).status).toBe(200);
    expect(await usage()).toEqual({ calls: 1, billable_calls: 0 });
    expect((await sanitize(1, 'b')).status).toBe(200);
    expect(await usage()).toEqual({ calls: 2, billable_calls: 1 });
  });

  test('is for one set of ops, however they are written and sent', async () => {
    for (const form of bodyForms) expect((await sanitize(0, 'a', {}, form)).status).toBe(200);
    expect((await sanitize(0, 'a', { output: { quality: 92 } })).status).toBe(200);
    expect((await sanitize(0, 'a', { output: { quality: 91 } })).status).toBe(422);
    expect((await sanitize(0, 'a', { response: 'json' })).status).toBe(422);
  });

  test('sells one picture to many calls at the same time', async () => {
    await useFreeCall();
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((photo) => sanitize(photo, 'a')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 422, 422, 422, 422]);
    expect(statuses.slice(3)).toEqual(statuses.slice(0, 3));
    expect(await usage()).toEqual({ calls: 2, billable_calls: 1 });
  });

  test('whose tries have all failed may be used for another picture', async () => {
    const broken = photos[0]!.slice(0, 60);
    const headers = named('a');
    expect((await postImage('/v1/sanitize', broken, ops, { headers })).status).toBe(422);
    expect((await sanitize(0, 'a')).status).toBe(200);
    expect((await sanitize(1, 'a')).status).toBe(422);
  });

  test('is for one picture at every address that takes one', async () => {
    for (const path of Object.keys(imagePaths)) {
      const statuses = [];
      for (const photo of [0, 1, 0])
        statuses.push((await postImage(path, photos[photo]!, undefined, { headers: named('a') })).status);
      expect([path, ...statuses], 'its route calls requireSamePicture').toEqual([path, 200, 422, 200]);
    }
  });

  test('is for one picture and one tool of /mcp', async () => {
    const { call } = await connected(named('a'));
    const image = (photo: number) => photos[photo]!.toBase64();
    expect((await call('inspect_image', { image: image(0) })).isError).toBeUndefined();
    for (const [tool, args] of [
      ['inspect_image', { image: image(1) }],
      ['inspect_image', { image: image(0), ops: { values: true } }],
      ['detect_faces', { image: image(0) }],
      ['sanitize_image', { image: image(0) }],
    ] as const)
      expect(errorOf(await call(tool, args))).toMatchObject({ error: 'idempotency_key_reused' });
    expect((await call('inspect_image', { image: image(0) })).isError).toBeUndefined();
    expect((await usage()).calls).toBe(1);
  });
});
