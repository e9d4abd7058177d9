import { crc32 } from 'node:zlib';
import { decodingFault } from '../../faults.ts';

/** ISO/IEC 15948 section 5.2. */
export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Image data is handed to inflate in pieces of at most so many bytes, each checked by CRC as it goes. */
const PIECE_BYTES = 32_768;

export interface PngChunk {
  readonly type: string;
  /** First byte of its data. */
  readonly start: number;
  /** Its data's length, which may reach beyond the file. */
  readonly length: number;
}

/**
 * The chunk whose length field stands at `at`, or undefined where the file ends before its type is complete.
 */
export function chunkAt(bytes: Uint8Array, at: number): PngChunk | undefined {
  if (at + 8 > bytes.length) return undefined;
  const length = uint32(bytes, at);
  // ISO/IEC 15948 section 5.3: a length is at most 2^31 - 1.
  if (length > 0x7fff_ffff)
    throw decodingFault(`The PNG declares a chunk of ${length} bytes at offset ${at}`);
  const type = String.fromCharCode(bytes[at + 4]!, bytes[at + 5]!, bytes[at + 6]!, bytes[at + 7]!);
  if (!/^[A-Za-z]{4}$/.test(type)) throw decodingFault(`The PNG has no chunk type at offset ${at + 4}`);
  return { type, start: at + 8, length };
}

/** Where the chunk after this one starts. */
export const nextChunk = (chunk: PngChunk) => chunk.start + chunk.length + 4;

/** A chunk that a decoder must understand (ISO/IEC 15948 section 5.4: upper-case first letter). */
export const isCritical = (chunk: PngChunk) => chunk.type < 'a';

/**
 * The data, where all of it and its CRC are there and agree (ISO/IEC 15948 section 5.5: over type and data).
 */
export function soundData(bytes: Uint8Array, chunk: PngChunk): Uint8Array | undefined {
  const end = chunk.start + chunk.length;
  if (end + 4 > bytes.length) return undefined;
  if (crc32(bytes.subarray(chunk.start - 4, end)) !== uint32(bytes, end)) return undefined;
  return bytes.subarray(chunk.start, end);
}

/**
 * The data of a run of consecutive IDAT chunks in pieces; can be copied to go on from the same place twice.
 */
export class ImageData implements Iterator<Uint8Array>, Iterable<Uint8Array> {
  readonly #bytes: Uint8Array;
  #at: number;
  #left = 0;
  #crc = 0;
  #open = false;

  /** @param at where the first IDAT chunk's length field stands */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  clone(): ImageData {
    const copy = new ImageData(this.#bytes, this.#at);
    copy.#left = this.#left;
    copy.#crc = this.#crc;
    copy.#open = this.#open;
    return copy;
  }

  /** Offset of the next chunk; meaningful once `next` said done. */
  get end(): number {
    return this.#at;
  }

  [Symbol.iterator](): this {
    return this;
  }

  /** @throws Fault 'decoding' for a wrong CRC or a chunk that reaches beyond the file */
  next(): IteratorResult<Uint8Array, undefined> {
    while (this.#left === 0) {
      if (this.#open) this.#close();
      const chunk = chunkAt(this.#bytes, this.#at);
      if (chunk?.type !== 'IDAT') return { done: true, value: undefined };
      this.#open = true;
      this.#at = chunk.start;
      this.#left = chunk.length;
      this.#crc = crc32('IDAT');
    }
    const length = Math.min(this.#left, PIECE_BYTES, this.#bytes.length - this.#at);
    if (length <= 0) throw decodingFault('the file ends inside an IDAT chunk');
    const piece = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    this.#left -= length;
    this.#crc = crc32(piece, this.#crc);
    return { done: false, value: piece };
  }

  #close(): void {
    if (this.#at + 4 > this.#bytes.length) throw decodingFault('the file ends inside an IDAT chunk');
    if (this.#crc !== uint32(this.#bytes, this.#at)) throw decodingFault("an IDAT chunk's CRC is wrong");
    this.#open = false;
    this.#at += 4;
  }
}

export function uint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
