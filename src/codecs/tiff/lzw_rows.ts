import { type LzwInput, LzwReader } from '../lzw/reader.ts';
import type { RowSource } from './row_source.ts';
import { turnedPiece } from './row_source.ts';

/** Bytes whose bits stand the other way round are turned in pieces of this size. */
const PIECE_BYTES = 4096;

/** The stored bytes, at once, or turned piece by piece. */
class StoredInput implements LzwInput {
  readonly #stored: Uint8Array;
  readonly #reversed: boolean;
  #at: number;

  constructor(stored: Uint8Array, reversed: boolean, at = 0) {
    this.#stored = stored;
    this.#reversed = reversed;
    this.#at = at;
  }

  clone(): StoredInput {
    return new StoredInput(this.#stored, this.#reversed, this.#at);
  }

  next(): Uint8Array | undefined {
    const end = this.#reversed ? this.#at + PIECE_BYTES : this.#stored.length;
    const piece = this.#stored.subarray(this.#at, end);
    if (piece.length === 0) return undefined;
    this.#at += piece.length;
    return this.#reversed ? turnedPiece(piece) : piece;
  }
}

/**
 * LZW rows. A stream begins with the clear code 256 in 9 bits: 0x80 from the top down. Programs before TIFF
 * 5.0 packed codes from the bottom up, where it is a zero byte and a set bit; libtiff tells them by that, and
 * so is it done here.
 */
export function openLzwRows(stored: Uint8Array, reversed: boolean): RowSource {
  const old = stored.length >= 2 && stored[0] === 0 && (stored[1]! & 1) === 1;
  return new LzwReader(new StoredInput(stored, reversed && !old), {
    literalBits: 8,
    earlyChange: !old,
    descending: !old,
  });
}
