import { Base64Stream } from './base64_stream.ts';
import { badRequest } from './body_errors.ts';
import type { Allocate, LimitedSink } from './image_sink.ts';
import { duplicateNames } from './json_duplicates.ts';
import { JsonScanner } from './json_scanner.ts';
import { checkOpsJson, refuseDuplicates } from './ops_json.ts';

/**
 * Reads `{ "image": "<base64>", "ops": {…} }`.
 * @param declared the body's length, if the request declares it
 * @returns `ops` as parsed, undefined if absent; the image is in `sink`
 * @throws ApiError bad_request, payload_too_large; invalid_ops for duplicate names in `ops`
 */
export async function readJson(
  chunks: AsyncIterable<Uint8Array>,
  declared: number | undefined,
  sink: LimitedSink,
  allocate: Allocate,
): Promise<unknown> {
  // Four characters of base64 give at most three bytes.
  if (declared !== undefined) sink.expect(Math.floor((declared / 4) * 3));
  const base64 = new Base64Stream((bytes) => sink.write(bytes), allocate);
  const scanner = new JsonScanner(base64, allocate);
  for await (const chunk of chunks) scanner.push(chunk);
  const text = scanner.finish();
  base64.finish();
  if (sink.written === 0) throw badRequest('"image" is empty.');
  let body: { readonly ops?: unknown };
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as SyntaxError).message}`);
  }
  checkOpsJson(body.ops);
  // The scanner has refused duplicates beside `ops`.
  refuseDuplicates(duplicateNames(text).map((path) => path.replace(/^ops\./, '')));
  return body.ops;
}
