import type { Context } from 'hono';
import { inspectOpsSchema } from '../../ops/schema.ts';
import { inspect } from '../../sanitize/inspect.ts';
import type { Env } from '../env.ts';
import { receiveCall } from '../receive_call.ts';
import { isolateRuntime } from '../runtime.ts';

/**
 * POST /v1/inspect: what the file declares, which metadata it carries and, on request, the values of these.
 */
export async function inspectRoute(c: Context<Env>): Promise<Response> {
  using call = await receiveCall(c, 'inspect', inspectOpsSchema);
  const runtime = isolateRuntime(c.env);
  const result = await inspect(call.image, call.ops, runtime, c.req.raw.signal, call.memory);
  return c.json(result, 200, { 'Cache-Control': 'no-store' });
}
