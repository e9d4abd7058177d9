import type { Context } from 'hono';
import { usageRecord } from '../billing/usage_record.ts';
import type { Env } from '../env.ts';

/** GET /v1/usage: the calling key's current month, or that of `?period=`; its days with `?by=day`. */
export async function usageRoute(c: Context<Env>): Promise<Response> {
  const query = { period: c.req.query('period'), by: c.req.query('by') };
  return c.json(await usageRecord(c, query), 200, { 'Cache-Control': 'no-store' });
}
