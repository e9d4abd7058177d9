import type { Context } from 'hono';
import { pricing } from '../billing/pricing.ts';
import type { Env } from '../env.ts';

/** GET /v1/pricing: what calls cost. */
export function pricingRoute(c: Context<Env>): Response {
  return c.json(pricing());
}
