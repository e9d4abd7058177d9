import { cleanRequest } from './clean_request.ts';
import type { UploadOptions } from './clean_upload.ts';

/** What is used of Hono's context. */
interface HonoContext {
  readonly req: { raw: Request };
}

/**
 * Middleware for Hono: what handlers after it read by `c.req.formData()`, `parseBody()` or `arrayBuffer()` is
 * clean. Refusals are UploadErrors, which Hono answers as they say.
 */
export function cleanUploads(options: UploadOptions = {}) {
  return async ({ req }: HonoContext, next: () => Promise<void>): Promise<void> => {
    req.raw = await cleanRequest(req.raw, options);
    await next();
  };
}
