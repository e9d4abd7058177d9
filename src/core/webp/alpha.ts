import { Guarded } from '../guarded.ts';
import { addressOf, type Core, createCore } from '../instance.ts';
import { losslessFault, OUT_OF_MEMORY } from './lossless_faults.ts';

/** What decides how much memory an alpha plane takes. */
export interface AlphaShape {
  readonly width: number;
  readonly height: number;
  /** Bit 0 of the chunk's first byte. */
  readonly compressed: boolean;
  /** Each pixel is kept in four bytes: known once the file is open; absent: assumed. */
  readonly wide?: boolean;
}

/**
 * Bytes of core memory that a decoder takes: those that follow from its size, and the most that a header may
 * declare.
 */
export function alphaDecoderBytes({ width, height, compressed, wide = true }: AlphaShape): {
  readonly fixed: number;
  readonly worst: number;
} {
  using core = createCore();
  const { exports } = core;
  const fixed = exports.webpAlphaFixedBytes(width, height, compressed ? 1 : 0, wide ? 1 : 0) >>> 0;
  const side = compressed ? exports.webpLosslessSideLimit(width, height) >>> 0 : 0;
  return { fixed, worst: fixed + side };
}

/**
 * The alpha of one frame inside a core. All its memory is reserved when it is opened; its rows are decoded
 * any number of times, in step with the decoder of the colours.
 */
export class WebpAlphaFile {
  readonly core: Core;
  readonly width: number;
  readonly height: number;
  /** Whether each pixel is kept in four bytes. */
  readonly wide: boolean;
  readonly #guard: Guarded;
  readonly #decoder: number;

  /**
   * @param at where the `length` bytes of the ALPH chunk's payload lie in the core
   * @param width of the frame, 1 to 16384; height likewise
   * @throws Fault 'decoding' | 'limit' if the header is wrong or asks for too much
   */
  constructor(core: Core, at: number, length: number, width: number, height: number) {
    this.core = core;
    this.#guard = new Guarded(core, 'WebP alpha', 'WebP alpha');
    this.width = width;
    this.height = height;
    const { exports } = core;
    const limit = exports.webpLosslessSideLimit(width, height);
    this.#decoder = this.#guard.run(() => exports.webpAlphaOpen(at, length, width, height, limit) >>> 0);
    if (this.#decoder === 0) throw this.#guard.drop(losslessFault(OUT_OF_MEMORY, 'WebP alpha', 0, 0));
    const fault = exports.webpAlphaFault(this.#decoder);
    if (fault !== 0) throw this.#guard.drop(losslessFault(fault, 'WebP alpha', 0, 0));
    this.wide = exports.webpAlphaWide(this.#decoder) !== 0;
  }

  /** Bytes that were reserved because the header declares them, in addition to `alphaDecoderBytes.fixed`. */
  get sideBytes(): number {
    return this.core.exports.webpAlphaSideBytes(this.#decoder) >>> 0;
  }

  /** Goes back to the first row. */
  restart(): void {
    this.#guard.run(() => this.core.exports.webpAlphaRestart(this.#decoder));
  }

  /**
   * Decodes the next row, one byte per pixel, inside the core; valid until the row after next.
   * @throws Fault 'decoding' naming the row reached; afterwards the plane can't be read any more
   */
  row(): Uint8Array<ArrayBuffer> {
    const at = this.#guard.run(() => this.core.exports.webpAlphaRow(this.#decoder) >>> 0);
    if (at === 0) this.#throwFault();
    return this.core.view(at, this.width);
  }

  /**
   * Decodes the next `rows` rows into the alpha of as many rows of RGBA in the same core.
   * @throws as `row`
   */
  merge(pixels: Uint8Array, rows: number): void {
    if (pixels.length < rows * this.width * 4)
      throw new Error(`${rows} rows were promised but are not there`);
    const at = addressOf(this.core, pixels);
    const merged = this.#guard.run(() => this.core.exports.webpAlphaMerge(this.#decoder, at, rows));
    if (!merged) this.#throwFault();
  }

  #throwFault(): never {
    const { exports } = this.core;
    const code = exports.webpAlphaFault(this.#decoder);
    if (code === 0) throw new Error('There are no rows of alpha left');
    throw this.#guard.drop(
      losslessFault(code, 'WebP alpha', exports.webpAlphaRowReached(this.#decoder), this.height),
    );
  }
}
