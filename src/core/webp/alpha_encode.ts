import { addressOf, type Core, noCoreMemory } from '../instance.ts';
import { coreSize } from '../sizes.ts';

/** Bytes of core memory that an encoder takes, all when it is made. */
export const alphaEncoderBytes = coreSize((exports, width: number, height: number) =>
  exports.webpAlphaEncodeBytes(width, height),
);

/**
 * The payload of an ALPH chunk while it is written, from two reads of the same rows: the first decides how,
 * the second writes to the core's sink in pieces. All memory is reserved at the beginning and freed with the
 * region that was open then, so nothing moves while rows are pushed. Rows lie in the same core and are read
 * in place.
 */
export class WebpAlphaWriter {
  readonly #core: Core;
  readonly #encoder: number;
  readonly #width: number;
  readonly #height: number;
  /** Rows pushed in this read. */
  #y = 0;
  #bytes: number | undefined;

  /**
   * @param width 1 to 16384; height likewise
   * @throws Fault 'limit' when the core's memory cannot grow that far
   */
  constructor(core: Core, width: number, height: number) {
    this.#core = core;
    this.#encoder = core.exports.webpAlphaEncodeBegin(width, height) >>> 0;
    if (this.#encoder === 0) throw noCoreMemory();
    this.#width = width;
    this.#height = height;
  }

  /**
   * Takes the alpha of the next rows of RGBA: in the first read to inspect it, after `plan` to write it.
   * @throws whatever the sink throws
   */
  push(pixels: Uint8Array, rows: number): void {
    // A view is empty once its memory has grown.
    if (pixels.length < rows * this.#width * 4)
      throw new Error(`${rows} rows were promised but are not there`);
    if (this.#y + rows > this.#height) throw new Error(`There are more than ${this.#height} rows`);
    this.#core.exports.webpAlphaEncodePush(this.#encoder, addressOf(this.#core, pixels), rows);
    this.#y += rows;
  }

  /** Whether all rows so far are opaque: such a picture needs no alpha. */
  get opaque(): boolean {
    return this.#core.exports.webpAlphaEncodeOpaque(this.#encoder) !== 0;
  }

  /** Ends the first read, which must have reached the last row. @returns bytes that will be written */
  plan(): number {
    if (this.#bytes !== undefined || this.#y !== this.#height)
      throw new Error('The first reading is not over');
    this.#bytes = this.#core.exports.webpAlphaEncodePlan(this.#encoder) >>> 0;
    this.#y = 0;
    return this.#bytes;
  }

  /** Ends the second read, which must have reached the last row. @throws whatever the sink throws */
  finish(): void {
    if (this.#bytes === undefined || this.#y !== this.#height)
      throw new Error('The second reading is not over');
    this.#core.exports.webpAlphaEncodeFinish(this.#encoder);
  }
}
