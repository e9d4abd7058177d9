import { beforeAll, describe, expect, test } from 'vitest';
import { ImageSanitizer, SanitizerError } from '../../client/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { photoPicture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { serviceFetch } from '../fixtures/service.ts';

const baseUrl = 'https://service.test';
const operator = new ImageSanitizer({
  baseUrl,
  apiKey: 'test-admin-token-of-22-or-more',
  fetch: serviceFetch,
});
const anonymous = new ImageSanitizer({ baseUrl, fetch: serviceFetch });
const noFaces = { pixelate: { faces: false } };

let photo: Uint8Array<ArrayBuffer>;
let keyed: ImageSanitizer;
let keyId: string;

beforeAll(async () => {
  photo = await sampleFile('jpeg', photoPicture(60, 44, 3));
  const { key, key_id } = await operator.issueKey({ plan: 'pro' });
  keyId = key_id;
  keyed = new ImageSanitizer({ baseUrl: `${baseUrl}/`, apiKey: key, fetch: serviceFetch });
});

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

describe('sanitize', () => {
  test('returns the image and the facts from the headers', async () => {
    const ops = { ...noFaces, output: { format: 'png', maxWidth: 30 } } as const;
    const result = await keyed.sanitize(photo, ops);
    expect(result).toMatchObject({ facesDetected: 0, regionsPixelated: 0, facts: { plan: 'pro' } });
    expect(result.image.type).toBe('image/png');
    expect(scan(await bytesOf(result.image))).toMatchObject({ format: 'png', width: 30, blocks: [] });
    expect(result.facts.rateLimit.limit).toBe(60);
    expect(result.facts.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('accepts a Blob and an ArrayBuffer, and returns the report when asked', async () => {
    const forms = [new Blob([photo], { type: 'image/jpeg' }), photo.slice().buffer];
    for (const form of forms) {
      const { image, report } = await keyed.sanitizeWithReport(form, noFaces);
      expect(report).toMatchObject({ width: 60, height: 44, bytes: image.size, metadataStripped: true });
      expect(scan(await bytesOf(image))).toMatchObject({ format: 'jpeg', complete: true });
    }
  });

  test('sends ops too long for the query as a form', async () => {
    const regions = Array.from({ length: 200 }, (_, x) => ({ x: x / 4, y: 1, w: 1.123, h: 1.456 }));
    const { report } = await keyed.sanitizeWithReport(photo, { pixelate: { faces: false, regions } });
    expect(report.regionsPixelated).toBe(200);
  });

  test('reports the progress of the upload', async () => {
    const told: number[] = [];
    await keyed.sanitize(photo, noFaces, {
      onProgress: ({ sent, total }) => {
        expect(total).toBe(photo.length);
        told.push(sent);
      },
    });
    expect(told.at(-1)).toBe(photo.length);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });
});

test('detect, inspect, usage, health, readiness and pricing return the body and the facts', async () => {
  expect(await keyed.detect(photo, { confidence: 0.5 })).toMatchObject({ width: 60, count: 0, faces: [] });
  expect(await anonymous.inspect(photo)).toMatchObject({
    format: 'jpeg',
    has_gps: false,
    facts: { plan: 'free', billable: false },
  });
  const { values } = await keyed.inspect(photo, { values: true });
  expect(values).toMatchObject({ place: null, provenance: null, cut: false });
  const usage = await keyed.usage();
  expect(usage).toMatchObject({ key_id: keyId, plan: 'pro', facts: { plan: 'pro' } });
  expect(usage.calls).toBeGreaterThan(0);
  const { period, calls, days = [] } = await keyed.usage({ period: usage.period, by: 'day' });
  expect(period).toBe(usage.period);
  expect(days.reduce((sum, day) => sum + day.calls, 0)).toBe(calls);
  expect(await anonymous.health()).toMatchObject({ status: 'ok' });
  expect(await anonymous.ready()).toMatchObject({ status: 'ready' });
  expect(await anonymous.pricing()).toMatchObject({ currency: 'USD' });
});

describe('refused calls throw one error class', () => {
  test('with every problem of the ops', async () => {
    const wrong = { pixelate: { strength: 40 }, output: { quality: 1 } };
    const error: SanitizerError = await keyed.sanitize(photo, wrong).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SanitizerError);
    expect(error).toMatchObject({ code: 'invalid_ops', status: 400 });
    expect(error.issues.map(({ path }) => path)).toEqual(['pixelate.strength', 'output.quality']);
    expect(error.requestId).toBe(error.facts?.requestId);
    expect(error.docs).toBe(`${baseUrl}/docs#invalid_ops`);
  });

  test('with the seconds to wait', async () => {
    const headers = { 'CF-Connecting-IP': '203.0.113.77' };
    const oneCaller = new ImageSanitizer({
      baseUrl,
      retry: { longestWaitMs: 0 },
      fetch: (url, init) => serviceFetch(url, { ...init, headers: { ...init.headers, ...headers } }),
    });
    await oneCaller.inspect(photo);
    await expect(oneCaller.inspect(photo)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      status: 429,
      retryAfter: expect.any(Number),
    });
  });

  test('when there is no response, or one of another service', async () => {
    const broken = new ImageSanitizer({
      baseUrl,
      retry: { attempts: 1 },
      fetch: () => Promise.reject(new TypeError('refused')),
    });
    await expect(broken.health()).rejects.toMatchObject({ code: 'network_error', status: 0 });
    const other = new ImageSanitizer({ baseUrl, fetch: async () => new Response('<html>') });
    await expect(other.health()).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 });
  });

  test('but an abort rejects with its own reason', async () => {
    const signal = AbortSignal.abort(new Error('changed my mind'));
    await expect(keyed.sanitize(photo, noFaces, { signal })).rejects.toThrow('changed my mind');
  });
});

