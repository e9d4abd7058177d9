import type { Context } from 'hono';
import { ArrivingFile } from '../../codecs/arriving_file.ts';
import { sanitizeOpsSchema } from '../../ops/schema.ts';
import { sanitize } from '../../sanitize/pipeline.ts';
import { readUpload } from '../body/read.ts';
import type { Env } from '../env.ts';
import { imageEnvelope } from '../envelope.ts';
import { elapsedMs } from '../metering.ts';
import { requireOps } from '../ops.ts';
import { isolateWorkshop } from '../workshop.ts';

/** POST /v1/sanitize: the image, clean. */
export async function sanitizeRoute(c: Context<Env>): Promise<Response> {
  using file = new ArrivingFile();
  const upload = await readUpload(c.req.raw, file);
  const ops = requireOps(sanitizeOpsSchema, upload.ops);
  const result = await sanitize(upload.image, ops, isolateWorkshop(c.env), c.req.raw.signal);
  const { report } = result;
  const headers = {
    'X-Service-Faces-Detected': String(report.facesDetected),
    'X-Service-Regions-Pixelated': String(report.regionsPixelated),
    'Cache-Control': 'no-store',
  };
  if (ops.response === 'json') {
    const durationMs = await elapsedMs(c);
    const body = imageEnvelope(result.bytes, {
      content_type: result.mediaType,
      report: { ...report, durationMs },
    });
    return new Response(body, { headers: { ...headers, 'Content-Type': 'application/json' } });
  }
  return new Response(result.bytes, {
    headers: {
      ...headers,
      'Content-Type': result.mediaType,
      'Content-Disposition': `inline; filename="sanitized.${result.extension}"`,
    },
  });
}
