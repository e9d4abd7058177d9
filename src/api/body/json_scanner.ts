import type { ApiError } from '../errors.ts';
import { badRequest, opsTooLarge } from './body_errors.ts';
import type { Allocate } from './image_sink.ts';
import * as grammar from './json_grammar.ts';
import { JsonMembers } from './json_members.ts';
import { JsonText } from './json_text.ts';
import { MAX_NESTING } from './limits.ts';

/** Receives the characters of the top-level `image` string, escapes resolved. */
interface ImageCharacters {
  write(characters: Uint8Array): void;
  writeByte(character: number): void;
}

type ScannerState = grammar.StructuralState | 'string' | 'escape' | 'unicode' | 'literal';

/** Stands for any escaped character that is not ASCII; not base64, so the decoder refuses it. */
const NOT_ASCII = 0xff;

/**
 * Parses a JSON body `{ "image": string, "ops": any }` incrementally without holding the image: its
 * characters go to `image`, and everything else is kept as text for `JSON.parse`, with `""` in place of the
 * image. Checks the grammar of RFC 8259 itself, so that errors can name the offending byte. One deviation:
 * raw line breaks and tabs within the image string are accepted as white space, since `base64 photo.jpg`
 * wraps lines.
 */
export class JsonScanner {
  readonly #image: ImageCharacters;
  readonly #text: JsonText;
  readonly #members = new JsonMembers();
  /** For each open object or array, outermost first: whether it is an object. */
  readonly #objects: boolean[] = [];
  #state: ScannerState = 'start';
  #offset = 0;
  #isKey = false;
  #inImage = false;
  #token = '';
  #nextQuote = -1;

