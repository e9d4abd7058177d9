import { Fault, type FaultKind, OverloadedFault, ParameterFault } from '../../faults.ts';
import type { ErrorBody, ErrorCode, Issue } from '../../ops/responses.ts';

/** The media type of RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json';

/** The table of error codes: status, and the message used when nothing more precise is known. */
export const errorTable = {
  bad_request: {
    status: 400,
    meaning: 'The body is malformed, the base64 is invalid or the image is missing.',
  },
  invalid_ops: { status: 400, meaning: 'The ops object failed validation; issues[] names each field.' },
  invalid_api_key: { status: 401, meaning: 'The API key is unknown, expired, replaced or revoked.' },
  quota_exceeded: { status: 402, meaning: 'The monthly cap of billable calls is reached.' },
  not_found: { status: 404, meaning: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, meaning: 'This address does not answer this method.' },
  payload_too_large: { status: 413, meaning: 'The image is larger than 25 MB.' },
  unsupported_media_type: { status: 415, meaning: 'The body is neither JSON, multipart nor an image.' },
  unprocessable_image: { status: 422, meaning: 'The bytes are not a decodable image within the limits.' },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The Idempotency-Key was used for another picture or other ops.',
  },
  rate_limit_exceeded: { status: 429, meaning: 'The rate limit is exceeded.' },
  internal_error: { status: 500, meaning: 'Something failed on our side; nothing was kept.' },
  misconfigured: { status: 500, meaning: 'A setting of this deployment can not be meant as it is.' },
  overloaded: { status: 503, meaning: 'The service is busy; try again shortly.' },
  admin_disabled: { status: 503, meaning: 'Key administration is not set up on this deployment.' },
} as const satisfies Record<ErrorCode, { status: number; meaning: string }>;

export type ErrorStatus = (typeof errorTable)[ErrorCode]['status'];

interface ErrorExtras {
  readonly issues?: readonly Issue[];
  readonly retryAfterSeconds?: number;
  /** Methods for the `Allow` header of a 405. */
  readonly allow?: readonly string[];
}

/** An error as callers see it. Thrown anywhere in api and turned into a response by `errorResponse` alone. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, message: string = errorTable[code].meaning, extras: ErrorExtras = {}) {
    super(message);
    this.code = code;
    this.extras = extras;
  }

  get status(): ErrorStatus {
    return errorTable[this.code].status;
  }
}

/** The error code of each kind of fault. */
const codeOfFault: Record<FaultKind, ErrorCode> = {
  decoding: 'unprocessable_image',
  limit: 'unprocessable_image',
  unsupported: 'unprocessable_image',
  parameter: 'invalid_ops',
  stalled: 'bad_request',
  overloaded: 'overloaded',
  unclean: 'internal_error',
};

/** Any thrown value as an ApiError. Unexpected ones become `internal_error` without any detail. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof ParameterFault) {
    const issue = { path: thrown.path, message: thrown.message, code: 'out_of_image' };
    return new ApiError('invalid_ops', `The ops object does not fit this image: ${thrown.message}`, {
      issues: [issue],
    });
  }
  if (thrown instanceof OverloadedFault) {
    return new ApiError('overloaded', thrown.message, { retryAfterSeconds: thrown.retryAfterSeconds });
  }
  if (thrown instanceof Fault && codeOfFault[thrown.kind] !== 'internal_error') {
    return new ApiError(codeOfFault[thrown.kind], thrown.message);
  }
  return new ApiError('internal_error');
}

/**
 * The error body of the specification, plus the request's id.
 * @param requestId the id that the response also has as X-Request-Id
 * @param docs address of the page that explains the code
 */
export function errorBody(error: ApiError, requestId: string, docs: string): ErrorBody {
  const { issues, retryAfterSeconds } = error.extras;
  return {
    error: error.code,
    message: error.message,
    docs,
    ...(issues && { issues: [...issues] }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    request_id: requestId,
  };
}

/**
 * An error as an HTTP response; parameters as in `errorBody`.
 * @param isProblem whether it has the members of RFC 9457 beside its own, and that media type
 */
export function errorResponse(error: ApiError, requestId: string, docs: string, isProblem = false): Response {
  const { retryAfterSeconds, allow } = error.extras;
  const problem = isProblem && { type: docs, title: errorTable[error.code].meaning, status: error.status };
  const body = { ...problem, ...errorBody(error, requestId, docs) };
  const headers = new Headers({
    'Content-Type': isProblem ? PROBLEM_TYPE : 'application/json',
    'Cache-Control': 'no-store',
  });
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(retryAfterSeconds));
  if (allow) headers.set('Allow', allow.join(', '));
  if (error.status === 401) headers.set('WWW-Authenticate', 'Bearer');
  return new Response(JSON.stringify(body), { status: error.status, headers });
}
