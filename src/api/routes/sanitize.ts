import type { Context } from 'hono';
import type { PurgeReport } from '../../ops/responses.ts';
import { sanitizeOpsSchema } from '../../ops/schema.ts';
import { type Sanitized, sanitizeInPlace } from '../../sanitize/sanitize.ts';
import { imageEnvelope } from '../answers/envelope.ts';
import { streamedBody } from '../answers/streamed_body.ts';
import { elapsedMs } from '../billing/metering.ts';
import type { Env } from '../env.ts';
import { timed } from '../metrics.ts';
import { receiveCall } from '../receive_call.ts';
import { isolateRuntime } from '../runtime.ts';

/** POST /v1/sanitize: the sanitized image. */
export async function sanitizeRoute(c: Context<Env>): Promise<Response> {
  using call = await receiveCall(c, 'sanitize', sanitizeOpsSchema);
  const runtime = isolateRuntime(c.env);
  const { signal } = c.req.raw;
  const sanitized = await timed('working', () =>
    sanitizeInPlace(call.image, call.ops, runtime, signal, call.memory),
  );
  const { bytes, mediaType } = sanitized;
  if (call.ops.response === 'binary') {
    const body = streamedBody(c, sanitized, { length: bytes.length, chunks: [bytes] });
    return new Response(body, { headers: binaryHeaders(sanitized) });
  }
  const report: PurgeReport = { ...sanitized.report, durationMs: await elapsedMs(c) };
  const body = imageEnvelope(bytes, { content_type: mediaType, report });
  const headers = { ...reportHeaders(sanitized), 'Content-Type': 'application/json' };
  return new Response(streamedBody(c, sanitized, body), { headers });
}

const binaryHeaders = (sanitized: Sanitized) => ({
  ...reportHeaders(sanitized),
  'Content-Type': sanitized.mediaType,
  'Content-Disposition': `inline; filename="sanitized.${sanitized.extension}"`,
});

const reportHeaders = ({ report }: Sanitized) => ({
  'X-Service-Faces-Detected': String(report.facesDetected),
  'X-Service-Regions-Pixelated': String(report.regionsPixelated),
  'Cache-Control': 'no-store',
});
