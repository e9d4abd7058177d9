import type { Cursor } from '../cursor.ts';

/** Bytes of "RIFF", the size of the file and "WEBP" (RFC 9649 §2.4). */
export const RIFF_HEADER_BYTES = 12;
/** Four-character code and size (RFC 9649 §2.3). */
const CHUNK_HEADER_BYTES = 8;

/** Work of creating and handling a chunk, in bytes searched. */
const CHUNK_WORK = 128;

/** One chunk of a RIFF file as it declares itself (RFC 9649 §2.3). All places are offsets in the window. */
export interface RiffChunk {
  /** Its four-character code, any four bytes as Latin-1. */
  readonly type: string;
  /** Where its header begins. */
  readonly start: number;
  /** Its payload is [data, end) as declared, without the padding byte. */
  readonly data: number;
  readonly end: number;
  /** Whether it extends beyond the enclosing range; then nothing follows. */
  readonly truncated: boolean;
}

/**
 * The end of a RIFF file of at least RIFF_HEADER_BYTES, according to its header; the size there counts from
 * byte 8.
 */
export const riffEnd = (cursor: Cursor): number => 8 + cursor.u32(4, true);

/**
 * The chunks of [from, end) in order. Nothing is validated; only the last may be truncated. Ends early once
 * the cursor's allowance of reads is used up.
 */
export function* riffChunks(cursor: Cursor, from: number, end: number): Generator<RiffChunk> {
  let at = from;
  while (at + CHUNK_HEADER_BYTES <= end) {
    cursor.meter.work(CHUNK_WORK);
    const type = cursor.text(at, at + 4, 4);
    const size = cursor.u32(at + 4, true);
    if (size < 0) return;
    const data = at + CHUNK_HEADER_BYTES;
    const truncated = data + size > end;
    yield { type, start: at, data, end: data + size, truncated };
    if (truncated) return;
    at = data + size + (size % 2);
  }
}
