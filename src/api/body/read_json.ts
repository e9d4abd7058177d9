import { type ParsedJson, parseJson } from '../../json/parse.ts';
import type { Allocate } from './image_sink.ts';
import type { ImageCharacters } from './json_image_string.ts';
import { type JsonForm, JsonScanner } from './json_scanner.ts';

/** Nanoseconds to parse each character of the text, in addition to scanning its bytes. */
const PARSED_CHARACTER = 40;

/** A body without its image. */
export interface ReadJson extends ParsedJson {
  /** Whether a string stood in the image's place. */
  readonly hasImage: boolean;
  /** Bytes of the text, without the image. */
  readonly textBytes: number;
}

/**
 * Reads a JSON object and passes on the image string in it as it arrives, so that its base64 is never in
 * memory as a whole.
 * @param image receives its characters; finishing it is left to the caller
 * @param spend counts work in nanoseconds, see `ReadGate`
 * @throws the form's error for a body that does not fit it; what `image` throws
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
