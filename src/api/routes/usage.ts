import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { usageRecord } from '../usage_record.ts';

/** GET /v1/usage: usage of the calling key in this month or the one of `?period=`. Not metered. */
export async function usageRoute(c: Context<Env>): Promise<Response> {
  return c.json(await usageRecord(c, c.req.query('period')), 200, { 'Cache-Control': 'no-store' });
}
