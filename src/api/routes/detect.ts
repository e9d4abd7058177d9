import type { Context } from 'hono';
import { detectOpsSchema } from '../../ops/schema.ts';
import { detect } from '../../sanitize/detect.ts';
import type { Env } from '../env.ts';
import { timed } from '../metrics.ts';
import { parseOps } from '../parse_ops.ts';
import { receiveUpload } from '../receive_upload.ts';
import { isolateRuntime } from '../runtime.ts';
import { requireSamePicture } from '../same_picture.ts';

/** POST /v1/detect: the boxes of faces; the image is neither changed nor returned. */
export async function detectRoute(c: Context<Env>): Promise<Response> {
  using upload = await receiveUpload(c);
  const ops = parseOps(detectOpsSchema, upload.body.ops, c.env);
  await requireSamePicture(c, 'detect', upload.image, ops);
  const result = await timed('working', () =>
    detect(upload.image, ops, isolateRuntime(c.env), c.req.raw.signal, upload.memory),
  );
  return c.json(result, 200, { 'Cache-Control': 'no-store' });
}
