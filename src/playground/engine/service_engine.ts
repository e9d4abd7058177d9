import type { ImageSanitizer, UploadProgress } from '../../../client/index.ts';
import type { Engine, EngineCallOptions } from './engine.ts';

/**
 * A client that sends this key, or none. Its script is loaded with the first call.
 * @param longestWaitMs for the rate limit. With the default it fails on a 429 instead: the request queue
 * waits and shows how long.
 */
export async function clientFor(apiKey: string | null, longestWaitMs = 900): Promise<ImageSanitizer> {
  const { ImageSanitizer: Client } = await import('../../../client/index.ts');
  return new Client({ baseUrl: '', ...(apiKey && { apiKey }), retry: { longestWaitMs } });
}

/** The service as the page's engine: every call sends the photo, and is metered. See `clientFor`. */
export function serviceEngine(apiKey: string | null, longestWaitMs?: number): Engine {
  const client = () => clientFor(apiKey, longestWaitMs);
  return {
    name: 'service',
    async inspect(file, ops, options) {
      const { facts, ...value } = await (await client()).inspect(file, ops, uploadOptions(options));
      return { value, facts };
    },
    async detect(file, ops, options) {
      const { facts, ...value } = await (await client()).detect(file, ops, uploadOptions(options));
      return { value, facts };
    },
    async sanitize(file, ops, options) {
      const { facts, ...value } = await (await client()).sanitizeWithReport(
        file,
        ops,
        uploadOptions(options),
      );
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
