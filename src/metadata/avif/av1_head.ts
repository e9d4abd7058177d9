import type { Cursor } from '../cursor.ts';
import type { ByteRange } from '../facts.ts';
import { MAX_LEB128_BYTES, UnitType } from './av1_units.ts';

const KEPT: ReadonlySet<number> = new Set([
  UnitType.sequenceHeader,
  UnitType.temporalDelimiter,
  UnitType.frameHeader,
  UnitType.frame,
]);

/** Most units examined, and most bytes kept of all together: one temporal unit has few. */
const MAX_UNITS = 1024;
const MAX_HEAD_BYTES = 16_384;
/** Most bytes kept of a unit; no frame header is half as long. */
const MAX_UNIT_BYTES = 1024;

/** Reads bytes that lie in several extents as if they were contiguous, forwards only. */
class Extents {
  readonly #cursor: Cursor;
  readonly #extents: readonly ByteRange[];
  #index = 0;
  #at: number;

  constructor(cursor: Cursor, extents: readonly ByteRange[]) {
    this.#cursor = cursor;
    this.#extents = extents;
    this.#at = extents[0]?.start ?? 0;
  }

  /** The next byte, −1 at the end. */
  next(): number {
    this.skip(0);
    return this.#index < this.#extents.length ? this.#cursor.u8(this.#at++) : -1;
  }

  /** Skips `count` bytes, then moves on to the place of the next byte. */
  skip(count: number): void {
    let left = count;
    for (; this.#index < this.#extents.length; this.#index++) {
      const there = this.#extents[this.#index]!.end - this.#at;
      if (there > left) {
        this.#at += left;
        return;
      }
      left -= Math.max(0, there);
      this.#at = this.#extents[this.#index + 1]?.start ?? 0;
    }
  }
}

/**
 * The headers of an AV1 bitstream, as a short bitstream of its own: the sequence and frame headers, with
 * frames cut off after their headers. They tell which frame is the picture and how much memory its decoding
 * takes.
 * @param extents where its bytes lie, in order
 */
export function av1Head(cursor: Cursor, extents: readonly ByteRange[]): Uint8Array<ArrayBuffer> {
  const bytes = new Extents(cursor, extents);
  const head: number[] = [];
  for (let n = 0; n < MAX_UNITS && head.length < MAX_HEAD_BYTES; n++) {
    const first = bytes.next();
    if (first < 0) break;
    const extension = (first & 4) === 0 ? [] : [bytes.next()];
    // A unit without a size extends to the end.
    const size = (first & 2) === 0 ? Number.POSITIVE_INFINITY : sizeOf(bytes);
    if (size < 0) break;
    const kept: number[] = [];
    if (KEPT.has((first >> 3) & 15)) {
      for (let byte = 0; kept.length < Math.min(size, MAX_UNIT_BYTES) && byte >= 0; ) {
        byte = bytes.next();
        if (byte >= 0) kept.push(byte);
      }
      head.push(first | 2, ...extension, (kept.length & 0x7f) | 0x80, kept.length >> 7, ...kept);
    }
    bytes.skip(size - kept.length);
  }
  return Uint8Array.from(head);
}

/** `leb128`; −1 if it is malformed. */
function sizeOf(bytes: Extents): number {
  let value = 0;
  for (let n = 0; n < MAX_LEB128_BYTES; n++) {
    const byte = bytes.next();
    if (byte < 0) return -1;
    value += (byte & 0x7f) * 2 ** (7 * n);
    if (byte < 0x80) return value;
  }
  return -1;
}
