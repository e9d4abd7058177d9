import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { type Context, Hono } from 'hono';
import { afterEach, beforeEach, vi } from 'vitest';
import { errorResponse, toApiError } from '../../../src/api/answers/errors.ts';
import { responseHeaders } from '../../../src/api/answers/response_headers.ts';
import { elapsedMs, metered } from '../../../src/api/billing/metering.ts';
import type { Bindings, Env } from '../../../src/api/env.ts';
import {
  changeKeyRoute,
  issueKeyRoute,
  listKeysRoute,
  revokeKeyRoute,
  rotateKeyRoute,
  showKeyRoute,
} from '../../../src/api/routes/keys.ts';
import { pricingRoute } from '../../../src/api/routes/pricing.ts';
import { usageRoute } from '../../../src/api/routes/usage.ts';
import type { CallMeter } from '../../../src/metering/call_meter.ts';

const done = () => new Response('done');

/** The handler of the metered route of this app, set by tests, and how often it was called. */
export const work: {
  handler: (request: Request, c: Context<Env>) => Response | Promise<Response>;
  started: number;
} = {
  handler: done,
  started: 0,
};

/** Around tests that set a handler or count calls, since files share this module. */
export function restoreWork(): void {
  work.handler = done;
  work.started = 0;
}

/**
 * Tests of a file run at a moment of their own, each from it on, with the handler of `restoreWork`.
 * @param start far in the future, so that no alarm goes off meanwhile
 */
export function useClock(start: number): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    restoreWork();
  });
  afterEach(() => {
    vi.useRealTimers();
    restoreWork();
  });
}

/** Sets the clock of `useClock` on. */
export const wait = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/**
 * The real middleware and account routes, with a metered route that runs `work.handler`, and an unmetered
 * one.
 */
export const app = new Hono<Env>();
app.use(responseHeaders);
app.onError((error) => errorResponse(toApiError(error), 'test', 'about:blank'));
app.notFound(() => new Response('nothing here', { status: 404 }));
app.post('/work', metered, async (c) => {
  work.started++;
  return work.handler(c.req.raw, c);
});
app.post('/timed', metered, async (c) => {
  await work.handler(c.req.raw, c);
  return c.json({ durationMs: await elapsedMs(c) });
});
app.get('/open', (c) => c.text('open'));
app.get('/v1/usage', usageRoute);
app.get('/v1/pricing', pricingRoute);
app.get('/v1/keys', listKeysRoute);
app.post('/v1/keys', issueKeyRoute);
app.get('/v1/keys/:key_id', showKeyRoute);
app.patch('/v1/keys/:key_id', changeKeyRoute);
app.delete('/v1/keys/:key_id', revokeKeyRoute);
app.post('/v1/keys/:key_id/rotate', rotateKeyRoute);

export const bindings = env as Bindings;
export const adminToken = 'test-admin-token-of-22-or-more';

/** What workerd throws when an object was restarted: asking again may help. */
export const resetError = () =>
  Object.assign(new Error('Durable Object reset because its code was updated.'), { retryable: true });

/** The real namespace, recording each object asked for; the next `broken` requests fail by `error`. */
export class WatchedNamespace {
  readonly asked: string[] = [];
  broken = 0;
  error: () => Error = resetError;

  getByName(name: string): DurableObjectStub<CallMeter> {
    this.asked.push(name);
    if (this.broken > 0) {
      this.broken--;
      throw this.error();
    }
    return bindings.CALL_METER.getByName(name);
  }
}

interface Asked {
  readonly method?: string;
  readonly key?: string;
  readonly ip?: string;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly bindings?: Partial<Record<keyof Bindings, unknown>>;
}

/** Sends one request to the app, and also waits for everything under `waitUntil`. */
export async function ask(path: string, options: Asked = {}): Promise<Response> {
  const { method = 'POST', key, ip = '192.0.2.1', json, signal } = options;
  const type = json === undefined ? undefined : { 'Content-Type': 'application/json' };
  const headers = new Headers({ 'CF-Connecting-IP': ip, ...type, ...options.headers });
  if (key !== undefined) headers.set('Authorization', `Bearer ${key}`);
  const body = json === undefined ? null : JSON.stringify(json);
  const request = new Request(`https://service.test${path}`, {
    method,
    headers,
    body,
    signal: signal ?? null,
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...bindings, ...options.bindings }, context);
  await waitOnExecutionContext(context);
  return response;
}

interface IssuedKey {
  readonly key: string;
  readonly key_id: string;
  readonly plan: string;
  readonly monthly_billable_cap: number;
  readonly created_at: string;
}

export async function issueKey(json: unknown = { plan: 'pro' }): Promise<IssuedKey> {
  const response = await ask('/v1/keys', { key: adminToken, json });
  if (response.status !== 201) throw new Error(await response.text());
  return response.json();
}

/** The metering headers of a response, with the reset relative to a moment in Unix milliseconds. */
export function meteringHeaders({ headers }: Response, from = Date.now()) {
  return {
    plan: headers.get('X-Service-Plan'),
    limit: Number(headers.get('X-RateLimit-Limit')),
    remaining: Number(headers.get('X-RateLimit-Remaining')),
    resetsIn: Number(headers.get('X-RateLimit-Reset')) - Math.floor(from / 1000),
    billable: headers.get('X-Service-Billable'),
    cents: headers.get('X-Service-Period-Cost-Cents'),
    retention: headers.get('X-Service-Retention'),
  };
}