test('a call with an idempotency key is charged once', async () => {
  const { key } = await operator.issueKey({ plan: 'pro' });
  const client = new ImageSanitizer({ baseUrl, apiKey: key, fetch: serviceFetch });
  const idempotencyKey = crypto.randomUUID();
  for (let i = 0; i < 3; i++) await client.inspect(photo, {}, { idempotencyKey });
  expect(await client.usage()).toMatchObject({ calls: 1, billable_calls: 0 });
});

test('the operator changes and rotates a key', async () => {
  const { key, key_id } = await operator.issueKey({ plan: 'pro', label: 4711 });
  const changed = await operator.changeKey(key_id, { plan: 'enterprise', monthly_billable_cap: 2 });
  expect(changed).toMatchObject({ plan: 'enterprise', monthly_billable_cap: 2, label: 4711 });
  const rotated = await operator.rotateKey(key_id);
  expect(rotated).toMatchObject({ key_id, plan: 'enterprise' });
  for (const apiKey of [key, rotated.key]) {
    const client = new ImageSanitizer({ baseUrl, apiKey, fetch: serviceFetch });
    expect(await client.usage()).toMatchObject({ key_id, plan: 'enterprise' });
  }
});

test('the operator finds a key again by its pages', async () => {
  const { key_id } = await operator.issueKey({ plan: 'pro', label: 815 });
  const found = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await operator.listKeys({ limit: 2, ...(cursor !== undefined && { cursor }) });
    expect(page).toMatchObject({ facts: { billable: false } });
    found.push(...page.keys.filter(({ label }) => label === 815));
    cursor = page.next_cursor;
  }
  expect(found).toMatchObject([{ key_id, state: 'active' }]);
});

test('the operator sees and revokes a key', async () => {
  const { key, key_id } = await operator.issueKey({ plan: 'enterprise', monthly_billable_cap: 7 });
  expect(await operator.showKey(key_id)).toMatchObject({ state: 'active', monthly_billable_cap: 7 });
  await operator.revokeKey(key_id);
  expect(await operator.showKey(key_id)).toMatchObject({ state: 'revoked' });
  const revoked = new ImageSanitizer({ baseUrl, apiKey: key, fetch: serviceFetch });
  await expect(revoked.usage()).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
});

test('ops and options are spelled as in the library; what is in the wrong place is refused with words', async () => {
  const options = { values: true } as object;
  await expect(anonymous.inspect(photo, {}, options)).rejects.toThrow(
    /Expected only the options .* received values/,
  );
  await expect(anonymous.health({ timeuot: 1 } as object)).rejects.toThrow('received timeuot');
  const ops = { ops: { values: true } } as object;
  await expect(anonymous.inspect(photo, ops)).rejects.toMatchObject({
    code: 'invalid_ops',
    issues: [{ path: 'ops' }],
  });
});

test('an answer that breaks off is broken_download, whatever it holds', async () => {
  const broken = new ImageSanitizer({
    baseUrl,
    retry: { attempts: 1 },
    fetch: async () => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"image":'));
        },
        pull(controller) {
          controller.error(new TypeError('terminated'));
        },
      });
      return new Response(body, { headers: { 'X-Service-Plan': 'free', 'X-Request-Id': 'r' } });
    },
  });
  for (const call of [
    broken.sanitize(photo),
    broken.sanitizeWithReport(photo),
    broken.detect(photo),
    broken.inspect(photo),
    broken.health(),
  ])
    await expect(call).rejects.toMatchObject({ code: 'broken_download', status: 200, requestId: 'r' });
});
