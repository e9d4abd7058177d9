import type { Context } from 'hono';
import type { Reservation } from '../../codecs/budget.ts';
import { detectOpsSchema } from '../../ops/schema.ts';
import { readFacts } from '../../sanitize/admission.ts';
import { detect } from '../../sanitize/detect.ts';
import { type HeldSanitized, sanitizeHeld } from '../../sanitize/pipeline.ts';
import { badRequest, checkOps, quoted } from '../body/refusals.ts';
import type { Env } from '../env.ts';
import { elapsedMs } from '../metering.ts';
import { requireOps } from '../ops.ts';
import { inspectResult } from '../routes/inspect.ts';
import { usageRoute } from '../routes/usage.ts';
import { type ToolName, toolOpsSchema, withoutNulls } from '../tools.ts';
import { isolateWorkshop } from '../workshop.ts';

/** What a tool gives back: data for the program, and for sanitize the picture, to be disposed of when it is sent. */
export interface ToolResult {
  readonly structured: Record<string, unknown>;
  readonly image?: HeldSanitized;
}

/** Turns the `image` argument into bytes. @throws ApiError */
export type ImageOf = (argument: string) => Uint8Array;

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
  const workshop = isolateWorkshop(c.env);
  const { signal } = c.req.raw;
  switch (name) {
    case 'inspect_image':
      if (ops !== undefined) throw badRequest('inspect_image takes no "ops".');
      return { structured: { ...inspectResult(readFacts(bytes), bytes) } };
    case 'detect_faces':
      return {
        structured: {
          ...(await detect(bytes, requireOps(detectOpsSchema, ops), workshop, signal, memory)),
        },
      };
    case 'sanitize_image': {
      const asked = { ...requireOps(toolOpsSchema, ops), response: 'binary' as const };
      const image = await sanitizeHeld(bytes, asked, workshop, signal, memory);
      const report = { ...image.report, durationMs: await elapsedMs(c) };
      return { structured: { content_type: image.mediaType, report }, image };
    }
  }
}
