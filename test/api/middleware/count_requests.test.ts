import { createExecutionContext } from 'cloudflare:test';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { ApiError, errorResponse, toApiError } from '../../../src/api/answers/errors.ts';
import type { Bindings, Env } from '../../../src/api/env.ts';
import { metrics } from '../../../src/api/metrics.ts';
import { countRequests } from '../../../src/api/middleware/count_requests.ts';
import { bindings } from '../billing/counting_app.ts';

const app = new Hono<Env>();
// As in the service, other middleware lies within it.
app.use(countRequests, (_, next) => next());
app.get('/things/:id', (c) => c.text('a thing'));
app.get('/result', (c) => {
  c.set('refusal', 'rate_limit_exceeded');
  return c.text('an error under the status 200');
});
app.get('/refused', () => {
  throw new ApiError('quota_exceeded');
});
app.get('/broken', () => {
  throw new TypeError('of the code');
});
app.onError((error) => errorResponse(toApiError(error), 'test', 'about:blank'));
app.notFound(() => {
  throw new ApiError('not_found');
});

/** The points that one request writes where Analytics Engine is bound. */
async function points(path: string, method = 'GET', headers = {}) {
  const written: AnalyticsEngineDataPoint[] = [];
  const env = { ...bindings, ANALYTICS: { writeDataPoint: (point = {}) => void written.push(point) } };
  await app.request(path, { method, headers }, env satisfies Bindings, createExecutionContext());
  return written;
}

test.each([
  ['/things/secret?query=secret', 'GET', ['/things/:id', 'GET', '200', '']],
  ['/nowhere/secret', 'GET', ['other', 'GET', '404', 'not_found']],
  ['/things/secret', 'PROPFIND', ['other', 'other', '404', 'not_found']],
  ['/refused', 'GET', ['/refused', 'GET', '402', 'quota_exceeded']],
  ['/result', 'GET', ['/result', 'GET', '200', 'rate_limit_exceeded']],
  ['/broken', 'GET', ['/broken', 'GET', '500', 'internal_error']],
])('%s by %s is one point: %j', async (path, method, blobs) => {
  const written = await points(path, method);
  const doubles = Array.from({ length: 15 }, () => expect.any(Number));
  expect(written).toEqual([{ indexes: [blobs[0]], blobs: [...blobs, ''], doubles }]);
  expect(JSON.stringify(written)).not.toContain('secret');
});

test('a point has the id of the trace that a valid traceparent names, and nothing of any other', async () => {
  const traced = async (traceparent: string) =>
    (await points('/things/1', 'GET', { traceparent, tracestate: 'vendor=secret' }))[0]?.blobs;
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  expect(await traced(`00-${trace}-00f067aa0ba902b7-01`)).toEqual(['/things/:id', 'GET', '200', '', trace]);
  expect(await traced('00-secret-00f067aa0ba902b7-01')).toEqual(['/things/:id', 'GET', '200', '', '']);
});

test('a point has the time by phase of all calls since the point before', async () => {
  const phasesOf = async () => (await points('/things/1'))[0]?.doubles?.slice(3);
  await phasesOf();
  metrics.phase('meter', 0.25);
  metrics.phase('meter', 0.5);
  metrics.phase('sending', 2);
  expect(await phasesOf()).toEqual([0.75, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1]);
  expect(await phasesOf()).toEqual(Array(12).fill(0));
});

test('without Analytics Engine a call is served as well', async () => {
  const answer = await app.request('/things/1', {}, bindings, createExecutionContext());
  expect(answer.status).toBe(200);
});