  constructor(image: ImageCharacters, allocate: Allocate) {
    this.#image = image;
    this.#text = new JsonText(
      () => this.#members.unknownMembersError() ?? opsTooLarge('The JSON body, the image left out,'),
      allocate,
    );
  }

  /** @throws ApiError bad_request, payload_too_large; and what `image` throws */
  push(chunk: Uint8Array): void {
    let keepFrom = 0;
    this.#nextQuote = -1;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#state === 'string') {
        at = this.#scanString(chunk, at);
        if (at === chunk.length) break;
        if (chunk[at] === grammar.BACKSLASH) this.#state = 'escape';
        else {
          if (this.#inImage) keepFrom = at;
          this.#endString();
        }
      } else if (this.#state === 'escape' || this.#state === 'unicode') {
        this.#scanEscape(chunk[at]!, at);
      } else {
        this.#scanStructure(chunk[at]!, at);
        if (this.#inImage) this.#text.push(chunk.subarray(keepFrom, at + 1));
      }
    }
    if (!this.#inImage) this.#text.push(chunk.subarray(keepFrom));
    this.#offset += chunk.length;
  }

  /**
   * The body's text with `""` in place of the image: a valid JSON object with `image` and perhaps `ops`.
   * @throws ApiError bad_request if it is incomplete or has other members
   */
  finish(): string {
    if (this.#offset === 0) throw badRequest('The body is empty: expected a JSON object with "image".');
    if (this.#state !== 'end') {
      throw badRequest(`The body is not valid JSON: it ends too early, after ${this.#offset} bytes.`);
    }
    const text = this.#text.finish();
    const unknown = this.#members.unknownMembersError();
    if (unknown) throw unknown;
    if (!this.#members.has('image')) {
      throw badRequest('"image" is missing: expected {"image": "<base64>", "ops": {…}}.');
    }
    return text;
  }

  /** Reads on within a string. @returns the index of its next quote or backslash, or the chunk's length */
  #scanString(chunk: Uint8Array, at: number): number {
    if (this.#inImage) {
      if (this.#nextQuote < at) {
        const quote = chunk.indexOf(grammar.QUOTE, at);
        this.#nextQuote = quote === -1 ? chunk.length : quote;
      }
      const rest = chunk.subarray(at, this.#nextQuote);
      const backslash = rest.indexOf(grammar.BACKSLASH);
      this.#image.write(backslash === -1 ? rest : rest.subarray(0, backslash));
      return backslash === -1 ? this.#nextQuote : at + backslash;
    }
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === grammar.QUOTE || byte === grammar.BACKSLASH) return at;
      if (byte < 0x20) throw this.#unexpected(byte, at, 'no raw line break or control character in a string');
      this.#appendName(byte);
    }
    return at;
  }

  #scanEscape(byte: number, at: number): void {
    const character = String.fromCharCode(byte);
    if (this.#state === 'escape') {
      this.#appendName(grammar.BACKSLASH, byte);
      if (byte === grammar.LETTER_U) {
        this.#state = 'unicode';
        this.#token = '';
        return;
      }
      const resolved = grammar.ESCAPES[character];
      if (resolved === undefined) throw this.#unexpected(byte, at, 'one of "\\/bfnrtu after a backslash');
      if (this.#inImage) this.#image.writeByte(resolved.charCodeAt(0));
    } else {
      this.#appendName(byte);
      if (!/[\da-f]/i.test(character)) throw this.#unexpected(byte, at, 'four hexadecimal digits after \\u');
      this.#token += character;
      if (this.#token.length < 4) return;
      const unit = Number.parseInt(this.#token, 16);
      if (this.#inImage) this.#image.writeByte(unit < 0x80 ? unit : NOT_ASCII);
    }
    this.#state = 'string';
  }

  #scanStructure(byte: number, at: number): void {
    if (this.#state === 'literal') {
      const character = String.fromCharCode(byte);
      if (grammar.LITERAL_CHARACTER.test(character)) {
        this.#token += character;
        return;
      }
      if (!grammar.LITERAL.test(this.#token)) {
        throw this.#invalid(at - 1, 'what ends here is neither a number nor true, false or null');
      }
      this.#endValue();
    }
    if (grammar.isWhiteSpace(byte)) return;
    const state = this.#state as grammar.StructuralState;
    if (state === 'start') this.#begin(byte, at);
    else if (byte === grammar.CLOSE_OBJECT && (state === 'keyOrEnd' || state === 'commaOrObjectEnd'))
      this.#close();
    else if (byte === grammar.CLOSE_ARRAY && (state === 'valueOrEnd' || state === 'commaOrArrayEnd'))
      this.#close();
    else if (byte === grammar.QUOTE && (state === 'key' || state === 'keyOrEnd')) this.#beginString(true);
    else if (byte === grammar.COMMA && state === 'commaOrObjectEnd') this.#state = 'key';
    else if (byte === grammar.COMMA && state === 'commaOrArrayEnd') this.#state = 'value';
    else if (byte === grammar.COLON && state === 'colon') this.#state = 'value';
    else if (state === 'value' || state === 'valueOrEnd') this.#beginValue(byte, at);
    else throw this.#unexpected(byte, at, grammar.expectedTokens[state]);
  }

  #begin(byte: number, at: number): void {
    const offset = this.#offset + at;
    if (byte === grammar.OPEN_OBJECT) this.#open(true);
    else if (byte !== grammar.BYTE_ORDER_MARK[offset]) {
      throw badRequest(`The body must be a JSON object with "image", but ${grammar.kindOfValue(byte)} came.`);
    }
  }

  #beginValue(byte: number, at: number): void {
    const isImage = this.#objects.length === 1 && this.#members.latest === 'image';
    const character = String.fromCharCode(byte);
    if (isImage && /[[{\w-]/.test(character)) {
      throw badRequest(`"image" must be a string of base64, but ${grammar.kindOfValue(byte)} came.`);
    }
    if (byte === grammar.QUOTE) {
      this.#beginString(false);
      this.#inImage = isImage;
    } else if (byte === grammar.OPEN_OBJECT || byte === grammar.OPEN_ARRAY) {
      this.#open(byte === grammar.OPEN_OBJECT);
    } else if (grammar.LITERAL_CHARACTER.test(character)) {
      this.#state = 'literal';
      this.#token = character;
    } else {
      throw this.#unexpected(byte, at, grammar.expectedTokens[this.#state as grammar.StructuralState]);
    }
  }

  #beginString(isKey: boolean): void {
    this.#state = 'string';
    this.#isKey = isKey;
  }

  #endString(): void {
    this.#inImage = false;
    if (this.#isKey) {
      this.#state = 'colon';
      if (this.#objects.length === 1) this.#members.endName();
    } else {
      this.#endValue();
    }
  }

  /** Takes bytes of a string, which matter only in a top-level name. */
  #appendName(...bytes: number[]): void {
    if (this.#isKey && this.#objects.length === 1) this.#members.appendName(...bytes);
  }

  #open(isObject: boolean): void {
    if (this.#objects.length === MAX_NESTING) {
      throw badRequest(`The body is nested deeper than ${MAX_NESTING} levels.`);
    }
    this.#objects.push(isObject);
    this.#state = isObject ? 'keyOrEnd' : 'valueOrEnd';
  }

  #close(): void {
    this.#objects.pop();
    this.#endValue();
  }

  #endValue(): void {
    const inObject = this.#objects.at(-1);
    this.#state = inObject === undefined ? 'end' : inObject ? 'commaOrObjectEnd' : 'commaOrArrayEnd';
  }

  #unexpected(byte: number, at: number, expected: string): ApiError {
    const received =
      byte > 0x20 && byte < 0x7f ? JSON.stringify(String.fromCharCode(byte)) : `byte 0x${byte.toString(16)}`;
    return this.#invalid(at, `expected ${expected} but received ${received}`);
  }

  #invalid(at: number, problem: string): ApiError {
    return badRequest(`The body is not valid JSON: at byte ${this.#offset + at}, ${problem}.`);
  }
}
