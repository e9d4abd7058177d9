import { quoted } from '../../json/quoted.ts';
import { badRequest } from './body_errors.ts';
import type { LimitedSink } from './image_sink.ts';
import { parseOpsJson } from './ops_json.ts';

/**
 * Reads a body that is the image itself; `ops` is JSON in the query string.
 * @param declared the body's length, if the request declares it
 * @returns `ops` as parsed, undefined if absent; the image is in `sink`
 * @throws ApiError bad_request, payload_too_large
 */
export async function readRaw(
  chunks: AsyncIterable<Uint8Array>,
  declared: number | undefined,
  query: URLSearchParams,
  sink: LimitedSink,
): Promise<unknown> {
  // Checked before the image is read: a mistyped `?opps=` must not silently sanitize with the default ops.
  const unknown = [...new Set(query.keys())].filter((name) => name !== 'ops');
  if (unknown.length > 0) {
    throw badRequest(`The query string holds ${quoted(unknown)}: beside an image body it has only "ops".`);
  }
  const texts = query.getAll('ops');
  if (texts.length > 1) throw badRequest('The query string holds "ops" twice.');
  const ops = parseOpsJson(texts[0] ?? '');
  if (declared !== undefined) sink.expect(declared);
  for await (const chunk of chunks) sink.write(chunk);
  if (sink.written === 0) throw badRequest('The body is empty: expected the bytes of an image.');
  return ops;
}
