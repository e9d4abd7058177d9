import { describe, expect, it } from 'vitest';
import { model, tileModel } from '../src/faces/model.ts';
import { callService, service } from './fixtures/service.ts';

/** The specification's "Headers on every response", and ours. */
const everywhere = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Service-Billable',
  'X-Service-Plan',
  'X-Service-Period-Cost-Cents',
  'X-Service-Retention',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
];

describe('every response', () => {
  it.each([
    ['GET', '/v1/health', 200],
    ['HEAD', '/v1/health', 200],
    ['GET', '/v1/pricing', 200],
    ['GET', '/v1/usage', 401],
    ['POST', '/v1/keys', 401],
    ['GET', '/v1/nothing', 404],
    ['DELETE', '/v1/sanitize', 405],
    ['OPTIONS', '/v1/sanitize', 204],
    ['POST', '/v1/sanitize', 415],
  ])('of %s %s (%i) carries the whole header set and allows any origin', async (method, path, status) => {
    const answer = await callService(path, {
      method,
      headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' },
    });
    expect(answer.status).toBe(status);
    for (const name of everywhere) expect(answer.headers.has(name), name).toBe(true);
    expect(answer.headers.get('X-Service-Retention')).toBe('none');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.headers.has('Access-Control-Allow-Credentials')).toBe(false);
    if (method === 'OPTIONS') expect(answer.headers.get('Access-Control-Max-Age')).toBe('86400');
    else {
      const exposed = answer.headers.get('Access-Control-Expose-Headers')!.split(',');
      for (const name of everywhere) expect(exposed).toContain(name);
    }
  });

  it('forbids guesses of its type, and behind TLS plain HTTP from then on', async () => {
    const fetched = (address: string) => service.fetch(new Request(address));
    for (const path of ['/v1/health', '/nowhere', '/', '/openapi.json', '/llms.txt']) {
      const { headers } = await fetched(`https://service.test${path}`);
      expect(headers.get('X-Content-Type-Options'), path).toBe('nosniff');
      expect(headers.get('Strict-Transport-Security'), path).toBe('max-age=31536000');
    }
    for (const origin of ['http://localhost:8787', 'https://localhost:8787', 'http://127.0.0.1'])
      expect((await fetched(`${origin}/v1/health`)).headers.has('Strict-Transport-Security')).toBe(false);
  });

  it('has an id of its own, in the error body too, whatever the client sends', async () => {
    const answer = await callService('/nowhere', { headers: { 'X-Request-Id': 'mine' } });
    const body = (await answer.json()) as { request_id: string };
    expect(body.request_id).toBe(answer.headers.get('X-Request-Id'));
    expect(body.request_id).not.toBe('mine');
  });

  it('brings a valid traceparent back, and no other', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    for (const path of ['/v1/health', '/nowhere', '/llms.txt'])
      expect((await callService(path, { headers: { traceparent } })).headers.get('traceparent')).toBe(
        traceparent,
      );
    const answer = await callService('/v1/health', { headers: { traceparent: 'mine' } });
    expect(answer.headers.has('traceparent')).toBe(false);
  });
});

describe('errors', () => {
  it('have a stable code, words and a place to read more', async () => {
    const answer = await callService('/nowhere');
    expect(await answer.json()).toEqual({
      error: 'not_found',
      message: 'There is nothing at /nowhere',
      docs: 'https://service.test/docs#not_found',
      request_id: expect.any(String),
    });
  });

  it('are problem details where Accept asks for them', async () => {
    const answer = await callService('/nowhere', {
      headers: { Accept: 'application/problem+json, image/jpeg' },
    });
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await answer.json()).toEqual({
      type: 'https://service.test/docs#not_found',
      title: 'There is nothing at this address.',
      status: 404,
      error: 'not_found',
      message: 'There is nothing at /nowhere',
      docs: 'https://service.test/docs#not_found',
      request_id: expect.any(String),
    });
  });

  it('name the methods that an address takes', async () => {
    const answer = await callService('/v1/inspect', { method: 'PUT' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('OPTIONS, POST');
    const byId = await callService('/v1/keys/key_1', { method: 'POST' });
    expect(byId.headers.get('Allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
  });
});

describe('OPTIONS', () => {
  it.each([
    ['/v1/inspect', 'OPTIONS, POST'],
    ['/v1/usage', 'GET, HEAD, OPTIONS'],
    ['/v1/keys/key_1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/docs/start.js', 'GET, HEAD, OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
  ])('%s says that it takes %s, to plain and to preflight requests', async (path, methods) => {
    for (const headers of [{}, { Origin: 'https://a.test', 'Access-Control-Request-Method': 'POST' }]) {
      const answer = await callService(path, { method: 'OPTIONS', headers });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('Allow')).toBe(methods);
      expect(answer.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
    }
  });

  it('is 404 where there is nothing', async () => {
    const answer = await callService('/v1/nothing', { method: 'OPTIONS' });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });
});

describe('GET /v1/health', () => {
  it('says all networks that are running', async () => {
    const answer = await callService('/v1/health');
    expect(await answer.json()).toEqual({
      status: 'ok',
      version: '1.0.0',
      model: { name: 'face_detector', sha256: model.sha256 },
      models: [
        { name: 'face_detector', sha256: model.sha256 },
        { name: 'yunet_n', sha256: tileModel.sha256 },
      ],
      engine: 'core',
      detectors: [],
    });
  });
});
