import type { Context } from 'hono';
import { detectOpsSchema } from '../../ops/schema.ts';
import { detect } from '../../sanitize/detect.ts';
import { receiveUpload } from '../body/receive.ts';
import type { Env } from '../env.ts';
import { requireOps } from '../parse_ops.ts';
import { isolateRuntime } from '../runtime.ts';

/** POST /v1/detect: face boxes, the image untouched. */
export async function detectRoute(c: Context<Env>): Promise<Response> {
  using upload = await receiveUpload(c);
  const ops = requireOps(detectOpsSchema, upload.ops);
  const result = await detect(upload.image, ops, isolateRuntime(c.env), c.req.raw.signal, upload.memory);
  return c.json(result, 200, { 'Cache-Control': 'no-store' });
}
