import { BACKSLASH, ESCAPED_BYTE, HEX_VALUE, LETTER_U, QUOTE } from '../../json/grammar.ts';

/** Receives the characters of the image string, escapes resolved. */
export interface ImageCharacters {
  /** @param characters valid only during the call */
  write(characters: Uint8Array): void;
}

/** Stands for any escaped character that is not ASCII; not base64, so the decoder refuses it. */
const NOT_ASCII = 0xff;

/** Size in bytes of the buffer for characters whose escapes were resolved. */
const STAGE_BYTES = 16 * 1024;

/** Where a string breaks the grammar. */
export interface WrongEscape {
  readonly at: number;
  readonly expected: string;
}

/**
 * Reads the image's string, between its quotes, whatever its chunks are. A chunk without a backslash is
 * passed on unchanged; one with some goes through a single loop, so that even a string of nothing but escapes
 * costs only a few nanoseconds a byte.
 */
export class JsonImageString {
  readonly #image: ImageCharacters;
  readonly #stage: Uint8Array;
  #staged = 0;
  #isEscaped = false;
  /** How many digits of `\uXXXX` are still to come, and the value of those read. */
  #digits = 0;
  #unit = 0;

  constructor(image: ImageCharacters, allocate: (bytes: number) => Uint8Array) {
    this.#image = image;
    this.#stage = allocate(STAGE_BYTES);
  }

  /**
   * @returns the index of the quote that ends the string; the chunk's length if the string continues; or what
   * is wrong
   * @throws what `image` throws
   */
  scan(chunk: Uint8Array, from: number): number | WrongEscape {
    if (this.#isEscaped || this.#digits > 0) return this.#scanEscaped(chunk, from);
    const quote = chunk.indexOf(QUOTE, from);
    const end = quote === -1 ? chunk.length : quote;
    const plain = chunk.subarray(from, end);
    if (plain.includes(BACKSLASH)) return this.#scanEscaped(chunk, from);
    this.#image.write(plain);
    return end;
  }

  #scanEscaped(chunk: Uint8Array, from: number): number | WrongEscape {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#digits > 0) {
        const digit = HEX_VALUE[byte]!;
        if (digit < 0) return { at, expected: 'four hexadecimal digits after \\u' };
        this.#unit = this.#unit * 16 + digit;
        if (--this.#digits === 0) this.#put(this.#unit < 0x80 ? this.#unit : NOT_ASCII);
      } else if (this.#isEscaped) {
        this.#isEscaped = false;
        const resolved = ESCAPED_BYTE[byte]!;
        if (resolved > 0) this.#put(resolved);
        else if (byte === LETTER_U) {
          this.#digits = 4;
          this.#unit = 0;
        } else return { at, expected: 'one of "\\/bfnrtu after a backslash' };
      } else if (byte === QUOTE) break;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else this.#put(byte);
    }
    this.#flush();
    return at;
  }

  #put(byte: number): void {
    if (this.#staged === STAGE_BYTES) this.#flush();
    this.#stage[this.#staged++] = byte;
  }

  #flush(): void {
    const bytes = this.#stage.subarray(0, this.#staged);
    this.#staged = 0;
    this.#image.write(bytes);
  }
}
