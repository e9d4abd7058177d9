import { Buffer } from 'node:buffer';
import { Base64Stream } from '../body/base64_stream.ts';
import { bodyChunks } from '../body/body_chunks.ts';
import { badRequest, imageTooLarge, opsTooLarge } from '../body/body_errors.ts';
import { arraySink, LimitedSink, newBytes } from '../body/image_sink.ts';
import { BACKSLASH, ESCAPES, LETTER_U, QUOTE } from '../body/json_grammar.ts';
import { MAX_JSON_BYTES, MAX_OPS_BYTES } from '../body/limits.ts';
import { type ApiError, toApiError } from '../errors.ts';

/**
 * A JSON body whose one long string was decoded from base64 as it arrived, so that its text was never held.
 */
interface LiftedBody {
  /** The body, with `placeholder` where the long string was. */
  readonly value: unknown;
  /** Length of the body's text without the long string. */
  readonly textBytes: number;
  /** The bytes of the long string; undefined where there was none. */
  readonly image: Uint8Array | undefined;
  /** Why the long string can't be read as an image's base64, if so. */
  readonly fault: ApiError | undefined;
}

/** Strings of more bytes than this are taken to be an image. */
export const LONG_STRING_BYTES = 4096;

/** Stands for any escaped character that is not ASCII: never base64, so the decoder refuses it. */
const NOT_ASCII = 0xff;

/** @throws ApiError bad_request */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as SyntaxError).message}`);
  }
}

/** The bytes of a base64 text. @throws ApiError bad_request, payload_too_large */
export function imageFromBase64(text: string): Uint8Array {
  const sink = new LimitedSink(arraySink());
  const base64 = new Base64Stream((bytes) => sink.write(bytes), newBytes);
  base64.write(new TextEncoder().encode(text));
  base64.finish();
  return sink.finish();
}

/**
 * Reads a request's JSON body.
 * @param placeholder a text that no sender can guess
 * @throws ApiError bad_request when it is not JSON, payload_too_large
 */
export async function readLifted(request: Request, placeholder: string): Promise<LiftedBody> {
  const lifter = new Lifter(placeholder);
  for await (const chunk of bodyChunks(request.body, MAX_JSON_BYTES, imageTooLarge, newBytes))
    lifter.push(chunk);
  return lifter.finish();
}

/**
 * Copies JSON text and decodes its first string longer than LONG_STRING_BYTES on the way. It knows of the
 * grammar only where strings begin and end; `JSON.parse` judges the rest.
 */
class Lifter {
  readonly #placeholder: string;
  readonly #sink = new LimitedSink(arraySink());
  readonly #base64 = new Base64Stream((bytes) => this.#sink.write(bytes), newBytes);
  #text = newBytes(64 * 1024);
  #length = 0;
  #state: 'outside' | 'string' | 'escape' | 'unicode' = 'outside';
  /** Where the present string's characters begin in the text. */
  #stringAt = 0;
  #lifting = false;
  #lifted = false;
  #fault: ApiError | undefined;
  #unicode = '';

  constructor(placeholder: string) {
    this.#placeholder = placeholder;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#state === 'string') at = this.#inString(chunk, at);
      else if (this.#state === 'outside') at = this.#outside(chunk, at);
      else this.#escaped(chunk[at++]!);
    }
  }

  finish(): LiftedBody {
    const value = parsed(this.#decoded(0));
    if (this.#lifted && !this.#fault) this.#guarded(() => this.#base64.finish());
    const image = this.#lifted && !this.#fault ? this.#sink.finish() : undefined;
    return { value, textBytes: this.#length, image, fault: this.#fault };
  }

  #outside(chunk: Uint8Array, at: number): number {
    const quote = chunk.indexOf(QUOTE, at);
    const end = quote === -1 ? chunk.length : quote + 1;
    this.#keep(chunk.subarray(at, end));
    if (quote !== -1) {
      this.#state = 'string';
      this.#stringAt = this.#length;
    }
    return end;
  }

  #inString(chunk: Uint8Array, at: number): number {
    let end = at;
    while (end < chunk.length && chunk[end] !== QUOTE && chunk[end] !== BACKSLASH) end++;
    this.#take(chunk.subarray(at, end));
    if (end === chunk.length) return end;
    if (chunk[end] === BACKSLASH) {
      this.#state = 'escape';
      if (!this.#lifting) this.#keep(chunk.subarray(end, end + 1));
    } else {
      if (this.#lifting) this.#keep(new TextEncoder().encode(this.#placeholder));
      this.#lifting = false;
      this.#state = 'outside';
      this.#keep(chunk.subarray(end, end + 1));
    }
    return end + 1;
  }

  /** The character after a backslash, or one of the four digits after `\u`. */
  #escaped(byte: number): void {
    if (!this.#lifting) this.#keep(new Uint8Array([byte]));
    if (this.#state === 'escape' && byte === LETTER_U) {
      this.#state = 'unicode';
      this.#unicode = '';
      return;
    }
    if (this.#state === 'unicode') {
      this.#unicode += String.fromCharCode(byte);
      if (this.#unicode.length < 4) return;
    }
    const escaped = ESCAPES[String.fromCharCode(byte)]?.charCodeAt(0);
    const code = this.#state === 'unicode' ? Number.parseInt(this.#unicode, 16) : escaped;
    this.#state = 'string';
    if (this.#lifting) this.#writeCharacter(code ?? NOT_ASCII);
  }

  /** One escaped character of the image; what is not ASCII is none of base64, so that it is refused. */
  #writeCharacter(code: number): void {
    this.#write(new Uint8Array([code < 0x80 ? code : NOT_ASCII]));
  }

  #take(bytes: Uint8Array): void {
    const length = this.#length - this.#stringAt + bytes.length;
    if (this.#lifting) this.#write(bytes);
    else if (length <= LONG_STRING_BYTES || this.#lifted) this.#keep(bytes);
    else {
      this.#lift();
      this.#write(bytes);
    }
  }

  /** From here on, the present string is an image. */
  #lift(): void {
    this.#lifting = true;
    this.#lifted = true;
    // What was kept of it so far may hold escapes, which JSON.parse resolves.
    const begun = parsed(`"${this.#decoded(this.#stringAt)}"`) as string;
    this.#length = this.#stringAt;
    this.#write(new TextEncoder().encode(begun));
  }

  #write(bytes: Uint8Array): void {
    if (!this.#fault) this.#guarded(() => this.#base64.write(bytes));
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fault = toApiError(error);
    }
  }

  #keep(bytes: Uint8Array): void {
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

  #decoded(from: number): string {
    return Buffer.from(this.#text.buffer, from, this.#length - from).toString('utf8');
  }
}
