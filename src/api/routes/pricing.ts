import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { pricing } from '../pricing.ts';

/** GET /v1/pricing: what calls cost. */
export function pricingRoute(c: Context<Env>): Response {
  return c.json(pricing());
}
