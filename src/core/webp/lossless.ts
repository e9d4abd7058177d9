import { ROW_WORK } from '../../scheduling/work.ts';
import { Guarded } from '../guarded.ts';
import { type Core, type CoreRows, createCore } from '../instance.ts';
import { losslessFault, OUT_OF_MEMORY } from './lossless_faults.ts';

/** The work of a strip: large enough for few calls a pixel, small enough for the processor's cache. */
const STRIP_WORK = 32_768;

/** The rows of a strip for a picture of this size, by default. */
export const losslessStripRows = (width: number, height: number): number =>
  Math.max(1, Math.min(height, Math.floor(STRIP_WORK / (width + ROW_WORK))));

/**
 * Bytes of core memory that a decoder takes: those that follow from its size, and the most that a header may
 * declare.
 */
export function losslessDecoderBytes(
  width: number,
  height: number,
  stripRows = losslessStripRows(width, height),
): { readonly fixed: number; readonly worst: number } {
  using core = createCore();
  const { exports } = core;
  const fixed = exports.webpLosslessFixedBytes(width, height, stripRows) >>> 0;
  return { fixed, worst: fixed + (exports.webpLosslessSideLimit(width, height) >>> 0) };
}

/**
 * A VP8L stream inside a core. All its memory is reserved when it is opened; its rows are decoded any number
 * of times.
 */
export class WebpLosslessFile {
  readonly core: Core;
  readonly width: number;
  readonly height: number;
  /** Whether the header announces alpha; if not, every pixel is opaque. */
  readonly alphaUsed: boolean;
  readonly #guard: Guarded;
  readonly #decoder: number;

  /**
   * @param at where the `length` bytes of the VP8L chunk's payload lie in the core
   * @param stripRows rows of a strip, except the last; absent: `losslessStripRows`
   * @throws Fault 'decoding' | 'limit' if the header is wrong or asks for too much
   */
  constructor(core: Core, at: number, length: number, stripRows?: number) {
    this.core = core;
    this.#guard = new Guarded(core, 'WebP file', 'WebP');
    const { exports } = core;
    // The stream's own header: a signature, then 14 bits each of width − 1 and height − 1 (RFC 9649 section
    // 3.4).
    const [, a = 0, b = 0, c = 0, d = 0] = core.view(at, Math.min(5, length));
    const size = (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
    const width = (size & 0x3fff) + 1;
    const height = ((size >>> 14) & 0x3fff) + 1;
    const rows = stripRows ?? losslessStripRows(width, height);
    const limit = exports.webpLosslessSideLimit(width, height);
    this.#decoder = this.#guard.run(() => exports.webpLosslessOpen(at, length, rows, limit) >>> 0);
    if (this.#decoder === 0) throw this.#guard.drop(losslessFault(OUT_OF_MEMORY, 'WebP', 0, 0));
    const fault = exports.webpLosslessFault(this.#decoder);
    if (fault !== 0) throw this.#guard.drop(losslessFault(fault, 'WebP', 0, 0));
    this.width = exports.webpLosslessWidth(this.#decoder);
    this.height = exports.webpLosslessHeight(this.#decoder);
    this.alphaUsed = exports.webpLosslessAlphaUsed(this.#decoder) !== 0;
  }

  /**
   * Bytes that were reserved because the header declares them, in addition to `losslessDecoderBytes.fixed`.
   */
  get sideBytes(): number {
    return this.core.exports.webpLosslessSideBytes(this.#decoder) >>> 0;
  }

  /**
   * Decodes all rows from the top. Starting a read ends the one before it.
   * @throws Fault 'decoding' naming the row reached; afterwards the file can't be read any more
   */
  *rows(): Generator<CoreRows, void, void> {
    const { exports } = this.core;
    const decoder = this.#decoder;
    const run = this.#guard.reading();
    run(() => exports.webpLosslessRestart(decoder));
    for (let y = 0; ; ) {
      const rows = run(() => exports.webpLosslessNext(decoder));
      if (rows < 0) {
        const reached = exports.webpLosslessRowReached(decoder);
        throw this.#guard.drop(
          losslessFault(exports.webpLosslessFault(decoder), 'WebP', reached, this.height),
        );
      }
      if (rows === 0) return;
      const pixels = this.core.view(exports.webpLosslessStrip(decoder) >>> 0, rows * this.width * 4);
      yield { y, rows, pixels };
      y += rows;
    }
  }
}
