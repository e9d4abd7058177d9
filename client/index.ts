import type {
  DetectResult,
  ErrorBody,
  Health,
  InspectResult,
  IssuedKey,
  KeyRecord,
  KeyRequest,
  Pricing,
  PurgeReport,
  SanitizeEnvelope,
  UsageRecord,
} from '../src/ops/responses.ts';
import type { DetectOpsInput, SanitizeOpsInput } from '../src/ops/schema.ts';
import { SanitizerError } from './error.ts';
import { type CallFacts, callFacts } from './facts.ts';
import { defaultRetryPolicy, type RetryPolicy, withRetries } from './retry.ts';
import { type Fetch, send, type UploadProgress } from './send.ts';
import { type ImageInput, uploadOf } from './upload.ts';

export type * from '../src/ops/responses.ts';
export type { DetectOpsInput, SanitizeOpsInput } from '../src/ops/schema.ts';
export { type ClientErrorCode, SanitizerError } from './error.ts';
export type { CallFacts } from './facts.ts';
export type { Retry, RetryPolicy } from './retry.ts';
export type { UploadProgress } from './send.ts';
export type { ImageInput } from './upload.ts';

export interface ClientOptions {
  /** Where the service is, e.g. `https://sanitizer.example`; in a page of the service itself, ''. */
  readonly baseUrl: string;
  /** Without one, calls are anonymous: one a minute. */
  readonly apiKey?: string;
  readonly retry?: Partial<RetryPolicy>;
  /** Used in place of the platform's. */
  readonly fetch?: Fetch;
}

export interface CallOptions {
  /** Stops the call and its waits; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told as the upload goes. */
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly retry?: Partial<RetryPolicy>;
}

/** What the image is to become; how it comes back is the method's choice. */
export type SanitizeOptions = Omit<SanitizeOpsInput, 'response'>;

/** Any result with what its headers say of rate limit and billing. */
export type WithFacts<T> = T & { readonly facts: CallFacts };

export interface SanitizedImage {
  /** Its `type` is the media type. */
  readonly image: Blob;
  readonly facesDetected: number;
  readonly regionsPixelated: number;
}

export interface SanitizedImageWithReport {
  readonly image: Blob;
  readonly report: PurgeReport;
}

interface Call extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly contentType?: string;
  readonly body?: Blob;
}

/**
 * A client of the image sanitizer, for browsers, Node and Workers. Every method throws SanitizerError when
 * the service refuses or can't be reached, after the retries that make sense.
 */
export class ImageSanitizer {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** The image, clean. */
  async sanitize(
    image: ImageInput,
    ops?: SanitizeOptions,
    options?: CallOptions,
  ): Promise<WithFacts<SanitizedImage>> {
    const { answer, facts } = await this.#post('/v1/sanitize', image, ops, options);
    const bytes = await answer.arrayBuffer();
    return {
      image: new Blob([bytes], { type: answer.headers.get('Content-Type') ?? '' }),
      facesDetected: Number(answer.headers.get('X-Service-Faces-Detected')),
      regionsPixelated: Number(answer.headers.get('X-Service-Regions-Pixelated')),
      facts,
    };
  }

  /** The image, clean, and the report of what was done. */
  async sanitizeWithReport(
    image: ImageInput,
    ops?: SanitizeOptions,
    options?: CallOptions,
  ): Promise<WithFacts<SanitizedImageWithReport>> {
    const asked: SanitizeOpsInput = { ...ops, response: 'json' };
    const { answer, facts } = await this.#post('/v1/sanitize', image, asked, options);
    const { image: base64, content_type, report } = (await answer.json()) as SanitizeEnvelope;
    return { image: new Blob([bytesOf(base64)], { type: content_type }), report, facts };
  }

  /** Face boxes of the upright image. None found is no proof that there are none. */
  async detect(
    image: ImageInput,
    ops?: DetectOpsInput,
    options?: CallOptions,
  ): Promise<WithFacts<DetectResult>> {
    return json(await this.#post('/v1/detect', image, ops, options));
  }

  /** What the file carries: what sanitize would destroy. */
  async inspect(image: ImageInput, options?: CallOptions): Promise<WithFacts<InspectResult>> {
    return json(await this.#post('/v1/inspect', image, undefined, options));
  }

  /** Calls and cost of the API key this UTC month. */
  async usage(options?: CallOptions): Promise<WithFacts<UsageRecord>> {
    return json(await this.#call('/v1/usage', options));
  }

  async health(options?: CallOptions): Promise<WithFacts<Health>> {
    return json(await this.#call('/v1/health', options));
  }

  async pricing(options?: CallOptions): Promise<WithFacts<Pricing>> {
    return json(await this.#call('/v1/pricing', options));
  }

  /** For the operator: `apiKey` is then the admin token. The key is shown this once. */
  async issueKey(request: KeyRequest, options?: CallOptions): Promise<WithFacts<IssuedKey>> {
    const body = new Blob([JSON.stringify(request)]);
    const call: Call = { ...options, method: 'POST', contentType: 'application/json', body };
    return json(await this.#call('/v1/keys', call));
  }

  /** For the operator: state and usage of a key. */
  async showKey(keyId: string, options?: CallOptions): Promise<WithFacts<KeyRecord>> {
    return json(await this.#call(`/v1/keys/${encodeURIComponent(keyId)}`, options));
  }

  /** For the operator: revokes a key for good. */
  async revokeKey(keyId: string, options?: CallOptions): Promise<void> {
    await this.#call(`/v1/keys/${encodeURIComponent(keyId)}`, { ...options, method: 'DELETE' });
  }

  async #post(path: string, image: ImageInput, ops: unknown, options: CallOptions = {}): Promise<Answered> {
    const { body, contentType, query } = await uploadOf(image, ops);
    return this.#call(path + query, { ...options, method: 'POST', body, contentType });
  }

  #call(path: string, call: Call = {}): Promise<Answered> {
    const { baseUrl, apiKey, retry, fetch } = this.#options;
    const { method = 'GET', body, contentType, signal, onProgress } = call;
    const headers: Record<string, string> = {
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
      ...(contentType !== undefined && { 'Content-Type': contentType }),
    };
    const url = baseUrl.replace(/\/+$/, '') + path;
    const once = async () =>
      answered(send({ method, url, headers, body, signal, onProgress }, fetch), signal);
    return withRetries(once, { ...defaultRetryPolicy, ...retry, ...call.retry }, signal);
  }
}

interface Answered {
  readonly answer: Response;
  readonly facts: CallFacts;
}

/** @throws SanitizerError; the signal's reason when it was aborted */
async function answered(sent: Promise<Response>, signal: AbortSignal | undefined): Promise<Answered> {
  let answer: Response;
  try {
    answer = await sent;
  } catch (cause) {
    signal?.throwIfAborted();
    throw new SanitizerError('network_error', 'The service can not be reached.', 0, {}, undefined, { cause });
  }
  const facts = callFacts(answer.headers);
  if (answer.ok && facts) return { answer, facts };
  const body = (await answer.json().catch(() => ({}))) as Partial<ErrorBody> | null;
  const message = body?.message ?? `The answer (${answer.status}) is not one of this service.`;
  throw new SanitizerError(body?.error ?? 'unexpected_answer', message, answer.status, body ?? {}, facts);
}

async function json<T>({ answer, facts }: Answered): Promise<WithFacts<T>> {
  return { ...((await answer.json()) as T), facts };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
