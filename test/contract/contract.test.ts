import { describe, expect, test } from 'vitest';
import { callService, servedContract } from '../fixtures/service.ts';

const contract = await servedContract();
const pricing = await callService('/v1/pricing');
const text = await pricing.text();

/** The faults found in the response of /v1/pricing with a change. */
const faults = (
  change: { status?: number; headers?: Record<string, string | null>; body?: string },
  path = '/v1/pricing',
) => {
  const headers = new Headers(pricing.headers);
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const { status = 200, body = text } = change;
  return contract.faults('GET', path, new Response(body, { status, headers }));
};

describe('the contract', () => {
  test('accepts a described response', async () => {
    expect(await faults({})).toEqual([]);
    expect(await faults({}, '/v1/pricing?x=1')).toEqual([]);
  });

  test.each([
    ['a status', { status: 201 }, /201 is not described/],
    ['a missing header', { headers: { 'X-Service-Retention': null } }, /X-Service-Retention is missing/],
    ['a wrong header', { headers: { 'X-Service-Retention': 'some' } }, /X-Service-Retention is some/],
    ['a header that is no number', { headers: { 'X-RateLimit-Limit': 'many' } }, /X-RateLimit-Limit is many/],
    ['an unknown header', { headers: { 'X-Powered-By': 'magic' } }, /x-powered-by is not described/],
    ['another media type', { headers: { 'Content-Type': 'text/plain' } }, /text\/plain is not described/],
    ['broken JSON', { body: '{' }, /not JSON/],
    ['a missing member', { body: '{"currency":"USD"}' }, /must have required property/],
    ['an unknown member', { body: text.replace('{', '{"more":1,') }, /must NOT have additional properties/],
    ['a wrong type', { body: text.replace('"USD"', '7') }, /must be/],
  ])('reports %s', async (_name, change, expected) => {
    expect((await faults(change)).join('\n')).toMatch(expected);
  });

  test('reports a response other than 404 at a path that is not described', async () => {
    expect((await faults({}, '/v1/other')).join()).toMatch(/not described/);
    expect((await faults({}, '/v1/keys/')).join()).toMatch(/not described/);
  });
});

test('callService throws for a response that breaks the contract', async () => {
  await expect(callService('/v1/health')).resolves.toBeDefined();
  const { service } = await import('../fixtures/service.ts');
  const { fetch } = service;
  service.fetch = async () => new Response('{}', { headers: { 'Content-Type': 'application/json' } });
  try {
    await expect(callService('/v1/health')).rejects.toThrow(/Not as \/openapi.json says/);
  } finally {
    service.fetch = fetch;
  }
});
