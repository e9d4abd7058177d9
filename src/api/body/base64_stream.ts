import { Buffer } from 'node:buffer';
import type { ApiError } from '../errors.ts';
import { badRequest, remoteImage } from './body_errors.ts';
import type { Allocate } from './image_sink.ts';
import { MAX_DATA_URL_HEAD } from './limits.ts';

/** Characters gathered before the native decoder is called: large enough that the calls cost nothing. */
const STAGE_BYTES = 64 * 1024;

/**
 * What base64 ignores: ASCII white space (https://infra.spec.whatwg.org/#ascii-whitespace), as the native
 * decoder does.
 */
const WHITE_SPACE = /[\t\n\f\r ]+/g;

const NOT_BASE64 = /[^A-Za-z0-9+/\-_=\t\n\f\r ]/;

const isWhiteSpace = (byte: number) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c;

/**
 * Decodes the characters of an image string as they arrive (RFC 4648): standard and url-safe alphabets, even
 * mixed; padding optional; white space ignored; a `data:…;base64,` head in front dropped. Anything else is
 * refused.
 */
export class Base64Stream {
  readonly #stage: Uint8Array<ArrayBuffer>;
  readonly #decoded: Uint8Array<ArrayBuffer>;
  readonly #write: (bytes: Uint8Array) => void;
  #staged = 0;
  /** Characters already given to the decoder, for error messages. */
  #passed = 0;
  #begun = false;
  #padded = false;
  #alphabet: 'base64' | 'base64url' = 'base64';

  /** @param write takes decoded bytes; they are valid only during the call */
  constructor(write: (bytes: Uint8Array) => void, allocate: Allocate) {
    this.#write = write;
    this.#stage = allocate(STAGE_BYTES);
    this.#decoded = allocate((STAGE_BYTES / 4) * 3);
  }

  /**
   * @param characters bytes of the string, escapes already resolved
   * @throws ApiError bad_request; and what `write` throws
   */
  write(characters: Uint8Array): void {
    let at = 0;
    // A data URL's head must start the stage, so white space before it isn't staged.
    if (this.#staged === 0 && !this.#begun) {
      while (at < characters.length && isWhiteSpace(characters[at]!)) at++;
      this.#passed += at;
    }
    while (at < characters.length) {
      if (this.#staged === STAGE_BYTES) this.#flush();
      const part = characters.subarray(at, at + STAGE_BYTES - this.#staged);
      this.#stage.set(part, this.#staged);
      this.#staged += part.length;
      at += part.length;
    }
  }

  /** One character, as `write` takes many. */
  writeByte(character: number): void {
    if (this.#staged === STAGE_BYTES) this.#flush();
    if (this.#staged === 0 && !this.#begun && isWhiteSpace(character)) this.#passed++;
    else this.#stage[this.#staged++] = character;
  }

  /** Ends the string: decodes what is left. @throws ApiError bad_request when it ends within a group */
  finish(): void {
    this.#flush();
    if (this.#staged === 0) return;
    const rest = this.#text(0);
    const { written } = this.#decode(rest, 'loose');
    this.#write(this.#decoded.subarray(0, written));
    this.#staged = 0;
  }

  /** Decodes every whole group of four staged; what is left, at most three characters, moves to the front. */
  #flush(): void {
    const text = this.#text(this.#begun ? 0 : this.#skipHead());
    this.#begun = true;
    if (this.#padded && /[^\t\n\f\r ]/.test(text))
      throw this.#malformed(text, 'there are characters after the padding');
    const { read, written } = this.#decode(text, 'stop-before-partial');
    this.#write(this.#decoded.subarray(0, written));
    // Whole groups give three bytes each: any other count means that a padded group was read.
    if (written % 3 !== 0) this.#padded = true;
    const left = text.slice(read).replace(WHITE_SPACE, '');
    this.#passed += text.length - left.length;
    for (let i = 0; i < left.length; i++) this.#stage[i] = left.charCodeAt(i);
    this.#staged = left.length;
  }

  #decode(text: string, lastChunkHandling: 'stop-before-partial' | 'loose') {
    try {
      return this.#decoded.setFromBase64(text, { alphabet: this.#alphabet, lastChunkHandling });
    } catch {
      // Not this alphabet, both mixed, or not base64 at all: the last try tells.
    }
    const urlSafe = /[-_]/.test(text);
    if (urlSafe || this.#alphabet === 'base64url') {
      this.#alphabet = urlSafe && !/[+/]/.test(text) ? 'base64url' : 'base64';
      const standard = text.replaceAll('-', '+').replaceAll('_', '/');
      try {
        return this.#decoded.setFromBase64(standard, { lastChunkHandling });
      } catch {
        // Refused below, in words of ours.
      }
    }
    throw this.#malformed(
      text,
      lastChunkHandling === 'loose'
        ? 'it ends in the middle of a group'
        : 'its padding is in the wrong place',
    );
  }

  #malformed(text: string, otherwise: string): ApiError {
    const at = text.search(NOT_BASE64);
    return badRequest(
      at === -1
        ? `image is not valid base64: ${otherwise}.`
        : `image is not valid base64: the character at position ${this.#passed + at} is not of its alphabet.`,
    );
  }

  /** Where the base64 begins in the stage: after a data URL's head, if there is one. */
  #skipHead(): number {
    const head = this.#text(0, MAX_DATA_URL_HEAD);
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(head)?.[1]?.toLowerCase();
    if (scheme === undefined) return 0;
    if (scheme !== 'data') throw remoteImage('image holds an address where base64 was expected.');
    const comma = head.indexOf(',');
    if (comma === -1) {
      throw badRequest(`image is a data URL with no comma in its first ${MAX_DATA_URL_HEAD} characters.`);
    }
    if (!/;[ ]*base64[ ]*$/i.test(head.slice(0, comma))) {
      throw badRequest('image is a data URL that is not base64: expected data:image/…;base64,…');
    }
    this.#passed += comma + 1;
    return comma + 1;
  }

  #text(from: number, to = this.#staged): string {
    return Buffer.from(this.#stage.buffer, 0, Math.min(to, this.#staged)).toString('latin1', from);
  }
}
