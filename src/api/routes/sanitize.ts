import type { Context } from 'hono';
import { sanitizeOpsSchema } from '../../ops/schema.ts';
import { type Sanitized, sanitizeInPlace } from '../../sanitize/pipeline.ts';
import type { PurgeReport } from '../../sanitize/report.ts';
import { receiveUpload } from '../body/receive.ts';
import type { Env } from '../env.ts';
import { imageEnvelope } from '../envelope.ts';
import { elapsedMs } from '../metering.ts';
import { requireOps } from '../parse_ops.ts';
import { isolateRuntime } from '../runtime.ts';
import { streamedBody } from '../streamed_body.ts';

/** POST /v1/sanitize: the image, clean. */
export async function sanitizeRoute(c: Context<Env>): Promise<Response> {
  using upload = await receiveUpload(c);
  const ops = requireOps(sanitizeOpsSchema, upload.ops);
  const runtime = isolateRuntime(c.env);
  const { signal } = c.req.raw;
  const made = await sanitizeInPlace(upload.image, ops, runtime, signal, upload.memory);
  const { bytes, mediaType, report } = made;
  if (ops.response === 'binary') {
    const body = streamedBody(c, made, { length: bytes.length, pieces: [bytes] });
    return new Response(body, { headers: binaryHeaders(made) });
  }
  const durationMs = await elapsedMs(c);
  const body = imageEnvelope(bytes, { content_type: mediaType, report: { ...report, durationMs } });
  const headers = { ...reportHeaders(report), 'Content-Type': 'application/json' };
  return new Response(streamedBody(c, made, body), { headers });
}

const binaryHeaders = ({ report, mediaType, extension }: Sanitized) => ({
  ...reportHeaders(report),
  'Content-Type': mediaType,
  'Content-Disposition': `inline; filename="sanitized.${extension}"`,
});

const reportHeaders = (report: PurgeReport) => ({
  'X-Service-Faces-Detected': String(report.facesDetected),
  'X-Service-Regions-Pixelated': String(report.regionsPixelated),
  'Cache-Control': 'no-store',
});
