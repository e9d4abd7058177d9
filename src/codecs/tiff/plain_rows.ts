import { bitOrder, type RowSource } from './row_source.ts';

/** Rows stored as they are. */
export class PlainRows implements RowSource {
  readonly stored: Uint8Array;
  readonly reversed: boolean;
  #at = 0;
  constructor(stored: Uint8Array, reversed: boolean) {
    this.stored = stored;
    this.reversed = reversed;
  }

  read(into: Uint8Array): number {
    const part = this.stored.subarray(this.#at, this.#at + into.length);
    into.set(part);
    this.#at += part.length;
    if (this.reversed) {
      const order = bitOrder(true);
      for (let at = 0; at < part.length; at++) into[at] = order[into[at]!]!;
    }
    return part.length;
  }
}
