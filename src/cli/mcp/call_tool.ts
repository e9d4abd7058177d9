import { Buffer } from 'node:buffer';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Tool, toolInspectOpsSchema, toolOpsSchema, withoutNulls } from '../../api/tools.ts';
import { duplicateIssues } from '../../json/duplicates.ts';
import { quoted } from '../../json/quoted.ts';
import { ImageError, type Sanitizer } from '../../library/worker.ts';
import { formatOfName } from '../../metadata/extensions.ts';
import { outputMediaTypes } from '../../ops/responses.ts';
import { detectOpsSchema } from '../../ops/schema.ts';
import { validateOps } from '../../ops/validate.ts';
import { readFile } from '../read_file.ts';
import { OutputExistsError, writeWhole } from '../write_file.ts';
import { type Folders, PathError } from './folders.ts';

/** The environment of the tools. */
export interface ToolContext {
  readonly sanitizer: Pick<Sanitizer, 'sanitize' | 'inspect' | 'detect'>;
  readonly folders: Folders;
  /** Most bytes of an image. */
  readonly maxBytes: number;
  /** A clock in milliseconds, with any zero. */
  readonly now: () => number;
}

interface ToolArguments {
  readonly image?: unknown;
  readonly path?: unknown;
  readonly output_path?: unknown;
  readonly ops?: unknown;
}

/** Arguments that are refused before any file is touched. */
class ArgumentError extends Error {}

/**
 * Runs a tool; never throws. A refusal is a result with `isError` and a body as in the HTTP API.
 * @param opsDuplicates dotted paths of members that the ops hold twice: nobody can tell which is meant
 */
export async function callTool(
  tool: Tool,
  given: unknown,
  context: ToolContext,
  signal: AbortSignal,
  opsDuplicates: readonly string[] = [],
): Promise<CallToolResult> {
  try {
    if (opsDuplicates.length > 0) {
      const message = `ops holds ${quoted(opsDuplicates)} more than once.`;
      throw new OpsError(duplicateIssues(opsDuplicates), message);
    }
    return await run(tool, withoutNulls(given ?? {}) as ToolArguments, context, signal);
  } catch (error) {
    const text = JSON.stringify(refusalOf(error));
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

async function run(
  { name }: Tool,
  args: ToolArguments,
  { sanitizer, folders, maxBytes, now }: ToolContext,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const writes = name === 'sanitize_image';
  const { image, path, output_path: outputPath, ops, ...others } = args;
  const strange = [...Object.keys(others), ...(outputPath !== undefined && !writes ? ['output_path'] : [])];
  if (strange.length > 0) throw new ArgumentError(`${name} does not take ${listed(strange)}`);
  if ((image === undefined) === (path === undefined)) {
    throw new ArgumentError(
      `Expected either image or path but received ${image === undefined ? 'neither' : 'both'}`,
    );
  }
  for (const [member, value] of Object.entries({ image, path, output_path: outputPath })) {
    if (value !== undefined && typeof value !== 'string')
      throw new ArgumentError(`Expected ${member} to be a text`);
  }
  const options = { signal, transfer: true };
  const source = async () =>
    path === undefined ? bytesOf(image as string, maxBytes) : fileOf(folders, path as string, maxBytes);
  if (name === 'inspect_image') {
    const valid = validOps(toolInspectOpsSchema, ops);
    return told(await sanitizer.inspect(await source(), { ...valid, thumbnails: false }, options));
  }
  if (name === 'detect_faces') {
    return told(await sanitizer.detect(await source(), validOps(detectOpsSchema, ops), options));
  }
  const begun = now();
  const target = outputPath === undefined ? undefined : await folders.output(outputPath as string);
  const valid = validOps(toolOpsSchema, target === undefined ? ops : withFormatOf(target, ops));
  const { bytes, mediaType, report } = await sanitizer.sanitize(await source(), valid, options);
  const durationMs = Math.round(now() - begun);
  const result = { content_type: mediaType, report: { ...report, durationMs } };
  if (target !== undefined) {
    await writeWhole(target, bytes, false, undefined, (written, at) => folders.requireStill(at, written));
    return told({ ...result, output_path: target });
  }
  const picture = {
    type: 'image' as const,
    data: Buffer.from(bytes).toString('base64'),
    mimeType: mediaType,
  };
  const { content, structuredContent } = told(result);
  return { content: [picture, ...content], structuredContent: structuredContent! };
}

async function fileOf(folders: Folders, path: string, maxBytes: number) {
  const real = await folders.source(path);
  return readFile(real, maxBytes, (file) => folders.requireStill(real, file));
}

/** Most names repeated in a message, and most characters of each. */
const MAX_LISTED = 20;
const MAX_LISTED_LENGTH = 64;

function listed(names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  const first = names.slice(0, MAX_LISTED).map((name) => name.slice(0, MAX_LISTED_LENGTH));
  return first.join(', ') + more;
}

const told = (result: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: result as Record<string, unknown>,
});

const isMembers = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Ops whose output format is that of the path's extension. A value that can't be ops is returned unchanged.
 */
function withFormatOf(path: string, ops: unknown): unknown {
  const format = formatOfName(path);
  if (!format || !(outputMediaTypes as readonly string[]).includes(`image/${format}`)) {
    throw new ArgumentError('Expected output_path to end in .jpg, .png or .webp');
  }
  if (!isMembers(ops ?? {})) return ops;
  const { output, ...rest } = (ops ?? {}) as { output?: { format?: unknown } };
  if (!isMembers(output ?? {})) return ops;
  if (output?.format !== undefined && output.format !== format) {
    throw new ArgumentError(`Expected output.format to be ${format}, as output_path ends, or absent`);
  }
  return { ...rest, output: { ...output, format } };
}

class OpsError extends Error {
  readonly issues: readonly object[];

  constructor(issues: readonly object[], message = 'The ops are not valid') {
    super(message);
    this.issues = issues;
  }
}

function validOps<S extends Parameters<typeof validateOps>[0]>(schema: S, ops: unknown) {
  const valid = validateOps(schema, ops);
  if (!valid.ok) throw new OpsError(valid.issues);
  return valid.ops;
}

/** Decodes base64 in both alphabets, padded or not, also in a data URL; white space is ignored. */
function bytesOf(text: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  const base64 = text.replace(/^data:[^,]*;base64,/i, '').replace(/\s+/g, '');
  if (base64 === '' || !/^[\w+/-]*={0,2}$/.test(base64))
    throw new ArgumentError('Expected image to be base64');
  if ((base64.length / 4) * 3 > maxBytes + 2) {
    throw new ImageError('payload_too_large', `Expected an image of at most ${maxBytes} bytes`);
  }
  // A separate copy, which can be transferred to a thread.
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

/** A refusal in the wording of the HTTP API. */
function refusalOf(error: unknown): object {
  if (error instanceof OpsError)
    return { error: 'invalid_ops', message: error.message, issues: error.issues };
  if (error instanceof ImageError) return { error: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof OutputExistsError)
    return { error: 'bad_request', message: 'output_path is there already' };
  if (error instanceof PathError || error instanceof ArgumentError) return { error: 'bad_request', message };
  return { error: 'failed', message };
}
