import { Buffer } from 'node:buffer';
import type { ApiError } from '../answers/errors.ts';
import { badRequest, remoteImage } from './body_errors.ts';
import type { Allocate } from './image_sink.ts';
import { MAX_DATA_URL_HEAD } from './limits.ts';

/** Characters collected before each call of the native decoder: enough to make the calls' cost negligible. */
const STAGE_BYTES = 64 * 1024;

/** ASCII white space (https://infra.spec.whatwg.org/#ascii-whitespace), which the native decoder ignores. */
const WHITE_SPACE = /[\t\n\f\r ]+/g;

const NOT_BASE64 = /[^A-Za-z0-9+/\-_=\t\n\f\r ]/;

const isWhiteSpace = (byte: number) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c;

/**
 * Decodes the base64 (RFC 4648) of an image string incrementally: the standard and the URL-safe alphabet,
 * also mixed; padding optional; white space ignored; a leading `data:…;base64,` skipped. Anything else is
 * refused.
 */
export class Base64Stream {
  readonly #stage: Uint8Array<ArrayBuffer>;
  readonly #decoded: Uint8Array<ArrayBuffer>;
  readonly #write: (bytes: Uint8Array) => void;
  #staged = 0;
  /** Characters already decoded or skipped, for positions in error messages. */
  #consumed = 0;
  /** Whether a stage was decoded, after which no data URL head can follow. */
  #begun = false;
  /** Whether padding was read, after which only white space may follow. */
  #padded = false;
  #alphabet: 'base64' | 'base64url' = 'base64';

  /** @param write takes decoded bytes, which are valid only during the call */
  constructor(write: (bytes: Uint8Array) => void, allocate: Allocate) {
    this.#write = write;
    this.#stage = allocate(STAGE_BYTES);
    this.#decoded = allocate((STAGE_BYTES / 4) * 3);
  }

  /**
   * @param characters bytes of the string, JSON escapes already resolved
   * @throws ApiError bad_request; and what `write` throws
   */
  write(characters: Uint8Array): void {
    let at = 0;
    // A data URL's head must begin the stage, so white space before it is not staged.
    if (this.#staged === 0 && !this.#begun) {
      while (at < characters.length && isWhiteSpace(characters[at]!)) at++;
      this.#consumed += at;
    }
    while (at < characters.length) {
      if (this.#staged === STAGE_BYTES) this.#flush();
      const part = characters.subarray(at, at + STAGE_BYTES - this.#staged);
      this.#stage.set(part, this.#staged);
      this.#staged += part.length;
      at += part.length;
    }
  }

  /** As `write`, for one character. */
  writeByte(character: number): void {
    if (this.#staged === STAGE_BYTES) this.#flush();
    if (this.#staged === 0 && !this.#begun && isWhiteSpace(character)) this.#consumed++;
    else this.#stage[this.#staged++] = character;
  }

  /** Decodes the end of the string. @throws ApiError bad_request if it ends within a group of four */
  finish(): void {
    this.#flush();
    if (this.#staged === 0) return;
    const rest = this.#text(0);
    const { written } = this.#decode(rest, 'loose');
    this.#write(this.#decoded.subarray(0, written));
    this.#staged = 0;
  }

  /** Decodes all complete groups of four in the stage; the remaining characters (up to 3) stay in it. */
  #flush(): void {
    const text = this.#text(this.#begun ? 0 : this.#skipHead());
    this.#begun = true;
    if (this.#padded && /[^\t\n\f\r ]/.test(text))
      throw this.#malformed(text, 'there are characters after the padding');
    const { read, written } = this.#decode(text, 'stop-before-partial');
    this.#write(this.#decoded.subarray(0, written));
    // Complete groups give three bytes each: any other count means that a padded group was decoded.
    if (written % 3 !== 0) this.#padded = true;
    const left = text.slice(read).replace(WHITE_SPACE, '');
    this.#consumed += text.length - left.length;
    for (let i = 0; i < left.length; i++) this.#stage[i] = left.charCodeAt(i);
    this.#staged = left.length;
  }

  #decode(text: string, lastChunkHandling: 'stop-before-partial' | 'loose') {
    try {
      return this.#decoded.setFromBase64(text, { alphabet: this.#alphabet, lastChunkHandling });
    } catch {
      // The other alphabet, both mixed, or not base64 at all: the second try decides.
    }
    const urlSafe = /[-_]/.test(text);
    if (urlSafe || this.#alphabet === 'base64url') {
      this.#alphabet = urlSafe && !/[+/]/.test(text) ? 'base64url' : 'base64';
      const standard = text.replaceAll('-', '+').replaceAll('_', '/');
      try {
        return this.#decoded.setFromBase64(standard, { lastChunkHandling });
      } catch {
        // Refused below with a message of our own.
      }
    }
    throw this.#malformed(
      text,
      lastChunkHandling === 'loose'
        ? 'it ends in the middle of a group'
        : 'its padding is in the wrong place',
    );
  }

  #malformed(text: string, problem: string): ApiError {
    const at = text.search(NOT_BASE64);
    return badRequest(
      at === -1
        ? `image is not valid base64: ${problem}.`
        : `image is not valid base64: the character at position ${this.#consumed + at} is not of its alphabet.`,
    );
  }

  /** Index in the stage at which the base64 begins: after a data URL's head, if there is one. */
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
    this.#consumed += comma + 1;
    return comma + 1;
  }

  #text(from: number, to = this.#staged): string {
    return Buffer.from(this.#stage.buffer, 0, Math.min(to, this.#staged)).toString('latin1', from);
  }
}
