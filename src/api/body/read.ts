import { ApiError } from '../errors.ts';
import { bodyChunks } from './body_chunks.ts';
import { badRequest, imageTooLarge, quoted, remoteImage } from './body_errors.ts';
import { type HeaderValue, parseHeaderValue } from './header_value.ts';
import { type Allocate, arraySink, type ImageSink, LimitedSink, newBytes } from './image_sink.ts';
import { readJson } from './json_body.ts';
import { MAX_IMAGE_BYTES, MAX_JSON_BYTES, MAX_MULTIPART_BYTES } from './limits.ts';
import { readMultipart } from './multipart_body.ts';
import { readRaw } from './raw_body.ts';

export type { ImageSink };

/** What a request body held. */
export interface Upload {
  readonly image: Uint8Array;
  /** Parsed JSON, not yet validated; undefined when absent. */
  readonly ops: unknown;
}

/** How a body is written, and the most bytes it may have. */
const forms = {
  json: { limit: MAX_JSON_BYTES },
  multipart: { limit: MAX_MULTIPART_BYTES },
  raw: { limit: MAX_IMAGE_BYTES },
} as const;

const EXPECTED = 'Expected application/json, multipart/form-data or image/*';

/**
 * Reads a request's body, once, as a stream: JSON with base64, multipart/form-data, or the bytes of an image.
 * Holds no more than the image and 2 MB. When it throws, the rest of the body is cancelled.
 * @param sink where the image's bytes go as they arrive; by default an array of its own
 * @param allocate makes every buffer that is needed
 * @throws ApiError bad_request, payload_too_large, unsupported_media_type
 */
export async function readUpload(
  request: Request,
  sink?: ImageSink,
  allocate: Allocate = newBytes,
): Promise<Upload> {
  try {
    return await read(request, new LimitedSink(sink ?? arraySink(allocate)), allocate);
  } catch (error) {
    // Refused before anything was read: nothing else would tell the sender to stop. Rejects when it was
    // cancelled already.
    await request.body?.cancel().catch(() => {});
    throw error;
  }
}

/** What the head of a request says of its body. */
interface Head {
  readonly type: HeaderValue;
  readonly form: keyof typeof forms;
  readonly query: URLSearchParams;
  readonly declared: number | undefined;
}

/**
 * What can be refused before the body is read. @throws ApiError bad_request, payload_too_large,
 * unsupported_media_type
 */
export function requireReadable(request: Request): Head {
  const type = contentType(request);
  const form = formOf(type);
  const query = new URL(request.url).searchParams;
  if (query.has('image_url')) throw remoteImage('The query string holds "image_url".');
  if (form !== 'raw' && query.has('ops')) {
    throw badRequest(
      '"ops" belongs in the body here; in the query string it goes with an image/* body only.',
    );
  }
  const declared = declaredLength(request.headers.get('Content-Length'));
  if (declared !== undefined && declared > forms[form].limit) throw imageTooLarge(declared);
  return { type, form, query, declared };
}

async function read(request: Request, sink: LimitedSink, allocate: Allocate): Promise<Upload> {
  const { type, form, query, declared } = requireReadable(request);
  const chunks = bodyChunks(request.body, forms[form].limit, imageTooLarge, allocate);
  const ops =
    form === 'json'
      ? await readJson(chunks, declared, sink, allocate)
      : form === 'multipart'
        ? await readMultipart(chunks, declared, type.parameters.get('boundary'), sink, allocate)
        : await readRaw(chunks, declared, query, sink);
  return { image: sink.finish(), ops };
}

/** @throws ApiError unsupported_media_type when there is none, or the body is compressed */
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
function formOf({ value, parameters }: HeaderValue): keyof typeof forms {
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

/** What a Content-Length header says; undefined where it says nothing. */
export function declaredLength(contentLength: string | null): number | undefined {
  const header = contentLength?.trim();
  return header && /^\d+$/.test(header) ? Number(header) : undefined;
}

const unsupported = (message: string) => new ApiError('unsupported_media_type', message);
