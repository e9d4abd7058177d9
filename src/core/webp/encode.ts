import { addressOf, type Core, noCoreMemory } from '../instance.ts';
import { coreSize } from '../sizes.ts';

/**
 * Bytes of core memory that a writer takes, all when it is made; `alpha` is 0 if all pixels are opaque, else
 * 1.
 */
export const webpWriterBytes = coreSize((exports, width: number, height: number, alpha: number) =>
  exports.webpEncodeBytes(width, height, alpha),
);

/** The most bytes that `WebpWriter.finish` can return. */
export const frameHeadLimit = coreSize((exports, width: number, height: number) =>
  exports.webpEncodeFrameLimit(width, height),
);

export interface WebpEncodeOptions {
  /** 1 to 16383; at most 52 megapixels in all. */
  readonly width: number;
  readonly height: number;
  /** 0 to 100, as libwebp understands it. */
  readonly quality: number;
  /** All pixels are opaque. If not, colours count as they are seen: where alpha is 0, not at all. */
  readonly opaque: boolean;
}

/**
 * A lossy WebP picture while it is written (RFC 6386 and RFC 9649), from two reads of its pixels: `push` all
 * rows, `startWriting`, `push` all rows again, `finish`. The coefficients go to the core's sink in pieces;
 * what precedes them in the file is known only at the end. All memory is reserved at the beginning and freed
 * with the region that was open then. Rows lie in the same core and are read in place. It does not write
 * alpha itself.
 */
export class WebpWriter {
  readonly #core: Core;
  readonly #encoder: number;
  readonly #stride: number;

  /** @throws Fault 'limit' when the core's memory cannot grow that far */
  constructor(core: Core, { width, height, quality, opaque }: WebpEncodeOptions) {
    this.#core = core;
    this.#encoder = core.exports.webpEncodeBegin(width, height, quality, opaque ? 0 : 1) >>> 0;
    if (this.#encoder === 0) throw noCoreMemory();
    this.#stride = width * 4;
  }

  /**
   * Takes the next rows of a read, RGBA.
   * @throws whatever the sink throws
   */
  push(pixels: Uint8Array, rows: number): void {
    // A view is empty once its memory has grown.
    if (pixels.length < rows * this.#stride) throw new Error(`${rows} rows were promised but are not there`);
    this.#core.exports.webpEncodePush(this.#encoder, addressOf(this.#core, pixels), rows);
  }

  /** Ends the first read and starts the second; all rows must have been pushed. */
  startWriting(): void {
    this.#core.exports.webpEncodeSecond(this.#encoder);
  }

  /**
   * Ends the picture; all rows must have been pushed twice.
   * @returns the frame's beginning, which precedes all that the sink took; a view of the core's memory
   * @throws whatever the sink throws
   */
  finish(): Uint8Array<ArrayBuffer> {
    const { exports } = this.#core;
    const length = exports.webpEncodeFinish(this.#encoder) >>> 0;
    return this.#core.view(exports.webpEncodeFrame(this.#encoder) >>> 0, length);
  }
}
