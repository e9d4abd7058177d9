import type { Context } from 'hono';
import { sanitizeOpsSchema } from '../../ops/schema.ts';
import { type HeldSanitized, type Sanitized, sanitize, sanitizeHeld } from '../../sanitize/pipeline.ts';
import type { PurgeReport } from '../../sanitize/report.ts';
import { receiveUpload } from '../body/receive.ts';
import type { Env } from '../env.ts';
import { imageEnvelope } from '../envelope.ts';
import { elapsedMs } from '../metering.ts';
import { requireOps } from '../ops.ts';
import { isolateWorkshop } from '../workshop.ts';

/** POST /v1/sanitize: the image, clean. */
export async function sanitizeRoute(c: Context<Env>): Promise<Response> {
  using upload = await receiveUpload(c);
  const ops = requireOps(sanitizeOpsSchema, upload.ops);
  const workshop = isolateWorkshop(c.env);
  const { signal } = c.req.raw;
  if (ops.response === 'binary') {
    const made = await sanitizeHeld(upload.image, ops, workshop, signal, upload.memory);
    return new Response(sentOnce(c, made), { headers: binaryHeaders(made) });
  }
  const { bytes, mediaType, report } = await sanitize(upload.image, ops, workshop, signal, upload.memory);
  const durationMs = await elapsedMs(c);
  const body = imageEnvelope(bytes, { content_type: mediaType, report: { ...report, durationMs } });
  return new Response(body, { headers: { ...reportHeaders(report), 'Content-Type': 'application/json' } });
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

/**
 * The output as a body, read from where it was made: a copy would be collected late (docs/benchmarks.md). Its memory is given
 * back when the last byte is written, or nobody is there to read it.
 */
function sentOnce(c: Context<Env>, made: HeldSanitized): ReadableStream {
  const { readable, writable } = new FixedLengthStream(made.bytes.length);
  const writer = writable.getWriter();
  const send = async () => {
    using held = made;
    const { signal } = c.req.raw;
    // Who is gone already will never read, nor cancel.
    signal.throwIfAborted();
    signal.addEventListener('abort', () => writer.abort(signal.reason).catch(() => {}));
    await writer.write(held.bytes);
    await writer.close();
  };
  c.executionCtx.waitUntil(send().catch(() => {}));
  return readable;
}
