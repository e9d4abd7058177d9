import { decodingFault } from '../../faults.ts';
import { type LzwInput, type LzwOptions, LzwReader } from '../lzw/reader.ts';

/** The stored rows of one strip or tile (of one plane), decompressed as they are asked for. */
export interface RowSource {
  /**
   * Fills `into`, which is always one whole stored row, and returns the number of bytes written: fewer if the
   * data ends there.
   * @throws Fault 'decoding' on corrupt data
   */
  read(into: Uint8Array): number;
}

const reversedBits = Uint8Array.from({ length: 256 }, (_, value) => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) reversed |= ((value >> bit) & 1) << (7 - bit);
  return reversed;
});
const sameBits = Uint8Array.from({ length: 256 }, (_, value) => value);

/**
 * The value of each stored byte: FillOrder 2 (TIFF 6.0 tag 266) reverses the bits of every byte, before
 * anything is decompressed.
 */
export const bitOrder = (reversed: boolean): Uint8Array => (reversed ? reversedBits : sameBits);

/** Bytes whose bits are reversed are copied in pieces of this size. */
const PIECE_BYTES = 4096;

const withReversedBits = (piece: Uint8Array): Uint8Array => piece.map((byte) => reversedBits[byte]!);

/** Copies of the stored bytes with every byte's bits reversed, piece by piece. */
export function* reversedPieces(stored: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < stored.length; at += PIECE_BYTES) {
    yield withReversedBits(stored.subarray(at, at + PIECE_BYTES));
  }
}

/** Rows without compression. */
export class UncompressedRows implements RowSource {
  readonly #stored: Uint8Array;
  readonly #reversed: boolean;
  #at = 0;

  constructor(stored: Uint8Array, reversed: boolean) {
    this.#stored = stored;
    this.#reversed = reversed;
  }

  read(into: Uint8Array): number {
    const part = this.#stored.subarray(this.#at, this.#at + into.length);
    into.set(part);
    this.#at += part.length;
    if (this.#reversed) {
      for (let at = 0; at < part.length; at++) into[at] = reversedBits[into[at]!]!;
    }
    return part.length;
  }
}

/**
 * The most bytes of no meaning (−128) in succession: a few are padding, megabytes would keep others waiting.
 */
const MOST_NOTHINGS = 65_536;

/**
 * PackBits (TIFF 6.0 section 9): a header n of 0 to 127 is followed by n + 1 literal bytes, −1 to −127 by one
 * byte to be repeated 1 − n times, −128 by nothing. Runs may pass the end of a row: some writers pack whole
 * strips.
 */
export class PackBitsRows implements RowSource {
  readonly #stored: Uint8Array;
  readonly #reversed: boolean;
  readonly #order: Uint8Array;
  #at = 0;
  /** Bytes left of the current run, and whether it repeats one byte. */
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
    let nothings = 0;
    while (done < into.length) {
      if (this.#left === 0) {
        if (this.#at >= stored.length) break;
        const header = order[stored[this.#at++]!]!;
        if (header === 128) {
          if (++nothings > MOST_NOTHINGS) {
            throw decodingFault(`The PackBits data has ${nothings} bytes on end that stand for nothing`);
          }
          continue;
        }
        nothings = 0;
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

const LZW: LzwOptions = { literalBits: 8, earlyChange: true, descending: true };
const OLD_LZW: LzwOptions = { literalBits: 8, earlyChange: false, descending: false };

/**
 * LZW rows (TIFF 6.0 section 13). A stream begins with the clear code 256 in 9 bits: 0x80, if packed from the
 * most significant bit down. Programs before TIFF 5.0 packed codes from the least significant bit up, which
 * gives a zero byte and a set bit. As in libtiff, this tells the two apart.
 * @param spare a reader that is no longer needed, for reuse
 */
export function openLzwRows(stored: Uint8Array, reversed: boolean, spare?: LzwReader): LzwReader {
  const old = stored.length >= 2 && stored[0] === 0 && (stored[1]! & 1) === 1;
  const input = new StoredInput(stored, reversed && !old);
  const options = old ? OLD_LZW : LZW;
  if (spare === undefined) return new LzwReader(input, options);
  spare.restart(input, options);
  return spare;
}

/** The stored bytes as one piece, or in pieces with reversed bits. */
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
    return this.#reversed ? withReversedBits(piece) : piece;
  }
}
