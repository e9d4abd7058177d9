import { decodingFault, type Fault, OutOfMemoryFault } from '../faults.ts';
import { type Core, createCore } from './instance.ts';
import { OUT_OF_MEMORY, webpLossyFault } from './webp_lossy_faults.ts';

/** Rows of RGBA inside the core, valid until the next. */
export interface LossyRows {
  readonly y: number;
  readonly rows: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

/**
 * Bytes that a LossyFrame of this size reserves in its core, beside the file: one number for all, as each
 * allocation is rounded up by itself.
 * @param width, height 1 to 16383
 */
export function lossyFrameBytes(width: number, height: number): number {
  using core = createCore();
  return core.exports.webpLossyBytes(width, height) >>> 0;
}

/**
 * A VP8 key frame (RFC 6386) inside a core, the payload of a WebP chunk "VP8 ": its header read and checked,
 * its rows decoded on demand, any number of times, bit for bit as libwebp does with its default options.
 */
export class LossyFrame {
  /** Where the frame is read. */
  readonly core: Core;
  readonly #decoder: number;
  #reading = 0;
  #dropped = false;
  readonly width: number;
  readonly height: number;

  /**
   * @param at where the frame's `length` bytes lie in the core: a chunk's payload. libwebp lets the last
   * partition run on into what follows the chunk, so a length up to the file's end takes all that it takes
   * @throws Fault 'decoding' | 'unsupported' | 'limit' on a header that is wrong or not read here
   */
  constructor(core: Core, at: number, length: number) {
    this.core = core;
    const { exports } = core;
    this.#decoder = this.#run(() => exports.webpLossyOpen(at, length) >>> 0);
    if (this.#decoder === 0) throw this.#drop(webpLossyFault(OUT_OF_MEMORY, 0, 0));
    this.width = exports.webpLossyWidth(this.#decoder);
    this.height = exports.webpLossyHeight(this.#decoder);
    this.#throwFault();
  }

  /**
   * Reserves everything that readings take; once, before the first `rows`.
   * @throws Fault 'limit' when the core cannot grow that far
   */
  reserve(): void {
    const { exports } = this.core;
    if (!this.#run(() => exports.webpLossyReserve(this.#decoder))) {
      throw this.#drop(webpLossyFault(OUT_OF_MEMORY, 0, 0));
    }
  }

  /**
   * Decodes the rows from `from` on, 1 to 16 at a time; those above are decoded, but no pixels are made of
   * them. Starting a reading ends the one before it.
   * @param alphaRow where in the core row `y`'s alpha lies, a byte a pixel; asked for each row in turn.
   * Without it all pixels are opaque
   * @throws Fault 'decoding' naming the row reached; afterwards the frame can't be read any more
   */
  *rows(from = 0, alphaRow?: (y: number) => number): Generator<LossyRows, void, void> {
    const { exports } = this.core;
    const decoder = this.#decoder;
    this.#reading += 1;
    const reading = this.#reading;
    this.#run(() => exports.webpLossyStart(decoder, from));
    while (true) {
      if (reading !== this.#reading) throw new Error('This reading ended when another one began');
      const rows = this.#run(() => exports.webpLossyNext(decoder));
      if (rows < 0) this.#throwFault();
      if (rows <= 0) return;
      const y = exports.webpLossyStripY(decoder);
      if (alphaRow)
        for (let row = 0; row < rows; row++) exports.webpLossyAlpha(decoder, row, alphaRow(y + row));
      const pixels = this.core.view(exports.webpLossyStrip(decoder) >>> 0, rows * this.width * 4);
      yield { y, rows, pixels };
    }
  }

  #throwFault(): void {
    const { exports } = this.core;
    const code = exports.webpLossyFault(this.#decoder);
    if (code === 0) return;
    throw this.#drop(webpLossyFault(code, exports.webpLossyRowReached(this.#decoder), this.height));
  }

  /** Runs a call of the core; a trap (which no input should cause) is the file's fault, not the service's. */
  #run<T>(call: () => T): T {
    if (this.#dropped) throw new Error('This WebP frame was dropped after a fault');
    if (this.core.disposed) throw new Error('This WebP frame was closed');
    try {
      return call();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        throw this.#drop(decodingFault('The WebP data is corrupt: the decoder could not make sense of it'));
      }
      throw error instanceof RangeError
        ? this.#drop(new OutOfMemoryFault('There is no memory left to read this WebP'))
        : error;
    }
  }

  #drop(fault: Fault): Fault {
    this.#dropped = true;
    return fault;
  }
}
