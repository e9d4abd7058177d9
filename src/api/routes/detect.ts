import type { Context } from 'hono';
import { ArrivingFile } from '../../codecs/arriving_file.ts';
import { detectOpsSchema } from '../../ops/schema.ts';
import { detect } from '../../sanitize/detect.ts';
import { readUpload } from '../body/read.ts';
import type { Env } from '../env.ts';
import { requireOps } from '../ops.ts';
import { isolateWorkshop } from '../workshop.ts';

/** POST /v1/detect: face boxes, the image untouched. */
export async function detectRoute(c: Context<Env>): Promise<Response> {
  using file = new ArrivingFile();
  const upload = await readUpload(c.req.raw, file);
  const ops = requireOps(detectOpsSchema, upload.ops);
  const result = await detect(upload.image, ops, isolateWorkshop(c.env), c.req.raw.signal);
  return c.json(result, 200, { 'Cache-Control': 'no-store' });
}
