import { Fault, type FaultKind, ParameterFault } from '../faults.ts';
import type { ErrorCode, Issue } from '../ops/responses.ts';

/** The codes of the HTTP API that also occur without HTTP, with the same meaning. */
export type ImageErrorCode = Extract<
  ErrorCode,
  'invalid_ops' | 'unprocessable_image' | 'payload_too_large' | 'overloaded' | 'internal_error'
>;

/** The image or the ops were refused. An aborted call rejects with its signal's reason instead. */
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
 * Converts a fault of the pipeline to an ImageError. Everything else is returned unchanged: the reason of an
 * aborted signal, or a bug of this library, which must not look like a fault of the image.
 */
export function toImageError(thrown: unknown): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  const issues =
    thrown instanceof ParameterFault
      ? [{ path: thrown.path, message: thrown.message, code: 'out_of_image' }]
      : [];
  return new ImageError(codeOfFault[thrown.kind], thrown.message, issues, { cause: thrown });
}
