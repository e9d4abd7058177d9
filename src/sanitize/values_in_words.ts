import { readValuesInParts } from '../metadata/values/read_values.ts';
import type { MetadataValues } from '../ops/responses.ts';

export { Payloads } from '../metadata/payloads.ts';

/** What metadata say as it is answered: pictures in base64. Yields as scanners do. */
export function* valuesInWords(
  ...file: Parameters<typeof readValuesInParts>
): Generator<number, MetadataValues> {
  const values = yield* readValuesInParts(...file);
  const thumbnails: MetadataValues['thumbnails'] = [];
  for (const { image, ...thumbnail } of values.thumbnails) {
    thumbnails.push({ ...thumbnail, ...(image && { image: yield* base64(image) }) });
  }
  return { ...values, thumbnails };
}

/** Characters of one call of fromCharCode, whose arguments lie on the stack; a multiple of three. */
const PIECE = 3 * 8192;
/** Writing a byte in base64 takes so many times longer than searching it. */
const WRITING = 64;

function* base64(bytes: Uint8Array): Generator<number, string> {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
    yield WRITING * PIECE;
  }
  return text;
}
