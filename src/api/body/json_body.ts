import { Base64Stream } from './base64_stream.ts';
import { badRequest, opsTooLarge } from './body_errors.ts';
import type { Allocate, LimitedSink } from './image_sink.ts';
import { JsonMembers } from './json_members.ts';
import type { JsonForm } from './json_scanner.ts';
import { checkOpsJson, refuseDuplicates } from './ops_json.ts';
import type { ReadGate } from './read_gate.ts';
import { readJson } from './read_json.ts';

/**
 * Reads `{ "image": "<base64>", "ops": {…} }`.
 * @param declared the body's length, if the request declares it
 * @returns `ops` as parsed, undefined if absent; the image is in `sink`
 * @throws ApiError bad_request, payload_too_large; invalid_ops for duplicate names in `ops`
 */
export async function readJsonUpload(
  chunks: AsyncIterable<Uint8Array>,
  declared: number | undefined,
  sink: LimitedSink,
  allocate: Allocate,
  { spend }: Pick<ReadGate, 'spend'>,
): Promise<unknown> {
  // Four characters of base64 give at most three bytes.
  if (declared !== undefined) sink.expect(Math.floor((declared / 4) * 3));
  const base64 = new Base64Stream((bytes) => sink.write(bytes), allocate);
  const members = new JsonMembers();
  const { value, duplicates, hasImage } = await readJson(
    chunks,
    uploadForm(members),
    base64,
    allocate,
    spend,
  );
  const unknown = members.unknownMembersError();
  if (unknown) throw unknown;
  if (!hasImage) throw badRequest('"image" is missing: expected {"image": "<base64>", "ops": {…}}.');
  base64.finish();
  if (sink.written === 0) throw badRequest('"image" is empty.');
  const { ops } = value as { readonly ops?: unknown };
  checkOpsJson(ops);
  // Those beside `ops` were refused where they stood.
  refuseDuplicates(duplicates.map((path) => path.replace(/^ops\./, '')));
  return ops;
}

const uploadForm = (members: JsonMembers): JsonForm => ({
  imagePath: ['image'],
  what: 'The body',
  fault: badRequest,
  noObject: (kind) =>
    kind === undefined
      ? badRequest('The body is empty: expected a JSON object with "image".')
      : badRequest(`The body must be a JSON object with "image", but ${kind} came.`),
  tooLarge: () => members.unknownMembersError() ?? opsTooLarge('The JSON body, the image left out,'),
  onMember: (name) => members.add(name),
  onOtherImage: (kind) => {
    throw badRequest(`"image" must be a string of base64, but ${kind} came.`);
  },
});
