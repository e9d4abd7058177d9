import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { usageRecord } from '../usage_record.ts';

/** GET /v1/usage: the usage record of the calling key, of this month or the one in `?period=`. Not metered. */
export async function usageRoute(c: Context<Env>): Promise<Response> {
  return c.json(await usageRecord(c, c.req.query('period')), 200, { 'Cache-Control': 'no-store' });
}
