import { ImageSanitizer, type UploadProgress } from '../../../client/index.ts';
import type { Engine, EngineCallOptions } from './engine.ts';

/**
 * A client that sends this key, or none.
 * @param longestWaitMs for the rate limit. By default it fails on a 429 instead: the request queue waits and
 * shows for how long.
 */
export const clientFor = (apiKey: string | null, longestWaitMs = 900) =>
  new ImageSanitizer({ baseUrl: '', ...(apiKey && { apiKey }), retry: { longestWaitMs } });

/** The service as the page's engine: every call sends the photo, and is metered. See `clientFor`. */
export function serviceEngine(apiKey: string | null, longestWaitMs?: number): Engine {
  const client = clientFor(apiKey, longestWaitMs);
  return {
    name: 'service',
    async inspect(file, ops, options) {
      const { facts, ...value } = await client.inspect(file, ops, uploadOptions(options));
      return { value, facts };
    },
    async detect(file, ops, options) {
      const { facts, ...value } = await client.detect(file, ops, uploadOptions(options));
      return { value, facts };
    },
    async sanitize(file, ops, options) {
      const { facts, ...value } = await client.sanitizeWithReport(file, ops, uploadOptions(options));
      return { value, facts };
    },
  };
}

const uploadOptions = ({ signal, onProgress }: EngineCallOptions) => ({
  ...(signal && { signal }),
  ...(onProgress && {
    onProgress: ({ sent, total }: UploadProgress) => onProgress({ stage: 'sending', done: sent, total }),
  }),
});
