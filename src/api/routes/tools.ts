import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { toolDefinitions } from '../tools.ts';

let latest: { readonly deployed: unknown; readonly body: ReturnType<typeof toolDefinitions> } | undefined;

/** GET /v1/tools.json: tool definitions in the formats of two vendors. */
export function toolsRoute(c: Context<Env>): Response {
  const { DETECTORS: deployed } = c.env;
  if (!latest || latest.deployed !== deployed)
    latest = { deployed, body: toolDefinitions(deployed?.detectors) };
  return c.json(latest.body);
}
