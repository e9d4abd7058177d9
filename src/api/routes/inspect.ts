import type { Context } from 'hono';
import { inspectOpsSchema } from '../../ops/schema.ts';
import { inspect } from '../../sanitize/inspect.ts';
import type { Env } from '../env.ts';
import { parseOps } from '../parse_ops.ts';
import { receiveUpload } from '../receive_upload.ts';
import { isolateRuntime } from '../runtime.ts';
import { requireSamePicture } from '../same_picture.ts';

/**
 * POST /v1/inspect: what the file declares, which metadata it carries and, on request, the values of these.
 */
export async function inspectRoute(c: Context<Env>): Promise<Response> {
  using upload = await receiveUpload(c);
  const ops = parseOps(inspectOpsSchema, upload.body.ops, c.env);
  await requireSamePicture(c, 'inspect', upload.image, ops);
  const runtime = isolateRuntime(c.env);
  const result = await inspect(upload.image, ops, runtime, c.req.raw.signal, upload.memory);
  return c.json(result, 200, { 'Cache-Control': 'no-store' });
}
