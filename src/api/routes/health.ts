import type { Context } from 'hono';
import { model } from '../../faces/model.ts';
import type { Health } from '../../ops/responses.ts';
import { anonymousWindows } from '../billing/meter_client.ts';
import type { Env } from '../env.ts';
import { SERVICE_VERSION } from '../version.ts';

/**
 * GET /v1/health: liveness, and which face detector this deployment runs. A server of one's own asks itself
 * every few seconds (scripts/serve/watchdog.mjs), so windows in memory that have passed are forgotten here.
 */
export function healthRoute(c: Context<Env>): Response {
  anonymousWindows.expire(Date.now());
  const health: Health = {
    status: 'ok',
    version: SERVICE_VERSION,
    model: { name: model.name, sha256: model.sha256 },
  };
  return c.json(health);
}
