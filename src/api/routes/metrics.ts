import type { Context } from 'hono';
import { requireAdmin } from '../caller/admin.ts';
import type { Env } from '../env.ts';
import { metrics } from '../metrics.ts';
import { isolateRuntime } from '../runtime.ts';
import { SERVICE_VERSION } from '../version.ts';

/** GET /metrics: the figures of the answering isolate, for Prometheus; requires the admin token. */
export async function metricsRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  const { budget } = isolateRuntime(c.env);
  const text = metrics.text({
    version: SERVICE_VERSION,
    memoryBytes: budget.capacity,
    memoryHeldBytes: budget.capacity - budget.freeBytes,
    callsWaiting: budget.waiting,
  });
  return c.body(text, 200, {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    'Cache-Control': 'no-store',
  });
}
