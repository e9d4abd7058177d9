import type { Context } from 'hono';
import type { Readiness } from '../../ops/responses.ts';
import type { Env } from '../env.ts';
import { ApiError } from '../errors.ts';
import { askMeter } from '../meter_client.ts';
import { isolateRuntime } from '../runtime.ts';

/** Name of the object that is asked; it counts nobody and stores nothing. */
const PROBE = 'readiness';
/** Milliseconds that it may take: who asks sends calls elsewhere meanwhile. */
const TIME_LIMIT_MS = 1000;
/** Milliseconds that an answer holds, since anyone may ask and each question costs one to an object. */
const FRESH_MS = 1000;
const RETRY_AFTER_SECONDS = 5;

let reachedAt = Number.NEGATIVE_INFINITY;

/**
 * GET /v1/ready: whether a call sent now would be served: there is room to wait for memory, and counters can
 * be reached. Apart from liveness, since restarting helps against neither.
 * @throws ApiError overloaded
 */
export async function readyRoute(c: Context<Env>): Promise<Response> {
  const { budget } = isolateRuntime(c.env);
  if (budget.waiting >= budget.places) {
    throw new ApiError('overloaded', 'As many calls wait for memory as may.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  if (Date.now() - reachedAt > FRESH_MS) {
    const patience = { timeLimitMs: TIME_LIMIT_MS };
    await askMeter(c.env.CALL_METER, PROBE, async (stub) => await stub.tick(), patience);
    reachedAt = Date.now();
  }
  const readiness: Readiness = { status: 'ready' };
  return c.json(readiness, 200, { 'Cache-Control': 'no-store' });
}
