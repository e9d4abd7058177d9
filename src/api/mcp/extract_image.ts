import { Buffer } from 'node:buffer';
import { Base64Stream } from '../body/base64_stream.ts';
import { bodyChunks } from '../body/body_chunks.ts';
import { imageTooLarge, opsTooLarge } from '../body/body_errors.ts';
import { arraySink, type ImageSink, LimitedSink, newBytes } from '../body/image_sink.ts';
import { duplicateNames } from '../body/json_duplicates.ts';
import { BACKSLASH, ESCAPES, LETTER_U, QUOTE } from '../body/json_grammar.ts';
import { MAX_JSON_BYTES, MAX_OPS_BYTES } from '../body/limits.ts';
import { declaredLength } from '../body/read.ts';
import { openGate, type ReadGate } from '../body/read_gate.ts';
import { type ApiError, toApiError } from '../errors.ts';
import { JsonRpcError } from './json_rpc_error.ts';

/** A JSON body whose first long string was decoded from base64 while the body was read. */
export interface ExtractedBody {
  /** The parsed body, with `placeholder` in place of the long string. */
  readonly value: unknown;
  /** Dotted paths of member names that occur more than once in one object. */
  readonly duplicates: readonly string[];
  /** Bytes of the body's text without the long string. */
  readonly textBytes: number;
  /** The decoded bytes of the long string; undefined if there was none, or it is not an image's base64. */
  readonly image: Uint8Array | undefined;
  /** Why the long string is not the base64 of an image, if so. */
  readonly imageError: ApiError | undefined;
}

/** The first string of more bytes than this is taken for the image. */
export const LONG_STRING_BYTES = 4096;

/** Stands for any escaped character that is not ASCII; not base64, so the decoder refuses it. */
const NOT_ASCII = 0xff;

/** @throws JsonRpcError */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new JsonRpcError('parseError', `The body is not valid JSON: ${(error as SyntaxError).message}`);
  }
}

/** Decodes the base64 of an image. @throws ApiError bad_request, payload_too_large */
export function imageFromBase64(text: string): Uint8Array {
  const sink = new LimitedSink(arraySink());
  const base64 = new Base64Stream((bytes) => sink.write(bytes), newBytes);
  base64.write(new TextEncoder().encode(text));
  base64.finish();
  return sink.finish();
}

/**
 * Reads a JSON body and decodes its first string longer than LONG_STRING_BYTES from base64 on the way, so
 * that the base64 is never in memory as a whole.
 * @param placeholder put in place of the string; must be a text that no sender can guess
 * @param sink receives the decoded bytes; by default a new array
 * @param gate of the memory that is reserved for it
 * @throws JsonRpcError if the body is not JSON; ApiError bad_request if it breaks off, payload_too_large;
 * what the gate throws
 */
export async function extractImage(
  request: Request,
  placeholder: string,
  sink: ImageSink = arraySink(),
  gate: ReadGate = openGate,
): Promise<ExtractedBody> {
  const declared = declaredLength(request.headers.get('Content-Length'));
  const extractor = new ImageExtractor(placeholder, sink, declared);
  for await (const chunk of bodyChunks(request.body, MAX_JSON_BYTES, imageTooLarge, newBytes, gate))
    extractor.push(chunk);
  return extractor.finish();
}

/**
 * Copies JSON text, except for the long string, which it decodes. Of the grammar it knows only where strings
 * begin and end; `JSON.parse` checks the rest.
 */
class ImageExtractor {
  readonly #placeholder: string;
  readonly #sink: LimitedSink;
  readonly #base64 = new Base64Stream((bytes) => this.#sink.write(bytes), newBytes);
  #text = newBytes(64 * 1024);
  #length = 0;
  #position: 'outside' | 'string' | 'escape' | 'unicode' = 'outside';
  /** Index in the text at which the characters of the current string begin. */
  #stringAt = 0;
  /** Whether the current string is the long one. */
  #inImage = false;
  /** Whether a long string was found. */
  #hasImage = false;
  #imageError: ApiError | undefined;
  #unicode = '';

