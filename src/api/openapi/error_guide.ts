import type { ErrorCode } from '../../ops/responses.ts';
import { inputFormatNames } from '../../vocabulary/format_names.ts';

/** What a caller should do about each error code, and an example message, for the reference. */
export const errorGuide: Record<ErrorCode, { readonly advice: string; readonly example: string }> = {
  bad_request: {
    advice: 'Correct the body: one image, as base64 in `image`, as a file part, or as the body itself.',
    example: 'The body has no "image".',
  },
  invalid_ops: {
    advice: 'Correct every field that `issues` names; all problems are listed at once.',
    example: 'pixelate.strength: Expected an integer from 1 to 12 but received 40',
  },
  invalid_api_key: {
    advice: 'Send a valid key, or none: calls without a key are anonymous and on the free tier.',
    example: 'This API key is unknown.',
  },
  quota_exceeded: {
    advice: 'Wait for the next UTC month, or ask the operator for a key with a higher cap.',
    example: 'This API key has reached the cap of 100000 billable calls a month.',
  },
  not_found: {
    advice: 'Check the address; all of them are listed in this reference.',
    example: 'There is nothing at /v1/nothing',
  },
  method_not_allowed: {
    advice: 'Use one of the methods that the `Allow` header names.',
    example: 'Expected OPTIONS, POST for /v1/inspect but received PUT',
  },
  payload_too_large: {
    advice: 'Send an image of at most 25 MB (26,214,400 bytes).',
    example: 'The image is larger than 25 MB (26214400 bytes).',
  },
  unsupported_media_type: {
    advice: 'Set `Content-Type` to `application/json`, `multipart/form-data` or `image/*`, uncompressed.',
    example: 'Expected application/json, multipart/form-data or image/*, but "text/plain" came.',
  },
  unprocessable_image: {
    advice:
      'Send another image: whole, of a supported format, at most 50 megapixels. The same one will not do.',
    example: `Expected a ${inputFormatNames('or')} image but received a PDF`,
  },
  idempotency_key_reused: {
    advice:
      'Use a new `Idempotency-Key` for each picture and each set of ops; the same ones may be tried again.',
    example: 'The Idempotency-Key was used for another picture or other ops.',
  },
  rate_limit_exceeded: {
    advice: 'Wait the stated time, then send the same call once more.',
    example: 'Without an API key you may make 1 call per rolling 60 seconds. Try again in 42 s.',
  },
  internal_error: {
    advice: 'Try again, up to three times, waiting longer each time. Nothing was charged.',
    example: 'Something failed on our side; nothing was kept.',
  },
  misconfigured: {
    advice: 'Correct the setting of the deployment that the message names; waiting changes nothing.',
    example: 'Expected TRUSTED_PROXY_HEADER to be the name of a header such as X-Real-IP, or none.',
  },
  overloaded: {
    advice: 'Try again after the stated time, waiting longer each time. Nothing was charged.',
    example: 'The service is busy; try again shortly.',
  },
  admin_disabled: {
    advice: 'Set `ADMIN_TOKEN` and `KEY_SIGNING_SECRET` on the deployment; waiting changes nothing.',
    example: 'Key administration is not set up on this deployment.',
  },
};
