import type { Issue } from '../../ops/responses.ts';
import type { ImageError, ImageErrorCode } from '../image_error.ts';

export type UploadErrorCode = ImageErrorCode | 'bad_request' | 'unsupported_media_type';

/** The statuses of these codes in the HTTP API. */
const statusOf: Record<UploadErrorCode, number> = {
  bad_request: 400,
  invalid_ops: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable_image: 422,
  internal_error: 500,
  overloaded: 503,
};

/**
 * An upload that was refused. Express answers with its `status`, Hono with the response of `getResponse`;
 * neither needs further code.
 */
export class UploadError extends Error {
  override readonly name = 'UploadError';
  readonly code: UploadErrorCode;
  /** Status of the answer: 400, 413, 415, 422, 500 or 503. */
  readonly status: number;
  readonly issues: readonly Issue[];

  constructor(code: UploadErrorCode, message: string, issues: readonly Issue[] = [], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = statusOf[code];
    this.issues = issues;
  }

  /** The answer in JSON: `error`, `message` and, for `invalid_ops`, `issues`, as in the HTTP API. */
  getResponse(): Response {
    const { code, message, issues, status } = this;
    const body = { error: code, message, ...(issues.length > 0 && { issues }) };
    return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
  }
}

/** Converts an ImageError to an UploadError; returns everything else unchanged. */
export function toUploadError(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown.name !== 'ImageError') return thrown;
  // Not `instanceof`: the class may come from another copy of the library, such as
  // `image-sanitizer/standalone`.
  const { code, message, issues } = thrown as ImageError;
  return new UploadError(code, message, issues, { cause: thrown });
}
