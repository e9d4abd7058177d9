import type { Context } from 'hono';
import { detectOpsSchema } from '../../ops/schema.ts';
import { detect } from '../../sanitize/detect.ts';
import type { Env } from '../env.ts';
import { timed } from '../metrics.ts';
import { receiveCall } from '../receive_call.ts';
import { isolateRuntime } from '../runtime.ts';

/** POST /v1/detect: the boxes of faces; the image is neither changed nor returned. */
export async function detectRoute(c: Context<Env>): Promise<Response> {
  using call = await receiveCall(c, 'detect', detectOpsSchema);
  const result = await timed('working', () =>
    detect(call.image, call.ops, isolateRuntime(c.env), c.req.raw.signal, call.memory),
  );
  return c.json(result, 200, { 'Cache-Control': 'no-store' });
}
