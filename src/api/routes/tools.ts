import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { toolDefinitions } from '../tools.ts';

let definitions: ReturnType<typeof toolDefinitions> | undefined;

/** GET /v1/tools.json: tool definitions in the formats of both vendors. */
export function toolsRoute(c: Context<Env>): Response {
  definitions ??= toolDefinitions();
  return c.json(definitions);
}
