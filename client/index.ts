import type {
  IssuedKey,
  KeyChange,
  KeyList,
  KeyRecord,
  KeyRequest,
  KeyRotation,
  Pricing,
  RotatedKey,
  UsageRecord,
} from '../src/ops/account.ts';
import type { Health, Readiness } from '../src/ops/health.ts';
import type {
  DetectResult,
  ErrorBody,
  InspectResult,
  PurgeReport,
  SanitizeEnvelope,
} from '../src/ops/responses.ts';
import type { DetectOpsInput, InspectOpsInput, SanitizeOpsInput } from '../src/ops/schema.ts';
import { DEFAULT_TIMEOUT_MS, type Deadline, withDeadline } from './deadline.ts';
import { SanitizerError } from './error.ts';
import { type CallFacts, callFacts } from './facts.ts';
import { defaultRetryPolicy, type RetryPolicy, withRetries } from './retry.ts';
import { type Fetch, send, type UploadProgress } from './send.ts';
import { StreamBody } from './stream_body.ts';
import { type ImageInput, randomName, uploadOf } from './upload.ts';

export type * from '../src/ops/account.ts';
export type * from '../src/ops/health.ts';
export type * from '../src/ops/responses.ts';
export type { DetectOpsInput, InspectOpsInput, SanitizeOpsInput } from '../src/ops/schema.ts';
export { type ClientErrorCode, SanitizerError } from './error.ts';
export type { CallFacts } from './facts.ts';
export type { Retry, RetryPolicy } from './retry.ts';
export type { UploadProgress } from './send.ts';
export type { ByteStream } from './stream_body.ts';
export type { ImageInput } from './upload.ts';

export interface ClientOptions {
  /** The service's origin, e.g. `https://sanitizer.example`; '' in a page of the service itself. */
  readonly baseUrl: string;
  /** Without a key, calls are anonymous: one a minute. */
  readonly apiKey?: string;
  readonly retry?: Partial<RetryPolicy>;
  /** Default of `CallOptions.timeout` for every call. */
  readonly timeout?: number;
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: Fetch;
}

export interface CallOptions {
  /** Aborts the call and its waits; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called during the upload. */
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly retry?: Partial<RetryPolicy>;
  /**
   * Milliseconds for the whole call, including the upload, retries with their waits, and the answer; default
   * 300,000, Infinity for no limit. A call that takes longer rejects with the error `timeout`.
   */
  readonly timeout?: number;
  /**
   * Identifies a call on an image, e.g. `crypto.randomUUID()`: with an API key it is charged once within 24
   * hours, however often it is tried. Use a new one for each picture. By default the client makes one for
   * each call, so that it can retry after a broken connection.
   */
  readonly idempotencyKey?: string;
}

/** Options of usage. */
export interface UsageOptions extends CallOptions {
  /** A UTC month as `YYYY-MM`: the current one or one of the twelve before it. */
  readonly period?: string;
  /** `day`: also the days of the month. */
  readonly by?: 'day';
}

/** Options of listKeys. */
export interface KeyListOptions extends CallOptions {
  /** Most keys per page, 1 to 100; default 50. */
  readonly limit?: number;
  /** The `next_cursor` of the previous page; by default the first page is returned. */
  readonly cursor?: string;
}

/** The ops of sanitize, without `response`: each method sets it. */
export type SanitizeOptions = Omit<SanitizeOpsInput, 'response'>;

/** A result with the rate limit and billing of its call. */
export type WithFacts<T> = T & { readonly facts: CallFacts };

export interface SanitizedImage {
  /** The clean image; its `type` is the media type. */
  readonly image: Blob;
  readonly facesDetected: number;
  readonly regionsPixelated: number;
}

export interface SanitizedImageWithReport {
  readonly image: Blob;
  readonly report: PurgeReport;
}

interface Call extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly contentType?: string;
  readonly body?: Blob | StreamBody;
  /** Whether the call may be repeated even if it was already served; default by method (RFC 9110). */
  readonly isRepeatable?: boolean;
}

/** Reads the answer of a served call. */
type Read<T> = (answer: SuccessfulResponse) => Promise<T>;

/**
 * A client of the image sanitizer, for browsers, Node and Workers. Every method throws a SanitizerError if
 * the service refuses the call or can't be reached, after the retries of the policy.
 */
