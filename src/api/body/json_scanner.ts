import * as grammar from '../../json/grammar.ts';
import { MAX_NESTING } from '../../json/size.ts';
import type { Allocate } from './image_sink.ts';
import { type ImageCharacters, JsonImageString } from './json_image_string.ts';
import { MemberName } from './json_member_name.ts';
import { JsonText } from './json_text.ts';
import { MAX_LITERAL_LENGTH } from './limits.ts';

/** The expected form of a body, and the errors for bodies that differ. */
export interface JsonForm {
  /** The member names that lead from the root to the image, e.g. `['image']`. */
  readonly imagePath: readonly string[];
  /** What messages call the body: "The body". */
  readonly what: string;
  /** @returns the error for text that is not JSON, or is nested too deeply */
  readonly fault: (message: string) => Error;
  /** @returns the error for a body that is another kind of value than an object, or empty (undefined) */
  readonly noObject: (kind: string | undefined) => Error;
  /** @returns the error for too much text besides the image */
  readonly tooLarge: () => Error;
  /** Called for each top-level member name, escapes resolved. @throws to refuse it */
  readonly onMember?: (name: string) => void;
  /**
   * Called for a value of another kind in the image's place. @throws to refuse it; if absent, it is kept as
   * text
   */
  readonly onOtherImage?: (kind: string) => void;
}

type ScannerState = grammar.StructuralState | 'string' | 'escape' | 'unicode' | 'literal' | 'image';

/** Cost of scanning in nanoseconds: of a byte of text, and of a byte of the image including its decoding. */
const TEXT_BYTE = 40;
const IMAGE_BYTE = 5;

/**
 * Parses a JSON object incrementally without holding the image in it: the image's characters go to `image`,
 * and everything else is kept as text for `JSON.parse`, with `""` in place of the image. Checks the grammar
 * of RFC 8259 itself, so that errors can name the offending byte. Takes linear time. One deviation: raw line
 * breaks and tabs within the image string are accepted as white space, since `base64 photo.jpg` wraps lines.
 */
export class JsonScanner {
  readonly #form: JsonForm;
  readonly #image: JsonImageString;
  readonly #text: JsonText;
  readonly #name = new MemberName();
  /** For each open object or array, outermost first: whether it is an object. */
  readonly #objects: boolean[] = [];
  /** How many of the open ones lie on the path to the image, including the outermost. */
  #onPath = 0;
  #state: ScannerState = 'start';
  #offset = 0;
  /** Whether the string being read is a name, and whether that name matters for the path to the image. */
  #isKey = false;
  #isNameNeeded = false;
  #hasImage = false;
  #token = '';
  #digits = 0;
  #nanoseconds = 0;

  constructor(form: JsonForm, image: ImageCharacters, allocate: Allocate) {
    this.#form = form;
    this.#image = new JsonImageString(image, allocate);
    this.#text = new JsonText(form.tooLarge, allocate, form);
  }

  /** Whether the image has begun. */
  get hasImage(): boolean {
    return this.#hasImage;
  }

  /** Bytes of text so far, without the image. */
  get textBytes(): number {
    return this.#text.bytes;
  }

  /** The usual time of the scanning done since the last call, in nanoseconds. */
  takeTime(): number {
    const time = this.#nanoseconds;
    this.#nanoseconds = 0;
    return time;
  }

  /** @throws the form's error for a body that does not fit it; what `image` throws */
  push(chunk: Uint8Array): void {
    let keepFrom = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#state === 'image') {
        const from = at;
        at = this.#scanImage(chunk, at);
        this.#nanoseconds += (at - from) * IMAGE_BYTE;
        keepFrom = at;
        if (at < chunk.length) this.#endValue();
        continue;
      }
      if (this.#state === 'string') {
        at = this.#scanString(chunk, at);
        if (at === chunk.length) break;
        if (chunk[at] === grammar.BACKSLASH) this.#state = 'escape';
        else this.#endString();
      } else if (this.#state === 'escape' || this.#state === 'unicode') {
        this.#scanEscape(chunk[at]!, at);
      } else {
        this.#scanStructure(chunk[at]!, at);
        if (this.#isInImage) this.#keep(chunk.subarray(keepFrom, at + 1));
      }
    }
    if (!this.#isInImage) this.#keep(chunk.subarray(keepFrom));
    this.#offset += chunk.length;
  }

  /**
   * The body's text with `""` in place of the image: a valid JSON object.
   * @throws the form's error for an incomplete body
   */
  finish(): string {
    if (this.#offset === 0) throw this.#form.noObject(undefined);
    if (this.#state !== 'end') throw this.#notJson(`it ends too early, after ${this.#offset} bytes`);
    return this.#text.finish();
  }

  get #isInImage(): boolean {
    return this.#state === 'image';
  }

  #keep(text: Uint8Array): void {
    this.#nanoseconds += text.length * TEXT_BYTE;
    this.#text.push(text);
  }

