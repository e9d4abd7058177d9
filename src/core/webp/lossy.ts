import { Guarded } from '../guarded.ts';
import { type Core, type CoreRows, createCore } from '../instance.ts';
import { OUT_OF_MEMORY, webpLossyFault } from './lossy_faults.ts';

/**
 * Bytes that a LossyFrame of this size reserves in its core, without the file. The core states one sum, as
 * each allocation is rounded up separately.
 * @param width, height 1 to 16383
 */
export function lossyFrameBytes(width: number, height: number): number {
  using core = createCore();
  return core.exports.webpLossyBytes(width, height) >>> 0;
}

/**
 * A VP8 key frame (RFC 6386) inside a core, the payload of a WebP chunk "VP8 ". Its header is read and
 * checked; its rows are decoded on demand, any number of times, bit for bit as libwebp does with its default
 * options.
 */
export class LossyFrame {
  /** Where the frame is read. */
  readonly core: Core;
  readonly #guard: Guarded;
  readonly #decoder: number;
  readonly width: number;
  readonly height: number;

  /**
   * @param at where the frame's `length` bytes lie in the core: a chunk's payload. libwebp lets the last
   * partition run on into what follows the chunk, so a length up to the file's end accepts all that libwebp
   * accepts
   * @throws Fault 'decoding' | 'unsupported' | 'limit' if the header is wrong or not supported
   */
  constructor(core: Core, at: number, length: number) {
    this.core = core;
    this.#guard = new Guarded(core, 'WebP frame', 'WebP');
    const { exports } = core;
    this.#decoder = this.#guard.run(() => exports.webpLossyOpen(at, length) >>> 0);
    if (this.#decoder === 0) throw this.#guard.drop(webpLossyFault(OUT_OF_MEMORY, 0, 0));
    this.width = exports.webpLossyWidth(this.#decoder);
    this.height = exports.webpLossyHeight(this.#decoder);
    this.#throwFault();
  }

  /**
   * Reserves everything that reads need. Call it once, before the first `rows`.
   * @throws Fault 'limit' when the core cannot grow that far
   */
  reserve(): void {
    const { exports } = this.core;
    if (!this.#guard.run(() => exports.webpLossyReserve(this.#decoder))) {
      throw this.#guard.drop(webpLossyFault(OUT_OF_MEMORY, 0, 0));
    }
  }

  /**
   * Decodes the rows from `from` on, 1 to 16 at a time; rows above are decoded but not converted to pixels.
   * Starting a read ends the one before it.
   * @param alphaRow where row `y`'s alpha lies in the core, one byte per pixel; called for each row in turn.
   * Absent: all pixels are opaque
   * @throws Fault 'decoding' naming the row reached; afterwards the frame can't be read any more
   */
  *rows(from = 0, alphaRow?: (y: number) => number): Generator<CoreRows, void, void> {
    const { exports } = this.core;
    const decoder = this.#decoder;
    const run = this.#guard.reading();
    run(() => exports.webpLossyStart(decoder, from));
    while (true) {
      const rows = run(() => exports.webpLossyNext(decoder));
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
    throw this.#guard.drop(webpLossyFault(code, exports.webpLossyRowReached(this.#decoder), this.height));
  }
}
