import { addressIn, type Core } from './instance.ts';
import { Scratch } from './scratch.ts';

/**
 * Stored rows are taken in so many bytes at a time, to stay within the processor's cache where they must be
 * copied.
 */
const INPUT_BYTES = 131_072;
const PIXEL = 4;
/** The kernel turns squares of so many pixels. */
const SQUARE = 4;
/** Kernels read up to so many bytes past a row. */
const SLACK = 64;

/** How stored columns become upright rows (orientations 5 to 8). */
interface SidewaysTurn {
  /** The rightmost stored column becomes the first upright row. */
  readonly rightToLeft: boolean;
  /** The bottom stored row becomes the first upright column. */
  readonly bottomUp: boolean;
}

/** Upright rows made of stored columns. */
export class RotatedBand implements Disposable {
  readonly width: number;
  readonly #sidewaysTurn: SidewaysTurn;
  readonly #workspace: Scratch;
  readonly #core: Core;
  readonly #band: number;
  readonly #input: number;
  readonly #inputBytes: number;

  /**
   * @param home the core that the stored rows lie in, where there is one
   * @param width of the upright picture
   * @param height rows that the band holds, at most
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(home: Core | undefined, width: number, height: number, turn: SidewaysTurn) {
    this.width = width;
    this.#sidewaysTurn = turn;
    this.#inputBytes = Math.max(INPUT_BYTES, height * SQUARE * PIXEL);
    this.#workspace = new Scratch(home, [width * height * PIXEL + SLACK, this.#inputBytes]);
    this.#core = this.#workspace.core;
    [this.#band, this.#input] = this.#workspace.places as [number, number];
  }

  /**
   * Takes stored rows, cut to the band's columns.
   * @param y the first of these rows in the stored picture
   * @param columns of these rows: the band's upright rows
   */
  put(pixels: Uint8Array, y: number, columns: number): void {
    const stride = columns * PIXEL;
    const most = Math.floor(this.#inputBytes / stride / SQUARE) * SQUARE * stride;
    for (let from = 0; from < pixels.length; from += most) {
      const piece = pixels.subarray(from, from + most);
      const at = addressIn(this.#core, piece, this.#input);
      this.#turn(at, y + from / stride, columns, piece.length / stride);
    }
  }

  [Symbol.dispose](): void {
    this.#workspace[Symbol.dispose]();
  }

  #turn(from: number, y: number, columns: number, rows: number): void {
    const { rightToLeft, bottomUp } = this.#sidewaysTurn;
    const stride = this.width * PIXEL;
    const top = this.#band + (rightToLeft ? (columns - 1) * stride : 0);
    const to = top + (bottomUp ? this.width - 1 - y : y) * PIXEL;
    const rowStep = rightToLeft ? -stride : stride;
    this.#core.exports.turnPixels(from, columns, rows, to, rowStep, bottomUp ? 1 : 0);
  }

  /** The first `rows` upright rows. */
  rows(rows: number): Uint8Array {
    return this.#core.view(this.#band, rows * this.width * PIXEL);
  }
}
