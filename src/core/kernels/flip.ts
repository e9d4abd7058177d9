import { ROW_SLACK } from '../constants.ts';
import { addressOf, type Core } from '../instance.ts';
import { Scratch } from '../scratch.ts';

const PIXEL_BYTES = 4;

/** Rows in reverse order, each mirrored on request. */
export class FlippedBand implements Disposable {
  readonly #scratch: Scratch;
  readonly #band: number;
  readonly #width: number;
  readonly #stride: number;

  /**
   * @param core that the stored rows lie in
   * @param width in pixels
   * @param height the most rows that the band holds
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(core: Core, width: number, height: number) {
    this.#width = width;
    this.#stride = width * PIXEL_BYTES;
    this.#scratch = new Scratch(core, [this.#stride * height + ROW_SLACK]);
    this.#band = this.#scratch.places[0]!;
  }

  /**
   * Takes stored rows.
   * @param last the band's row that the first of them becomes; the others go above it
   * @param mirror their last column becomes the first
   */
  put(pixels: Uint8Array, last: number, mirror: boolean): void {
    const { core } = this.#scratch;
    const from = addressOf(core, pixels);
    for (let row = 0; row * this.#stride < pixels.length; row++) {
      const to = this.#band + (last - row) * this.#stride;
      core.exports.flipRow(from + row * this.#stride, this.#width, to, mirror ? 1 : 0);
    }
  }

  /** `rows` rows of the band, from row `from` on. */
  rows(from: number, rows: number): Uint8Array {
    return this.#scratch.core.view(this.#band + from * this.#stride, rows * this.#stride);
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }
}