  /** @param declared the body's length, if the request declares it */
  constructor(placeholder: string, sink: ImageSink, declared?: number) {
    this.#placeholder = placeholder;
    this.#sink = new LimitedSink(sink);
    // Four characters of base64 give at most three bytes.
    if (declared !== undefined) this.#sink.expect(Math.ceil(declared / 4) * 3);
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#position === 'string') at = this.#scanString(chunk, at);
      else if (this.#position === 'outside') at = this.#scanOutside(chunk, at);
      else this.#scanEscape(chunk[at++]!);
    }
  }

  finish(): ExtractedBody {
    const text = this.#textFrom(0);
    const value = parseJson(text);
    if (this.#hasImage && !this.#imageError) this.#catchImageError(() => this.#base64.finish());
    const image = this.#hasImage && !this.#imageError ? this.#sink.finish() : undefined;
    return {
      value,
      duplicates: duplicateNames(text),
      textBytes: this.#length,
      image,
      imageError: this.#imageError,
    };
  }

  #scanOutside(chunk: Uint8Array, at: number): number {
    const quote = chunk.indexOf(QUOTE, at);
    const end = quote === -1 ? chunk.length : quote + 1;
    this.#appendText(chunk.subarray(at, end));
    if (quote !== -1) {
      this.#position = 'string';
      this.#stringAt = this.#length;
    }
    return end;
  }

  #scanString(chunk: Uint8Array, at: number): number {
    let end = at;
    while (end < chunk.length && chunk[end] !== QUOTE && chunk[end] !== BACKSLASH) end++;
    this.#appendToString(chunk.subarray(at, end));
    if (end === chunk.length) return end;
    if (chunk[end] === BACKSLASH) {
      this.#position = 'escape';
      if (!this.#inImage) this.#appendText(chunk.subarray(end, end + 1));
    } else {
      if (this.#inImage) this.#appendText(new TextEncoder().encode(this.#placeholder));
      this.#inImage = false;
      this.#position = 'outside';
      this.#appendText(chunk.subarray(end, end + 1));
    }
    return end + 1;
  }

  /** The character after a backslash, or one of the four digits after `\u`. */
  #scanEscape(byte: number): void {
    if (!this.#inImage) this.#appendText(new Uint8Array([byte]));
    if (this.#position === 'escape' && byte === LETTER_U) {
      this.#position = 'unicode';
      this.#unicode = '';
      return;
    }
    if (this.#position === 'unicode') {
      this.#unicode += String.fromCharCode(byte);
      if (this.#unicode.length < 4) return;
    }
    const escaped = ESCAPES[String.fromCharCode(byte)]?.charCodeAt(0);
    const code = this.#position === 'unicode' ? Number.parseInt(this.#unicode, 16) : escaped;
    this.#position = 'string';
    if (this.#inImage) this.#writeCharacter(code ?? NOT_ASCII);
  }

  /** Decodes one escaped character of the image. */
  #writeCharacter(code: number): void {
    this.#decode(new Uint8Array([code < 0x80 ? code : NOT_ASCII]));
  }

  #appendToString(bytes: Uint8Array): void {
    const length = this.#length - this.#stringAt + bytes.length;
    if (this.#inImage) this.#decode(bytes);
    else if (length <= LONG_STRING_BYTES || this.#hasImage) this.#appendText(bytes);
    else {
      this.#beginImage();
      this.#decode(bytes);
    }
  }

  /** Makes the current string the image. */
  #beginImage(): void {
    this.#inImage = true;
    this.#hasImage = true;
    // The part copied so far may contain escapes, which JSON.parse resolves.
    const beginning = parseJson(`"${this.#textFrom(this.#stringAt)}"`) as string;
    this.#length = this.#stringAt;
    this.#decode(new TextEncoder().encode(beginning));
  }

  #decode(bytes: Uint8Array): void {
    if (!this.#imageError) this.#catchImageError(() => this.#base64.write(bytes));
  }

  #catchImageError(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#imageError = toApiError(error);
    }
  }

  #appendText(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > MAX_OPS_BYTES) throw opsTooLarge('The message, the image left out,');
    if (length > this.#text.length) {
      const larger = newBytes(Math.min(MAX_OPS_BYTES, Math.max(length, 2 * this.#text.length)));
      larger.set(this.#text.subarray(0, this.#length));
      this.#text = larger;
    }
    this.#text.set(bytes, this.#length);
    this.#length = length;
  }

  #textFrom(from: number): string {
    return Buffer.from(this.#text.buffer, from, this.#length - from).toString('utf8');
  }
}
