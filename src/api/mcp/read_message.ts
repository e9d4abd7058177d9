import { type ApiError, toApiError } from '../answers/errors.ts';
import { Base64Stream } from '../body/base64_stream.ts';
import { bodyChunks } from '../body/body_chunks.ts';
import { imageTooLarge, opsTooLarge } from '../body/body_errors.ts';
import { type ImageSink, LimitedSink, newBytes } from '../body/image_sink.ts';
import type { ImageCharacters } from '../body/json_image_string.ts';
import type { JsonForm } from '../body/json_scanner.ts';
import { MAX_JSON_BYTES, READ_BYTES } from '../body/limits.ts';
import { declaredLength } from '../body/read.ts';
import type { ReadGate } from '../body/read_gate.ts';
import { type ReadJson, readJson } from '../body/read_json.ts';
import { JsonRpcError } from './json_rpc_error.ts';

/** A message whose image was decoded while it was read. */
export interface ReadMessage extends ReadJson {
  /** The decoded bytes of the image; undefined if there was none, or it is not an image's base64. */
  readonly image: Uint8Array | undefined;
  /** Why there is no image although a string stood in its place. */
  readonly imageError: ApiError | undefined;
}

/**
 * Bytes of a message that are read before its caller is checked: a message without an image has not half as
 * many.
 */
const UNASKED_BYTES = READ_BYTES;

/**
 * Reads a message and decodes the base64 of `params.arguments.image` on the way.
 *
 * The members of a message come in any order, so an image may come before anything says what it is for. The
 * caller is known from the headers: after UNASKED_BYTES `admit` decides whether more is read. If it refuses,
 * an image is dropped and the rest is read, so that the refusal can carry the message's id. Of text alone
 * nothing more is read, since parsing a megabyte of it takes long and such messages are not counted.
 * @param sink receives the decoded bytes
 * @param gate controls the memory reserved for the body
 * @param admit called at most once; resolves to an error if the caller is refused
 * @throws JsonRpcError if the body is not a JSON object; ApiError bad_request if it breaks off,
 * payload_too_large, and the refusal of `admit` for text without an image; what the gate throws
 */
export async function readMessage(
  request: Request,
  sink: ImageSink,
  gate: ReadGate,
  admit: () => Promise<ApiError | undefined>,
): Promise<ReadMessage> {
  const image = new MessageImage(new LimitedSink(sink));
  const declared = declaredLength(request.headers.get('Content-Length'));
  // Four characters of base64 give at most three bytes.
  if (declared !== undefined) image.sink.expect(Math.ceil(declared / 4) * 3);
  let isAsked = false;
  const asking: ReadGate = {
    ...gate,
    admit(bytes) {
      if (image.isDropped) return undefined;
      if (isAsked || bytes - READ_BYTES < UNASKED_BYTES) return gate.admit(bytes);
      isAsked = true;
      return admit().then((refusal) => {
        if (!refusal) return gate.admit(bytes);
        if (!image.hasBegun) throw refusal;
        return image.drop(refusal);
      });
    },
  };
  const chunks = bodyChunks(request.body, MAX_JSON_BYTES, imageTooLarge, newBytes, asking);
  const message = await readJson(chunks, messageForm, image, newBytes, gate.spend);
  if (message.hasImage) image.finish();
  const { error } = image;
  return {
    ...message,
    image: message.hasImage && !error ? image.sink.finish() : undefined,
    imageError: error,
  };
}

/**
 * Decodes the image of a message. Its errors are kept for the tool to report, and the rest of the message is
 * read.
 */
class MessageImage implements ImageCharacters {
  readonly sink: LimitedSink;
  readonly #base64 = new Base64Stream((bytes) => this.sink.write(bytes), newBytes);
  hasBegun = false;
  isDropped = false;
  error: ApiError | undefined;

  constructor(sink: LimitedSink) {
    this.sink = sink;
  }

  write(characters: Uint8Array): void {
    this.hasBegun = true;
    this.#unlessFailed(() => this.#base64.write(characters));
  }

  finish(): void {
    this.#unlessFailed(() => this.#base64.finish());
  }

  drop(reason: ApiError): void {
    this.isDropped = true;
    this.error = reason;
  }

  #unlessFailed(work: () => void): void {
    if (this.error) return;
    try {
      work();
    } catch (error) {
      this.error = toApiError(error);
    }
  }
}

const parseError = (message: string) => new JsonRpcError('parseError', message);

const messageForm: JsonForm = {
  imagePath: ['params', 'arguments', 'image'],
  what: 'The body',
  fault: parseError,
  noObject(kind) {
    if (kind === undefined) return parseError('The body is empty: expected one message.');
    if (kind === 'an array')
      return new JsonRpcError('invalidRequest', 'Expected one message but received a batch.');
    const message = `Expected a JSON object, one message, but ${kind} came.`;
    return kind === 'something else' ? parseError(message) : new JsonRpcError('invalidRequest', message);
  },
  tooLarge: () => opsTooLarge('The message, the image left out,'),
};