  #scanImage(chunk: Uint8Array, at: number): number {
    const end = this.#image.scan(chunk, at);
    if (typeof end === 'number') return end;
    throw this.#unexpected(chunk[end.at]!, end.at, end.expected);
  }

  /** Continues within a string. @returns the index of its next quote or backslash, or the chunk's length */
  #scanString(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const byte = chunk[at]!;
      if (byte === grammar.QUOTE || byte === grammar.BACKSLASH) break;
      if (byte < 0x20) throw this.#unexpected(byte, at, 'no raw line break or control character in a string');
      at++;
    }
    if (this.#isNameNeeded) this.#name.append(chunk, from, at);
    return at;
  }

  /** The character after a backslash, or one of the four digits after `\u`. */
  #scanEscape(byte: number, at: number): void {
    if (this.#state === 'escape') {
      if (this.#isNameNeeded) this.#name.appendEscape(byte);
      if (byte === grammar.LETTER_U) {
        this.#state = 'unicode';
        this.#digits = 4;
        return;
      }
      if (grammar.ESCAPED_BYTE[byte] === 0)
        throw this.#unexpected(byte, at, 'one of "\\/bfnrtu after a backslash');
    } else {
      if (this.#isNameNeeded) this.#name.appendByte(byte);
      if (grammar.HEX_VALUE[byte]! < 0) throw this.#unexpected(byte, at, 'four hexadecimal digits after \\u');
      if (--this.#digits > 0) return;
    }
    this.#state = 'string';
  }

  #scanStructure(byte: number, at: number): void {
    if (this.#state === 'literal') {
      if (grammar.IS_LITERAL[byte] === 1) {
        this.#token += String.fromCharCode(byte);
        if (this.#token.length > MAX_LITERAL_LENGTH)
          throw this.#invalid(at, `a number goes on for more than ${MAX_LITERAL_LENGTH} characters`);
        return;
      }
      if (!grammar.LITERAL.test(this.#token))
        throw this.#invalid(at - 1, 'what ends here is neither a number nor true, false or null');
      this.#endValue();
    }
    if (grammar.isWhiteSpace(byte)) return;
    const state = this.#state as grammar.StructuralState;
    if (state === 'start') this.#begin(byte, at);
    else if (byte === grammar.CLOSE_OBJECT && (state === 'keyOrEnd' || state === 'commaOrObjectEnd'))
      this.#close();
    else if (byte === grammar.CLOSE_ARRAY && (state === 'valueOrEnd' || state === 'commaOrArrayEnd'))
      this.#close();
    else if (byte === grammar.QUOTE && (state === 'key' || state === 'keyOrEnd')) this.#beginKey();
    else if (byte === grammar.COMMA && state === 'commaOrObjectEnd') this.#state = 'key';
    else if (byte === grammar.COMMA && state === 'commaOrArrayEnd') this.#state = 'value';
    else if (byte === grammar.COLON && state === 'colon') this.#state = 'value';
    else if (state === 'value' || state === 'valueOrEnd') this.#beginValue(byte, at);
    else throw this.#unexpected(byte, at, grammar.expectedTokens[state]);
  }

  #begin(byte: number, at: number): void {
    if (byte === grammar.OPEN_OBJECT) this.#open(true);
    else if (byte !== grammar.BYTE_ORDER_MARK[this.#offset + at])
      throw this.#form.noObject(grammar.kindOfValue(byte));
  }

  #beginValue(byte: number, at: number): void {
    const isImage = this.#isImagePlace();
    const isString = byte === grammar.QUOTE;
    const opens = byte === grammar.OPEN_OBJECT || byte === grammar.OPEN_ARRAY;
    if (isImage && !isString && (opens || grammar.IS_LITERAL[byte] === 1))
      this.#form.onOtherImage?.(grammar.kindOfValue(byte));
    if (isString) {
      // A second image is kept as text: the duplicate name is found when the text is parsed.
      this.#state = isImage && !this.#hasImage ? 'image' : 'string';
      this.#hasImage ||= isImage;
    } else if (opens) {
      this.#open(byte === grammar.OPEN_OBJECT);
    } else if (grammar.IS_LITERAL[byte] === 1) {
      this.#state = 'literal';
      this.#token = String.fromCharCode(byte);
    } else {
      throw this.#unexpected(byte, at, grammar.expectedTokens[this.#state as grammar.StructuralState]);
    }
  }

  /** Whether the innermost object lies on the path to the image and its latest member continues that path. */
  #isNextOnPath(): boolean {
    return this.#objects.length === this.#onPath && this.#name.is(this.#form.imagePath[this.#onPath - 1]!);
  }

  #isImagePlace(): boolean {
    return this.#onPath === this.#form.imagePath.length && this.#isNextOnPath();
  }

  #beginKey(): void {
    this.#state = 'string';
    this.#isKey = true;
    this.#isNameNeeded = this.#objects.length === this.#onPath;
    this.#name.begin();
  }

  #endString(): void {
    if (!this.#isKey) {
      this.#endValue();
      return;
    }
    this.#state = 'colon';
    this.#isKey = false;
    if (this.#objects.length === 1) this.#form.onMember?.(this.#name.text);
    this.#isNameNeeded = false;
  }

  #open(isObject: boolean): void {
    if (this.#objects.length === MAX_NESTING)
      throw this.#form.fault(`${this.#form.what} is nested deeper than ${MAX_NESTING} levels.`);
    if (isObject && (this.#objects.length === 0 || (!this.#isImagePlace() && this.#isNextOnPath())))
      this.#onPath++;
    this.#objects.push(isObject);
    this.#state = isObject ? 'keyOrEnd' : 'valueOrEnd';
  }

  #close(): void {
    this.#objects.pop();
    this.#onPath = Math.min(this.#onPath, this.#objects.length);
    this.#endValue();
  }

  #endValue(): void {
    const inObject = this.#objects.at(-1);
    this.#state = inObject === undefined ? 'end' : inObject ? 'commaOrObjectEnd' : 'commaOrArrayEnd';
  }

  #unexpected(byte: number, at: number, expected: string): Error {
    const received =
      byte > 0x20 && byte < 0x7f ? JSON.stringify(String.fromCharCode(byte)) : `byte 0x${byte.toString(16)}`;
    return this.#invalid(at, `expected ${expected} but received ${received}`);
  }

  #invalid(at: number, problem: string): Error {
    return this.#notJson(`at byte ${this.#offset + at}, ${problem}`);
  }

  #notJson(problem: string): Error {
    return this.#form.fault(`${this.#form.what} is not valid JSON: ${problem}.`);
  }
}
