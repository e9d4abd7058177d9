import { addressIn, type Core, createCore, noCoreMemory } from './instance.ts';

/** What wasm/assembly/webp/vp8l/encode exports. Addresses and sizes in bytes unless said otherwise. */
export interface WebpAlphaEncodeExports {
  webpAlphaEncodeBytes(width: number, height: number): number;
  /** @returns the encoder, 0 when the memory cannot grow */
  webpAlphaEncodeBegin(width: number, height: number): number;
  webpAlphaEncodeInput(encoder: number): number;
  webpAlphaEncodeInputRows(encoder: number): number;
  webpAlphaEncodePush(encoder: number, at: number, rows: number, rgba: number): void;
  webpAlphaEncodePlan(encoder: number): number;
  webpAlphaEncodeFinish(encoder: number): void;
}

/** Bytes of core memory that an encoder takes, all of it when it is made. */
export function alphaEncoderBytes(width: number, height: number): number {
  using core = createCore();
  return core.exports.webpAlphaEncodeBytes(width, height) >>> 0;
}

/** What a row is made of: a byte of alpha a pixel, or RGBA. */
export type AlphaRows = 'alpha' | 'rgba';

/**
 * The payload of one chunk ALPH being written, from two readings of the same rows: the first decides how, the
 * second writes to the core's sink in pieces. All its memory is reserved at the beginning and freed with the
 * region it was begun in: nothing moves while rows are pushed, so rows that lie in the same core are read where
 * they are.
 */
export class WebpAlphaWriter {
  readonly #core: Core;
  readonly #encoder: number;
  readonly #input: number;
  readonly #inputBytes: number;
  readonly #width: number;
  readonly #height: number;
  /** Rows pushed in this reading. */
  #y = 0;
  #bytes: number | undefined;

  /**
   * @param width 1 to 16384; height likewise
   * @throws Fault 'limit' when the core's memory cannot grow that far
   */
  constructor(core: Core, width: number, height: number) {
    const { exports } = core;
    this.#core = core;
    this.#encoder = exports.webpAlphaEncodeBegin(width, height) >>> 0;
    if (this.#encoder === 0) throw noCoreMemory();
    this.#input = exports.webpAlphaEncodeInput(this.#encoder) >>> 0;
    this.#inputBytes = exports.webpAlphaEncodeInputRows(this.#encoder) * width * 4;
    this.#width = width;
    this.#height = height;
  }

  /**
   * Takes the next rows: in the first reading to look at them, after `plan` to write them.
   * @throws whatever the sink throws
   */
  push(pixels: Uint8Array, rows: number, kind: AlphaRows): void {
    const rowBytes = kind === 'rgba' ? this.#width * 4 : this.#width;
    // A view is empty once its memory has grown: nothing may be read in its place.
    if (pixels.length < rows * rowBytes) throw new Error(`${rows} rows were promised but are not there`);
    if (this.#y + rows > this.#height) throw new Error(`There are more than ${this.#height} rows`);
    const { exports } = this.#core;
    const atOnce = Math.floor(this.#inputBytes / rowBytes);
    for (let done = 0; done < rows; ) {
      const count = Math.min(atOnce, rows - done);
      const piece = pixels.subarray(done * rowBytes, (done + count) * rowBytes);
      const at = addressIn(this.#core, piece, this.#input);
      exports.webpAlphaEncodePush(this.#encoder, at, count, kind === 'rgba' ? 1 : 0);
      done += count;
    }
    this.#y += rows;
  }

  /** Ends the first reading, which must have come to the last row. @returns bytes that will be written */
  plan(): number {
    if (this.#bytes !== undefined || this.#y !== this.#height)
      throw new Error('The first reading is not over');
    this.#bytes = this.#core.exports.webpAlphaEncodePlan(this.#encoder) >>> 0;
    this.#y = 0;
    return this.#bytes;
  }

  /** Ends the second reading, which must have come to the last row. @throws whatever the sink throws */
  finish(): void {
    if (this.#bytes === undefined || this.#y !== this.#height)
      throw new Error('The second reading is not over');
    this.#core.exports.webpAlphaEncodeFinish(this.#encoder);
  }
}
