import { Fault, type FaultKind, ParameterFault } from '../faults.ts';
import type { ErrorCode, Issue } from '../ops/responses.ts';

/** Those codes of the HTTP API that a call without HTTP can end with; they mean the same. */
export type ImageErrorCode = Extract<
  ErrorCode,
  'invalid_ops' | 'unprocessable_image' | 'payload_too_large' | 'overloaded' | 'internal_error'
>;

/** An image or ops that were refused. An aborted call rejects with its signal's reason instead. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  readonly code: ImageErrorCode;
  /** Every problem of the ops, for `invalid_ops`. */
  readonly issues: readonly Issue[];

  constructor(code: ImageErrorCode, message: string, issues: readonly Issue[] = [], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.issues = issues;
  }
}

const codeOfFault: Record<FaultKind, ImageErrorCode> = {
  decoding: 'unprocessable_image',
  limit: 'unprocessable_image',
  unsupported: 'unprocessable_image',
  parameter: 'invalid_ops',
  stalled: 'overloaded',
  overloaded: 'overloaded',
  unclean: 'internal_error',
};

/**
 * A fault of the pipeline as callers see it. Anything else stays as it is: the reason of an aborted signal,
 * or a mistake of this library, which nobody should take for a fault of the image.
 */
export function toImageError(thrown: unknown): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  const issues =
    thrown instanceof ParameterFault
      ? [{ path: thrown.path, message: thrown.message, code: 'out_of_image' }]
      : [];
  return new ImageError(codeOfFault[thrown.kind], thrown.message, issues, { cause: thrown });
}
