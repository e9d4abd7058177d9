import { badRequest } from './body_errors.ts';
import type { Allocate } from './image_sink.ts';
import { MAX_OPS_BYTES } from './limits.ts';

/** Bytes decoded at a time. */
const STAGE_BYTES = 16 * 1024;

/** Decodes UTF-8 text of up to MAX_OPS_BYTES incrementally; a leading byte order mark is dropped. */
export class JsonText {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  readonly #stage: Uint8Array<ArrayBuffer>;
  readonly #tooLarge: () => Error;
  readonly #notUtf8: () => Error;
  #staged = 0;
  #total = 0;
  #text = '';

  /**
   * @param tooLarge makes the error for the byte after the limit
   * @param fault makes the error for text that is not UTF-8
   */
  constructor(
    tooLarge: () => Error,
    allocate: Allocate,
    { fault }: { readonly fault: (message: string) => Error } = { fault: badRequest },
  ) {
    this.#tooLarge = tooLarge;
    this.#notUtf8 = () => fault('The text of the body is not valid UTF-8.');
    this.#stage = allocate(STAGE_BYTES);
  }

  /** Bytes received so far. */
  get bytes(): number {
    return this.#total;
  }

  /** @throws what `fault` makes of invalid UTF-8; what `tooLarge` makes */
  push(bytes: Uint8Array): void {
    this.#total += bytes.length;
    if (this.#total > MAX_OPS_BYTES) throw this.#tooLarge();
    for (let at = 0; at < bytes.length; ) {
      if (this.#staged === STAGE_BYTES) this.#decode(true);
      const part = bytes.subarray(at, at + STAGE_BYTES - this.#staged);
      this.#stage.set(part, this.#staged);
      this.#staged += part.length;
      at += part.length;
    }
  }

  /** @throws what `fault` makes of invalid UTF-8 */
  finish(): string {
    this.#decode(false);
    return this.#text;
  }

  #decode(stream: boolean): void {
    try {
      this.#text += this.#decoder.decode(this.#stage.subarray(0, this.#staged), { stream });
    } catch {
      throw this.#notUtf8();
    }
    this.#staged = 0;
  }
}
