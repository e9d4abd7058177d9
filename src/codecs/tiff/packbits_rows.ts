import { bitOrder, type RowSource } from './row_source.ts';

/**
 * PackBits (TIFF 6.0 section 9): a header n of 0 to 127 is followed by n + 1 bytes as they are, −1 to −127 by
 * one byte to be repeated 1 − n times, −128 by nothing. Runs may pass the end of a row: some writers pack
 * whole strips.
 */
export class PackBitsRows implements RowSource {
  readonly #stored: Uint8Array;
  readonly #reversed: boolean;
  readonly #order: Uint8Array;
  #at = 0;
  /** Bytes left of the run in hand, and whether it repeats one byte. */
  #left = 0;
  #repeats = false;

  constructor(stored: Uint8Array, reversed: boolean) {
    this.#stored = stored;
    this.#reversed = reversed;
    this.#order = bitOrder(reversed);
  }

  read(into: Uint8Array): number {
    const stored = this.#stored;
    const order = this.#order;
    let done = 0;
    while (done < into.length) {
      if (this.#left === 0) {
        if (this.#at >= stored.length) break;
        const header = order[stored[this.#at++]!]!;
        if (header === 128) continue;
        this.#repeats = header > 128;
        this.#left = this.#repeats ? 257 - header : header + 1;
      }
      if (this.#at >= stored.length) break;
      let count = Math.min(this.#left, into.length - done);
      if (this.#repeats) {
        into.fill(order[stored[this.#at]!]!, done, done + count);
        if (count === this.#left) this.#at++;
      } else {
        count = Math.min(count, stored.length - this.#at);
        if (this.#reversed) {
          for (let index = 0; index < count; index++) into[done + index] = order[stored[this.#at + index]!]!;
        } else {
          into.set(stored.subarray(this.#at, this.#at + count), done);
        }
        this.#at += count;
      }
      this.#left -= count;
      done += count;
    }
    return done;
  }
}
