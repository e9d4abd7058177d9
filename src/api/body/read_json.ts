import type { Allocate } from './image_sink.ts';
import type { ImageCharacters } from './json_image_string.ts';
import { type JsonForm, JsonScanner } from './json_scanner.ts';
import { type ParsedJson, parseJson } from './parse_json.ts';

/** Nanoseconds that parsing takes for each character of the text, beside scanning its bytes. */
const PARSED_CHARACTER = 40;

/** A body that was read, all but the image. */
export interface ReadJson extends ParsedJson {
  /** Whether a string stood in the image's place. */
  readonly hasImage: boolean;
  /** Bytes of the text, the image left out. */
  readonly textBytes: number;
}

/**
 * Reads a JSON object and hands the image string in it on as it comes, so that its base64 is never in memory
 * as a whole.
 * @param image receives its characters; that they have ended is left to the caller
 * @param spend counts work in nanoseconds, see `ReadGate`
 * @throws what the form makes of a body that it does not take; what `image` throws
 */
export async function readJson(
  chunks: AsyncIterable<Uint8Array>,
  form: JsonForm,
  image: ImageCharacters,
  allocate: Allocate,
  spend: (nanoseconds: number) => Promise<void> | undefined,
): Promise<ReadJson> {
  const scanner = new JsonScanner(form, image, allocate);
  for await (const chunk of chunks) {
    scanner.push(chunk);
    await spend(scanner.takeTime());
  }
  const text = scanner.finish();
  const { hasImage, textBytes } = scanner;
  await spend(text.length * PARSED_CHARACTER);
  return { ...parseJson(text, form), hasImage, textBytes };
}
