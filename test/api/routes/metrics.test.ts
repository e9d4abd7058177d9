import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { bytes } from '../../fixtures/bytes.ts';
import { connected, errorOf } from '../../fixtures/mcp_client.ts';
import { photoPicture } from '../../fixtures/pictures.ts';
import { sampleFile } from '../../fixtures/samples.ts';
import { callService, freshNetwork, postImage } from '../../fixtures/service.ts';
import { adminToken, bindings } from '../billing/counting_app.ts';

const operator = { Authorization: `Bearer ${adminToken}` };
const read = async () => (await callService('/metrics', { headers: operator })).text();

const value = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1) ?? 0,
  );

/** The points that Analytics Engine gets of a call, where it is bound. */
async function pointsOf(path: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const points: AnalyticsEngineDataPoint[] = [];
  const env = { ...bindings, ANALYTICS: { writeDataPoint: (point = {}) => void points.push(point) } };
  const init = { method: 'POST', body, headers: { ...headers, 'Content-Type': 'image/jpeg' } };
  const context = createExecutionContext();
  const answer = await createApp().fetch(new Request(`https://service.test${path}`, init), env, context);
  await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  expect(points).toHaveLength(1);
  return points;
}

test('counts a refusal inside an answer of /mcp', async () => {
  const series = 'image_sanitizer_refusals_total{code="unprocessable_image"}';
  const before = value(await read(), series);
  const { call } = await connected({ 'CF-Connecting-IP': freshNetwork() });
  await call('inspect_image', { image: btoa('no image') });
  expect(value(await read(), series)).toBe(before + 1);
});

test('needs the admin token', async () => {
  for (const headers of [{}, { Authorization: 'Bearer isk_wrong' }])
    expect((await callService('/metrics', { headers })).status).toBe(401);
});

test('tells what calls did', async () => {
  const served = 'image_sanitizer_requests_total{route="/v1/sanitize",method="POST",status="200"}';
  const broken = 'image_sanitizer_refusals_total{code="unprocessable_image"}';
  const before = await read();
  const picture = await sampleFile('png', photoPicture(40, 30, 1));
  await (await postImage('/v1/sanitize', picture)).arrayBuffer();
  await (await postImage('/v1/inspect', new Uint8Array(100))).arrayBuffer();
  const after = await read();
  expect(value(after, served) - value(before, served)).toBe(1);
  expect(value(after, broken) - value(before, broken)).toBe(1);
  const grown = [
    'image_sanitizer_detector_passes_total',
    ...['meter', 'receiving', 'working', 'faces', 'sending'].map(
      (name) => `image_sanitizer_phase_seconds_count{phase="${name}"}`,
    ),
  ];
  for (const series of grown) expect(value(after, series), series).toBeGreaterThan(value(before, series));
  expect(value(after, 'image_sanitizer_memory_bytes')).toBeGreaterThan(1_000_000);
});

test('has nothing of an image, a key, an address or anything else that a client sends', async () => {
  const CANARY = 'canary7f3a';
  const network = freshNetwork();
  const issued = await callService('/v1/keys', {
    method: 'POST',
    headers: { ...operator, 'Content-Type': 'application/json' },
    body: JSON.stringify({ plan: 'pro' }),
  });
  const { key, key_id: keyId } = (await issued.json()) as { key: string; key_id: string };
  const headers = {
    Authorization: `Bearer ${key}`,
    'CF-Connecting-IP': network,
    'User-Agent': CANARY,
    'X-Request-Id': CANARY,
  };
  const plain = await sampleFile('jpeg', photoPicture(40, 30, 2));
  // A comment behind SOI: the marker COM, its length, its text.
  const comment = new TextEncoder().encode(CANARY);
  const image = bytes(plain.subarray(0, 2), [0xff, 0xfe, 0, comment.length + 2], comment, plain.subarray(2));
  const ids: (string | null)[] = [];
  for (const [path, form] of [
    [`/v1/sanitize?${CANARY}=1`, 'raw'],
    ['/v1/inspect', 'multipart'],
    ['/v1/detect', 'json'],
  ] as const) {
    const answer = await postImage(path, image, undefined, { form, headers });
    ids.push(answer.headers.get('X-Request-Id'));
    await answer.arrayBuffer();
  }
  const { call } = await connected(headers);
  expect(errorOf(await call('sanitize_image', { image: CANARY }))).toHaveProperty('error');
  await call('inspect_image', { image: image.toBase64() });
  await callService(`/v1/keys/${keyId}`, { headers: operator });
  await callService(`/${CANARY}`, { headers });
  await callService('/v1/usage', { headers: { ...headers, Authorization: `Bearer isk_${CANARY}` } });
  const text = (await read()) + JSON.stringify(await pointsOf(`/v1/inspect?${CANARY}`, image, headers));
  for (const secret of [CANARY, key, key.slice(4, 40), keyId, network, adminToken, ...ids])
    expect(text).not.toContain(secret);
  expect(text).toContain('{route="other",method="GET",status="404"}');
  // Every label is of a closed set, whoever calls what.
  for (const [, name, label] of text.matchAll(/(\w+)="([^"]*)"/g)) {
    const allowed: Record<string, RegExp> = {
      route: /^(?:other|\/[a-z_.:/0-9*]*)$/,
      method: /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other)$/,
      status: /^[1-5]\d\d$/,
      code: /^[a-z_]+$/,
      phase: /^(?:meter|receiving|waiting|working|faces|sending)$/,
      le: /^(?:[\d.]+|\+Inf)$/,
      version: /^[\d.]+$/,
    };
    expect(label, name).toMatch(allowed[name!]!);
  }
});
