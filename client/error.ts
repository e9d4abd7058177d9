import type { ErrorBody, ErrorCode, Issue } from '../src/ops/responses.ts';
import type { CallFacts } from './facts.ts';

/** Codes of the service, and ours: nothing came back, or something that is not this service's answer. */
export type ClientErrorCode = ErrorCode | 'network_error' | 'unexpected_answer';

/** A call that did not succeed. Aborts are not one of these: they reject with the signal's own reason. */
export class SanitizerError extends Error {
  override readonly name = 'SanitizerError';
  readonly code: ClientErrorCode;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Every problem of the ops object, on `invalid_ops`. */
  readonly issues: readonly Issue[];
  /** Names this very call when asking for help. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the same call can succeed. */
  readonly retryAfter: number | undefined;
  /** Where the code is explained. */
  readonly docs: string | undefined;
  /** Rate limit and billing, where an answer came. */
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
