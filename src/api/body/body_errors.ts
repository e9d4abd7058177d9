import { ApiError } from '../answers/errors.ts';
import { MAX_IMAGE_BYTES, MAX_OPS_BYTES } from './limits.ts';

/** Errors that the readers of several body formats throw. */

export const badRequest = (message: string) => new ApiError('bad_request', message);

const NEVER_FETCHED =
  'Remote images are never fetched: send the image itself, as base64 in "image", as a multipart file part, or as the body.';

export const remoteImage = (what: string) => badRequest(`${what} ${NEVER_FETCHED}`);

/** @param bytes the declared length, if the image was refused for that */
export const imageTooLarge = (bytes?: number) =>
  new ApiError(
    'payload_too_large',
    `The image is larger than 25 MB (${MAX_IMAGE_BYTES} bytes)${bytes === undefined ? '' : `: the request declares ${bytes} bytes`}.`,
  );

export const opsTooLarge = (what: string) =>
  new ApiError('payload_too_large', `${what} is larger than 1 MB (${MAX_OPS_BYTES} bytes).`);
