import { ROW_SLACK } from '../constants.ts';
import { addressOf, type Core } from '../instance.ts';
import { Scratch } from '../scratch.ts';

const PIXEL_BYTES = 4;

/** How stored columns become upright rows (Exif orientations 5 to 8). */
export interface Rotation {
  /** The rightmost stored column becomes the first upright row. */
  readonly rightToLeft: boolean;
  /** The bottom stored row becomes the first upright column. */
  readonly bottomUp: boolean;
}

/** A band of upright rows made of stored columns. */
export class RotatedBand implements Disposable {
  readonly #scratch: Scratch;
  readonly #band: number;
  readonly #width: number;
  readonly #rotation: Rotation;

  /**
   * @param core that the stored rows lie in
   * @param width of the upright picture, in pixels
   * @param height the most rows that the band holds
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(core: Core, width: number, height: number, rotation: Rotation) {
    this.#scratch = new Scratch(core, [width * height * PIXEL_BYTES + ROW_SLACK]);
    this.#band = this.#scratch.places[0]!;
    this.#width = width;
    this.#rotation = rotation;
  }

  /**
   * Takes stored rows, cut to the band's columns.
   * @param y the first of these rows in the stored picture
   * @param columns of these rows: as many as the band's upright rows
   */
  put(pixels: Uint8Array, y: number, columns: number): void {
    const { core } = this.#scratch;
    const { rightToLeft, bottomUp } = this.#rotation;
    const stride = this.#width * PIXEL_BYTES;
    const rows = pixels.length / (columns * PIXEL_BYTES);
    const top = this.#band + (rightToLeft ? (columns - 1) * stride : 0);
    const to = top + (bottomUp ? this.#width - 1 - y : y) * PIXEL_BYTES;
    const rowStep = rightToLeft ? -stride : stride;
    core.exports.rotatePixels(addressOf(core, pixels), columns, rows, to, rowStep, bottomUp ? 1 : 0);
  }

  /** `rows` upright rows of the band, from row `from` on. */
  rows(from: number, rows: number): Uint8Array {
    const stride = this.#width * PIXEL_BYTES;
    return this.#scratch.core.view(this.#band + from * stride, rows * stride);
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }
}
