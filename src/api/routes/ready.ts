import type { Context } from 'hono';
import type { Readiness } from '../../ops/health.ts';
import { ApiError } from '../answers/errors.ts';
import { askMeter } from '../billing/meter_client.ts';
import type { Env } from '../env.ts';
import { isolateRuntime } from '../runtime.ts';

/**
 * Number of objects used as probes; they count no calls and store nothing. An isolate uses one of them,
 * chosen at random: if a thousand isolates are probed every second, each object is asked about 16 times.
 */
const PROBES = 64;
/** Most milliseconds for a probe: meanwhile the load balancer sends calls elsewhere. */
const TIME_LIMIT_MS = 1000;
/**
 * Milliseconds for which an answer is reused, since anyone may ask and each probe costs a call to an object.
 */
const FRESH_MS = 1000;
const RETRY_AFTER_SECONDS = 5;

let reachedAt = Number.NEGATIVE_INFINITY;
/** Chosen at the first probe, since the global scope of a Worker has no randomness. */
let probe: string | undefined;

/**
 * GET /v1/ready: whether a call sent now would be served: there is room to wait for memory, and meters can be
 * reached. Separate from liveness, since restarting helps against neither.
 * @throws ApiError overloaded
 */
export async function readyRoute(c: Context<Env>): Promise<Response> {
  const { budget } = isolateRuntime(c.env);
  if (budget.waiting >= budget.places) {
    throw new ApiError('overloaded', 'As many calls wait for memory as may.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  const age = Date.now() - reachedAt;
  // Before that moment: the clock has stepped back.
  if (age > FRESH_MS || age < 0) {
    const patience = { timeLimitMs: TIME_LIMIT_MS };
    probe ??= `readiness ${Math.floor(PROBES * Math.random())}`;
    await askMeter(c.env.CALL_METER, probe, async (stub) => await stub.tick(), patience);
    reachedAt = Date.now();
  }
  const readiness: Readiness = { status: 'ready' };
  return c.json(readiness, 200, { 'Cache-Control': 'no-store' });
}
