import { expect, test } from 'vitest';
import { ApiError, networkOf, refusedResponse, reportedNetwork } from '../../../src/api/own_server/front.ts';

test('an answer of the front has the body and the headers of every error', async () => {
  const error = new ApiError('overloaded', 'No room.', { retryAfterSeconds: 2 });
  const answer = refusedResponse(error, { PUBLIC_ORIGIN: 'https://sanitizer.example' });
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
  expect(await answer.json()).toEqual({
    error: 'overloaded',
    message: 'No room.',
    docs: 'https://sanitizer.example/docs#overloaded',
    retry_after_seconds: 2,
    request_id: answer.headers.get('X-Request-Id'),
  });
  for (const [name, value] of [
    ['X-Service-Retention', 'none'],
    ['X-Service-Billable', 'false'],
    ['X-Service-Plan', 'free'],
    ['X-RateLimit-Limit', '1'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Access-Control-Allow-Origin', '*'],
    ['Strict-Transport-Security', 'max-age=31536000'],
  ] as const)
    expect([name, answer.headers.get(name)]).toEqual([name, value]);
  expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id');
});

test('it is problem details for who asks for them, and says nothing of TLS without it', async () => {
  const answer = refusedResponse(new ApiError('bad_request'), {}, 'application/problem+json');
  expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
  expect(answer.headers.get('Strict-Transport-Security')).toBeNull();
  expect(await answer.json()).toMatchObject({ status: 400, docs: '/docs#bad_request' });
});

test('the network of a client is that of the address that the nearest proxy saw', () => {
  expect(reportedNetwork('203.0.113.9, 2001:db8::7')).toBe(networkOf('2001:db8::8'));
  expect([reportedNetwork(undefined), reportedNetwork('unknown')]).toEqual(['', '']);
});
