import type { ImageErrorCode } from '../../library/image_error.ts';

/**
 * A call that this device could not answer. `not_loaded`: a part of the pipeline did not arrive, or ended.
 */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  readonly code: ImageErrorCode | 'not_loaded';

  constructor(code: ImageErrorCode | 'not_loaded', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