export class ImageSanitizer {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Sanitizes an image. */
  async sanitize(
    image: ImageInput,
    ops?: SanitizeOptions,
    options?: CallOptions,
  ): Promise<WithFacts<SanitizedImage>> {
    return this.#post('/v1/sanitize', image, ops, options, async ({ response, facts, signal }) => {
      const bytes = await whole(response.arrayBuffer(), response, facts, signal);
      return {
        image: new Blob([bytes], { type: response.headers.get('Content-Type') ?? '' }),
        facesDetected: Number(response.headers.get('X-Service-Faces-Detected')),
        regionsPixelated: Number(response.headers.get('X-Service-Regions-Pixelated')),
        facts,
      };
    });
  }

  /** Sanitizes an image, and reports what was done. */
  async sanitizeWithReport(
    image: ImageInput,
    ops?: SanitizeOptions,
    options?: CallOptions,
  ): Promise<WithFacts<SanitizedImageWithReport>> {
    const jsonOps: SanitizeOpsInput = { ...ops, response: 'json' };
    const envelope = await this.#post('/v1/sanitize', image, jsonOps, options, json<SanitizeEnvelope>);
    const { image: base64, content_type, report, facts } = envelope;
    return { image: new Blob([decodeBase64(base64)], { type: content_type }), report, facts };
  }

  /** Face boxes of the upright image. Detection can miss faces. */
  async detect(
    image: ImageInput,
    ops?: DetectOpsInput,
    options?: CallOptions,
  ): Promise<WithFacts<DetectResult>> {
    return this.#post('/v1/detect', image, ops, options, json<DetectResult>);
  }

  /** The metadata in the file that sanitize would remove; with `ops.values` also their values. */
  async inspect(
    image: ImageInput,
    ops?: InspectOpsInput,
    options?: CallOptions,
  ): Promise<WithFacts<InspectResult>> {
    return this.#post('/v1/inspect', image, ops, options, json<InspectResult>);
  }

  /** Calls and cost of the API key in the current UTC month, or in another. */
  async usage({ period, by, ...call }: UsageOptions = {}): Promise<WithFacts<UsageRecord>> {
    return this.#call(`/v1/usage${queryOf({ period, by })}`, call, json<UsageRecord>);
  }

  /** Whether the service is up. */
  async health(options?: CallOptions): Promise<WithFacts<Health>> {
    return this.#call('/v1/health', options, json<Health>);
  }

  /** Whether a call would be served now; if not, it throws the error `overloaded`. */
  async ready(options?: CallOptions): Promise<WithFacts<Readiness>> {
    return this.#call('/v1/ready', options, json<Readiness>);
  }

  /** What calls cost. */
  async pricing(options?: CallOptions): Promise<WithFacts<Pricing>> {
    return this.#call('/v1/pricing', options, json<Pricing>);
  }

  /** Issues a key. For the operator, whose `apiKey` is the admin token. The key is returned only here. */
  async issueKey(request: KeyRequest, options?: CallOptions): Promise<WithFacts<IssuedKey>> {
    return this.#sendJson('POST', '/v1/keys', request, options, json<IssuedKey>);
  }

  /** The keys that were issued, in pages. For the operator. */
  async listKeys({ limit, cursor, ...call }: KeyListOptions = {}): Promise<WithFacts<KeyList>> {
    return this.#call(`/v1/keys${queryOf({ limit, cursor })}`, call, json<KeyList>);
  }

  /** State and usage of a key. For the operator. */
  async showKey(keyId: string, options?: CallOptions): Promise<WithFacts<KeyRecord>> {
    return this.#call(`/v1/keys/${encodeURIComponent(keyId)}`, options, json<KeyRecord>);
  }

  /** Changes plan, cap, label or expiry of a key from its next call on. For the operator. */
  async changeKey(keyId: string, change: KeyChange, options?: CallOptions): Promise<WithFacts<KeyRecord>> {
    return this.#sendJson('PATCH', `/v1/keys/${encodeURIComponent(keyId)}`, change, options, json<KeyRecord>);
  }

  /**
   * Issues a new token of a key, which replaces the current one; that one stays valid for a while. For the
   * operator.
   */
  async rotateKey(
    keyId: string,
    rotation: KeyRotation = {},
    options?: CallOptions,
  ): Promise<WithFacts<RotatedKey>> {
    const path = `/v1/keys/${encodeURIComponent(keyId)}/rotate`;
    return this.#sendJson('POST', path, rotation, options, json<RotatedKey>);
  }

  /** Revokes a key for good. For the operator. */
  async revokeKey(keyId: string, options?: CallOptions): Promise<void> {
    await this.#call(
      `/v1/keys/${encodeURIComponent(keyId)}`,
      { ...options, method: 'DELETE' },
      async () => {},
    );
  }

  #sendJson<T>(
    method: 'POST' | 'PATCH',
    path: string,
    value: unknown,
    options: CallOptions | undefined,
    read: Read<T>,
  ): Promise<T> {
    const body = new Blob([JSON.stringify(value)]);
    return this.#call(path, { ...options, method, contentType: 'application/json', body }, read);
  }

  async #post<T>(
    path: string,
    image: ImageInput,
    ops: unknown,
    options: CallOptions | undefined,
    read: Read<T>,
  ): Promise<T> {
    refuseUnknown(options ?? {});
    const { body, contentType, query } = await uploadOf(image, ops);
    const idempotencyKey = options?.idempotencyKey ?? randomName();
    const call = { ...options, idempotencyKey, method: 'POST', isRepeatable: true } as const;
    try {
      return await this.#call(path + query, { ...call, body, contentType }, read);
    } finally {
      if (body instanceof StreamBody) void body.close();
    }
  }

  #call<T>(path: string, call: Call = {}, read: Read<T>): Promise<T> {
    const { baseUrl, apiKey, retry, fetch } = this.#options;
    const { method = 'GET', body, contentType, isRepeatable = method !== 'POST', ...options } = call;
    refuseUnknown(options);
    const { onProgress, idempotencyKey } = options;
    const timeout = options.timeout ?? this.#options.timeout ?? DEFAULT_TIMEOUT_MS;
    const headers: Record<string, string> = {
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': `"${idempotencyKey}"` }),
    };
    const url = baseUrl.replace(/\/+$/, '') + path;
    const streamed = body instanceof StreamBody ? body : undefined;
    return withDeadline(timeout, options.signal, ({ signal, left }: Deadline) => {
      const attempt = async () => {
        const sent = send({ method, url, headers, body, signal, onProgress }, fetch);
        return read(await requireSuccess(sent, signal, streamed));
      };
      return withRetries(
        attempt,
        { ...defaultRetryPolicy, ...retry, ...call.retry },
        {
          isHarmless: isRepeatable,
          isBodyRead: () => streamed?.isRead ?? false,
          timeLeft: left,
          signal,
        },
      );
    });
  }
}

