import type { Context } from 'hono';
import type { Reservation } from '../../memory/budget.ts';
import { detectOpsSchema } from '../../ops/schema.ts';
import { detect } from '../../sanitize/detect.ts';
import { type SanitizedInPlace, sanitizeInPlace } from '../../sanitize/pipeline.ts';
import { readFacts } from '../../sanitize/read_header.ts';
import { badRequest, checkOps, quoted } from '../body/body_errors.ts';
import type { Env } from '../env.ts';
import { elapsedMs } from '../metering.ts';
import { requireOps } from '../parse_ops.ts';
import { inspectResult } from '../routes/inspect.ts';
import { usageRoute } from '../routes/usage.ts';
import { isolateRuntime } from '../runtime.ts';
import { type ToolName, toolOpsSchema, withoutNulls } from '../tools.ts';

/**
 * What a tool gives back: data for the program, and for sanitize the picture, to be disposed of when it is
 * sent.
 */
export interface ToolResult {
  readonly structured: Record<string, unknown>;
  readonly image?: SanitizedInPlace;
}

/** Turns the `image` argument into bytes. @throws ApiError */
type ImageOf = (argument: string) => Uint8Array;

/**
 * Does what a tool is for; neither counts nor catches.
 * @param memory what is reserved for the image; goes over to the job
 * @throws ApiError, Fault
 */
export async function runTool(
  c: Context<Env>,
  name: ToolName,
  given: unknown,
  imageOf: ImageOf,
  memory: Reservation,
): Promise<ToolResult> {
  checkOps(given);
  const { image, ops, ...others } = withoutNulls(given ?? {}) as { image?: unknown; ops?: unknown };
  if (Object.keys(others).length > 0)
    throw badRequest(`The arguments hold ${quoted(Object.keys(others))}, which ${name} does not take.`);
  if (name === 'get_usage') {
    if (image !== undefined || ops !== undefined) throw badRequest('get_usage takes no arguments.');
    return { structured: await (await usageRoute(c)).json() };
  }
  if (typeof image !== 'string' || image === '')
    throw badRequest('Expected "image" to be the base64 of an image, but it is missing, empty or no text.');
  const bytes = imageOf(image);
  const runtime = isolateRuntime(c.env);
  const { signal } = c.req.raw;
  switch (name) {
    case 'inspect_image':
      if (ops !== undefined) throw badRequest('inspect_image takes no "ops".');
      return { structured: { ...inspectResult(readFacts(bytes), bytes) } };
    case 'detect_faces':
      return {
        structured: {
          ...(await detect(bytes, requireOps(detectOpsSchema, ops), runtime, signal, memory)),
        },
      };
    case 'sanitize_image': {
      const asked = { ...requireOps(toolOpsSchema, ops), response: 'binary' as const };
      const image = await sanitizeInPlace(bytes, asked, runtime, signal, memory);
      const report = { ...image.report, durationMs: await elapsedMs(c) };
      return { structured: { content_type: image.mediaType, report }, image };
    }
  }
}
