import { readValuesInParts } from '../metadata/values/read_values.ts';
import type { MetadataValues } from '../ops/responses.ts';

export { Payloads } from '../metadata/payloads.ts';
export { hasPosition } from '../metadata/values/values.ts';

/** The values of metadata as answers have them, with pictures in base64. Yields as scanners do. */
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

/** Bytes for one call of fromCharCode, whose arguments lie on the stack; a multiple of three. */
const PIECE = 3 * 8192;
/** How many times longer writing a byte in base64 takes than searching it. */
const BASE64_BYTE_WORK = 64;

function* base64(bytes: Uint8Array): Generator<number, string> {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
    yield BASE64_BYTE_WORK * PIECE;
  }
  return text;
}
