import type { ErrorBody, ErrorCode, Issue } from '../src/ops/responses.ts';
import type { CallFacts } from './facts.ts';

/**
 * The service's codes, and four of the client: no response; none in time; a response that broke off (the call
 * was served); or one that is not from this service.
 */
export type ClientErrorCode =
  | ErrorCode
  | 'network_error'
  | 'timeout'
  | 'broken_download'
  | 'unexpected_answer';

/** A call that failed. An aborted call rejects with the signal's reason instead. */
export class SanitizerError extends Error {
  override readonly name = 'SanitizerError';
  readonly code: ClientErrorCode;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Every problem of the ops object, for `invalid_ops`. */
  readonly issues: readonly Issue[];
  /** Identifies the call in a request for help. */
  readonly requestId: string | undefined;
  /** Seconds until the same call can succeed. */
  readonly retryAfter: number | undefined;
  /** Address of an explanation of the code. */
  readonly docs: string | undefined;
  /** Rate limit and billing, if there was a response. */
  readonly facts: CallFacts | undefined;

  constructor(
    code: ClientErrorCode,
    message: string,
    status: number,
    body: Partial<ErrorBody> = {},
    facts?: CallFacts,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.issues = body.issues ?? [];
    this.requestId = body.request_id ?? facts?.requestId;
    this.retryAfter = body.retry_after_seconds;
    this.docs = body.docs;
    this.facts = facts;
  }
}
