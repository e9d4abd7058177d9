import type { Context } from 'hono';
import { quoted } from '../../json/quoted.ts';
import type { ImageFile } from '../../memory/image_file.ts';
import type { Reservation } from '../../memory/reservation.ts';
import type { PurgeReport } from '../../ops/responses.ts';
import { detect } from '../../sanitize/detect.ts';
import { inspect } from '../../sanitize/inspect.ts';
import { type SanitizedInPlace, sanitizeInPlace } from '../../sanitize/sanitize.ts';
import { elapsedMs } from '../billing/metering.ts';
import { usageRecord } from '../billing/usage_record.ts';
import { badRequest } from '../body/body_errors.ts';
import { checkOpsJson } from '../body/ops_json.ts';
import type { Env } from '../env.ts';
import { timed } from '../metrics.ts';
import { parseOps } from '../parse_ops.ts';
import { isolateRuntime } from '../runtime.ts';
import { requireSamePicture } from '../same_picture.ts';
import { type ToolName, toolInspectOpsSchema, toolOpsFor, withoutNulls } from '../tools.ts';

/** The result of a tool: structured data, and for sanitize the image, to be disposed of once it is sent. */
export interface ToolResult {
  readonly structured: Record<string, unknown>;
  readonly image?: SanitizedInPlace;
}

/** Returns the file passed as the `image` argument. @throws ApiError if it is not usable */
export type TakeImage = () => ImageFile;

/**
 * Runs a tool. Metering and error results are left to the caller.
 * @param memory reserved for the image; handed over to the job
 * @throws ApiError, Fault
 */
export async function runTool(
  c: Context<Env>,
  name: ToolName,
  args: unknown,
  takeImage: TakeImage,
  memory: Reservation,
): Promise<ToolResult> {
  checkOpsJson(args);
  const { image, ops, ...others } = withoutNulls(args ?? {}) as { image?: unknown; ops?: unknown };
  if (Object.keys(others).length > 0)
    throw badRequest(`The arguments hold ${quoted(Object.keys(others))}, which ${name} does not take.`);
  if (name === 'get_usage') {
    if (image !== undefined || ops !== undefined) throw badRequest('get_usage takes no arguments.');
    return { structured: await usageRecord(c) };
  }
  // If it was a text, it was taken out of the message while the message was read.
  if (typeof image !== 'string')
    throw badRequest('Expected "image" to be the base64 of an image, but it is missing or no text.');
  const file = takeImage();
  const runtime = isolateRuntime(c.env);
  const { signal } = c.req.raw;
  const toolOps = toolOpsFor(c.env.DETECTORS?.detectors);
  switch (name) {
    case 'inspect_image': {
      const inspectOps = { ...parseOps(toolInspectOpsSchema, ops, c.env), thumbnails: false };
      await requireSamePicture(c, name, file, inspectOps);
      return { structured: await inspect(file, inspectOps, runtime, signal, memory) };
    }
    case 'detect_faces': {
      const detectOps = parseOps(toolOps.detect, ops, c.env);
      await requireSamePicture(c, name, file, detectOps);
      return {
        structured: await timed('working', () => detect(file, detectOps, runtime, signal, memory)),
      };
    }
    case 'sanitize_image': {
      const given = { ...parseOps(toolOps.sanitize, ops, c.env), response: 'binary' as const };
      await requireSamePicture(c, name, file, given);
      const sanitized = await timed('working', () => sanitizeInPlace(file, given, runtime, signal, memory));
      const report: PurgeReport = { ...sanitized.report, durationMs: await elapsedMs(c) };
      return { structured: { content_type: sanitized.mediaType, report }, image: sanitized };
    }
  }
}
