import { addressIn, type Core } from './instance.ts';
import { Scratch } from './scratch.ts';

const PIXEL = 4;
/** Kernels read up to so many bytes past a row. */
const SLACK = 64;

/** Rows put upside down, each perhaps mirrored. */
export class FlippedBand implements Disposable {
  readonly #width: number;
  readonly #workspace: Scratch;
  readonly #core: Core;
  readonly #band: number;
  readonly #input: number;
  readonly #stride: number;

  /**
   * @param home the core that the stored rows lie in, where there is one
   * @param width in pixels
   * @param height rows that the band holds, at most
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(home: Core | undefined, width: number, height: number) {
    this.#width = width;
    this.#stride = width * PIXEL;
    this.#workspace = new Scratch(home, [this.#stride * height + SLACK, this.#stride]);
    this.#core = this.#workspace.core;
    [this.#band, this.#input] = this.#workspace.places as [number, number];
  }

  /**
   * Takes stored rows.
   * @param last row of the band that the first of these becomes; the others go above it
   * @param mirror their last column becomes the first
   */
  put(pixels: Uint8Array, last: number, mirror: boolean): void {
    for (let row = 0; row * this.#stride < pixels.length; row++) {
      const line = pixels.subarray(row * this.#stride, (row + 1) * this.#stride);
      const to = this.#band + (last - row) * this.#stride;
      this.#core.exports.flipRow(addressIn(this.#core, line, this.#input), this.#width, to, mirror ? 1 : 0);
    }
  }

  /** The first `rows` rows. */
  rows(rows: number): Uint8Array {
    return this.#core.view(this.#band, rows * this.#stride);
  }

  [Symbol.dispose](): void {
    this.#workspace[Symbol.dispose]();
  }
}
