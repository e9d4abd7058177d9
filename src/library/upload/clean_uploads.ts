import { cleanRequest } from './clean_request.ts';
import type { UploadOptions } from './clean_upload.ts';

/** The members of Hono's context that are used. */
interface HonoContext {
  readonly req: { raw: Request };
}

/**
 * Middleware for Hono: later handlers get clean images from `c.req.formData()`, `parseBody()` or
 * `arrayBuffer()`. Refusals are UploadErrors, which Hono turns into their responses.
 */
export function cleanUploads(options: UploadOptions = {}) {
  return async ({ req }: HonoContext, next: () => Promise<void>): Promise<void> => {
    req.raw = await cleanRequest(req.raw, options);
    await next();
  };
}