interface SuccessfulResponse {
  readonly response: Response;
  readonly facts: CallFacts;
  readonly signal: AbortSignal;
}

/**
 * Waits for a response of the service that is not an error.
 * @throws SanitizerError; the signal's reason if aborted; the error of the streamed image
 */
async function requireSuccess(
  sent: Promise<Response>,
  signal: AbortSignal,
  streamed: StreamBody | undefined,
): Promise<SuccessfulResponse> {
  let response: Response;
  try {
    response = await sent;
  } catch (cause) {
    signal.throwIfAborted();
    streamed?.throwIfFailed();
    throw new SanitizerError('network_error', 'The service can not be reached.', 0, {}, undefined, { cause });
  }
  const facts = callFacts(response.headers);
  if (response.ok && facts) return { response, facts, signal };
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorBody> | null;
  const message = body?.message ?? `The answer (${response.status}) is not one of this service.`;
  throw new SanitizerError(body?.error ?? 'unexpected_answer', message, response.status, body ?? {}, facts);
}

async function json<T>({ response, facts, signal }: SuccessfulResponse): Promise<WithFacts<T>> {
  return { ...((await whole(response.json(), response, facts, signal)) as T), facts };
}

/**
 * Waits for the body of a served call.
 * @throws SanitizerError broken_download if the connection breaks before the end; the signal's reason
 */
async function whole<T>(
  body: Promise<T>,
  { status }: Response,
  facts: CallFacts,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await body;
  } catch (cause) {
    signal.throwIfAborted();
    const message = 'The answer broke off: the call was served, but not all of its result has arrived.';
    throw new SanitizerError('broken_download', message, status, {}, facts, { cause });
  }
}

const KNOWN_OPTIONS = ['signal', 'onProgress', 'retry', 'timeout', 'idempotencyKey'];

/** Ops passed as options would silently have no effect. @throws TypeError */
function refuseUnknown(options: object): void {
  const unknown = Object.keys(options).filter((name) => !KNOWN_OPTIONS.includes(name));
  if (unknown.length === 0) return;
  throw new TypeError(
    `Expected only the options ${KNOWN_OPTIONS.join(', ')} but received ${unknown.join(', ')}`,
  );
}

/** @returns the query string with its question mark, or '' without any value */
function queryOf(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `?${query}` : '';
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
