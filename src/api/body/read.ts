import { quoted } from '../../json/quoted.ts';
import { ApiError } from '../answers/errors.ts';
import { bodyChunks } from './body_chunks.ts';
import { badRequest, imageTooLarge, remoteImage } from './body_errors.ts';
import { type HeaderValue, parseHeaderValue } from './header_value.ts';
import { type Allocate, arraySink, type ImageSink, LimitedSink, newBytes } from './image_sink.ts';
import { readJsonUpload } from './json_body.ts';
import { MAX_IMAGE_BYTES, MAX_JSON_BYTES, MAX_MULTIPART_BYTES } from './limits.ts';
import { readMultipart } from './multipart_body.ts';
import { readRaw } from './raw_body.ts';
import { openGate, type ReadGate } from './read_gate.ts';

/** The contents of a request body. */
export interface Upload {
  readonly image: Uint8Array;
  /** Parsed JSON, not yet validated; undefined if absent. */
  readonly ops: unknown;
}

/** The body formats, and the most bytes of each. */
const bodyFormats = {
  json: { limit: MAX_JSON_BYTES },
  multipart: { limit: MAX_MULTIPART_BYTES },
  raw: { limit: MAX_IMAGE_BYTES },
} as const;

type BodyFormat = keyof typeof bodyFormats;

const EXPECTED = 'Expected application/json, multipart/form-data or image/*';

/**
 * Reads a request's body as a stream: JSON with base64, multipart/form-data, or the bytes of an image. Needs
 * memory for the image and 2 MB. If it throws, the rest is left in the body, for `drainBody`.
 * @param sink receives the bytes of the image; by default a new array
 * @param allocate allocates every buffer that is needed
 * @param gate controls the memory reserved for the body
 * @throws ApiError bad_request, payload_too_large, unsupported_media_type; what the gate throws
 */
export async function readUpload(
  request: Request,
  sink?: ImageSink,
  allocate: Allocate = newBytes,
  gate: ReadGate = openGate,
): Promise<Upload> {
  return read(request, new LimitedSink(sink ?? arraySink(allocate)), allocate, gate);
}

/** What the request headers say about the body. */
interface BodyHead {
  readonly type: HeaderValue;
  readonly format: BodyFormat;
  readonly query: URLSearchParams;
  readonly declared: number | undefined;
}

/**
 * Checks what can be checked before the body is read.
 * @throws ApiError bad_request, payload_too_large, unsupported_media_type
 */
export function requireReadable(request: Request): BodyHead {
  const type = contentType(request);
  const format = formatOf(type);
  const query = new URL(request.url).searchParams;
  if (query.has('image_url')) throw remoteImage('The query string holds "image_url".');
  if (format !== 'raw' && query.has('ops')) {
    throw badRequest(
      '"ops" belongs in the body here; in the query string it goes with an image/* body only.',
    );
  }
  const declared = declaredLength(request.headers.get('Content-Length'));
  if (declared !== undefined && declared > bodyFormats[format].limit) throw imageTooLarge(declared);
  return { type, format, query, declared };
}

async function read(
  request: Request,
  sink: LimitedSink,
  allocate: Allocate,
  gate: ReadGate,
): Promise<Upload> {
  const { type, format, query, declared } = requireReadable(request);
  const chunks = bodyChunks(request.body, bodyFormats[format].limit, imageTooLarge, allocate, gate);
  const ops =
    format === 'json'
      ? await readJsonUpload(chunks, declared, sink, allocate, gate)
      : format === 'multipart'
        ? await readMultipart(chunks, declared, type.parameters.get('boundary'), sink, allocate, gate)
        : await readRaw(chunks, declared, query, sink);
  return { image: sink.finish(), ops };
}

/** @throws ApiError unsupported_media_type if there is none, or the body is compressed */
function contentType(request: Request): HeaderValue {
  const encoding = request.headers.get('Content-Encoding')?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') {
    throw unsupported(`The body is compressed (Content-Encoding: ${quoted([encoding])}): send it as it is.`);
  }
  const header = request.headers.get('Content-Type');
  if (header === null || header.trim() === '') throw unsupported(`${EXPECTED}, but no Content-Type came.`);
  return parseHeaderValue(header);
}

/** @throws ApiError unsupported_media_type */
function formatOf({ value, parameters }: HeaderValue): BodyFormat {
  if (/^image\/[^\s/]+$/.test(value)) return 'raw';
  if (value === 'multipart/form-data') return 'multipart';
  if (value === 'application/json' || /^application\/[^\s/]+\+json$/.test(value)) {
    const charset = parameters.get('charset')?.toLowerCase() ?? 'utf-8';
    if (charset === 'utf-8' || charset === 'utf8') return 'json';
    throw unsupported(`A JSON body must be UTF-8 (RFC 8259), but its charset is ${quoted([charset])}.`);
  }
  const hint =
    value === 'application/x-www-form-urlencoded'
      ? ' (curl -d needs -H "Content-Type: application/json")'
      : '';
  throw unsupported(`${EXPECTED}, but ${quoted([value])} came${hint}.`);
}

/** The number in a Content-Length header; undefined without a valid one. */
export function declaredLength(contentLength: string | null): number | undefined {
  const header = contentLength?.trim();
  return header && /^\d+$/.test(header) ? Number(header) : undefined;
}

const unsupported = (message: string) => new ApiError('unsupported_media_type', message);
