import { decodingFault } from '../../faults.ts';
import { Cursor } from '../../metadata/cursor.ts';
import { isChunkType, type PngChunk, pngChunkAt } from '../../metadata/png/chunks.ts';
import { crc32 } from '../../metadata/png/crc.ts';
import type { Work } from '../types.ts';

/** Image data is handed to inflate in pieces of at most this many bytes. */
const PIECE_BYTES = 32_768;
/**
 * Most IDAT chunks of a file. A row may need all of them, and nobody gets a turn within a row: these take 25
 * ms. Writers fill chunks of 8 KB or more; in a file of 25 MB these would have 400 bytes each.
 */
const MOST_IMAGE_CHUNKS = 65_536;
/** Opening a chunk of image data, in pixels: inflate gets each one by itself. */
const CHUNK_WORK: Work = 40;
/** Passing over a chunk of another kind, in pixels. */
const PASSING_WORK: Work = 12;
/** Chunks that are passed over between two yields: less than a millisecond. */
const PASSED_AT_ONCE = 4096;
/** CRC of the type "IDAT", with which the CRC of every image chunk begins. */
const IDAT_CRC = crc32(Uint8Array.of(0x49, 0x44, 0x41, 0x54));

/**
 * The chunk whose length field is at `at`, or undefined if the file ends before its type is complete. Its
 * data may reach beyond the file.
 * @throws Fault 'decoding' for an invalid length or type
 */
export function chunkAt(file: Cursor, at: number): PngChunk | undefined {
  const chunk = pngChunkAt(file, at);
  if (chunk === null || chunk.type === '') return undefined;
  const length = chunk.end - chunk.data;
  // ISO/IEC 15948 section 5.3: a length is at most 2^31 - 1.
  if (length > 0x7fff_ffff)
    throw decodingFault(`The PNG declares a chunk of ${length} bytes at offset ${at}`);
  if (!isChunkType(chunk.type)) throw decodingFault(`The PNG has no chunk type at offset ${at + 4}`);
  return chunk;
}

/**
 * The chunks from `at` on, to the end of the file or the first that is not whole. Yields the work of passing
 * over them, as numbers.
 * @throws Fault 'decoding' as `chunkAt`
 */
export function* chunksFrom(file: Cursor, at: number): Generator<PngChunk | Work, void> {
  let passed = 0;
  for (let chunk = chunkAt(file, at); chunk; chunk = chunkAt(file, chunk.next)) {
    yield chunk;
    if (chunk.truncated) return;
    if (++passed % PASSED_AT_ONCE === 0) yield PASSED_AT_ONCE * PASSING_WORK;
  }
}

/** A chunk that a decoder must understand (ISO/IEC 15948 section 5.4: upper-case first letter). */
export const isCritical = (chunk: PngChunk) => chunk.type < 'a';

/**
 * The data of a chunk that is complete and whose CRC is right (ISO/IEC 15948 section 5.5: of type and data).
 */
export function soundData({ bytes }: Cursor, { data, end, truncated }: PngChunk): Uint8Array | undefined {
  if (truncated || crc32(bytes, data - 4, end) !== uint32(bytes, end)) return undefined;
  return bytes.subarray(data, end);
}

/**
 * The data of consecutive IDAT chunks, in pieces. Can be copied, to go on from the same place twice.
 */
export class ImageData implements Iterator<Uint8Array>, Iterable<Uint8Array> {
  readonly #file: Cursor;
  readonly #isChecked: boolean;
  #at: number;
  #left = 0;
  #crc = 0;
  #open = false;
  /** Chunks that were opened: all of them, and those whose work was not yet taken. */
  #count = 0;
  #opened = 0;

  /**
   * @param at offset of the first IDAT chunk's length field
   * @param isChecked whether the CRCs are known to be right: then they are not checked again
   */
  constructor(bytes: Uint8Array, at: number, isChecked: boolean) {
    this.#file = Cursor.unlimited(bytes);
    this.#isChecked = isChecked;
    this.#at = at;
  }

  clone(): ImageData {
    const copy = new ImageData(this.#file.bytes, this.#at, this.#isChecked);
    copy.#left = this.#left;
    copy.#crc = this.#crc;
    copy.#open = this.#open;
    copy.#count = this.#count;
    return copy;
  }

  /** Work of the chunks opened since the last call; each may hold only one byte. */
  takeWork(): Work {
    const work = this.#opened * CHUNK_WORK;
    this.#opened = 0;
    return work;
  }

  /** Offset of the next chunk; meaningful once `next` has returned done. */
  get end(): number {
    return this.#at;
  }

  [Symbol.iterator](): this {
    return this;
  }

  /**
   * @throws Fault 'decoding' for a wrong CRC, a chunk that reaches beyond the file, or more than
   * MOST_IMAGE_CHUNKS
   */
  next(): IteratorResult<Uint8Array, undefined> {
    while (this.#left === 0) {
      if (this.#open) this.#close();
      const chunk = chunkAt(this.#file, this.#at);
      if (chunk?.type !== 'IDAT') return { done: true, value: undefined };
      if (this.#count++ === MOST_IMAGE_CHUNKS)
        throw decodingFault(`there are more than ${MOST_IMAGE_CHUNKS} IDAT chunks`);
      this.#open = true;
      this.#opened++;
      this.#at = chunk.data;
      this.#left = chunk.end - chunk.data;
      this.#crc = IDAT_CRC;
    }
    const length = Math.min(this.#left, PIECE_BYTES, this.#file.bytes.length - this.#at);
    if (length <= 0) throw decodingFault('the file ends inside an IDAT chunk');
    const piece = this.#file.bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    this.#left -= length;
    if (!this.#isChecked) this.#crc = crc32(piece, 0, piece.length, this.#crc);
    return { done: false, value: piece };
  }

  #close(): void {
    if (this.#at + 4 > this.#file.bytes.length) throw decodingFault('the file ends inside an IDAT chunk');
    if (!this.#isChecked && this.#crc !== uint32(this.#file.bytes, this.#at))
      throw decodingFault("an IDAT chunk's CRC is wrong");
    this.#open = false;
    this.#at += 4;
  }
}

export function uint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
