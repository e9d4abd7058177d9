import type { Cursor } from '../cursor.ts';

/** The first bytes of every PNG, ISO/IEC 15948 (PNG third edition) §5.2. */
export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Length and type before a chunk's data, CRC after it (§5.3). */
const HEADER_BYTES = 8;
const CRC_BYTES = 4;

/** One chunk as it declares itself (§5.3). All places are offsets in the cursor's window. */
export interface PngChunk {
  /** Any four bytes as Latin-1; empty if the window ends inside the chunk's header. */
  readonly type: string;
  /** Offset of its length field. */
  readonly start: number;
  /** Its data are [data, end), as declared: up to 4 GB. */
  readonly data: number;
  readonly end: number;
  /** Where the next chunk begins, after the CRC of this one. */
  readonly next: number;
  /** Whether it extends beyond the window, including its CRC; then nothing follows. */
  readonly truncated: boolean;
}

/** The chunk at an offset, or null at the end of the window. Nothing is validated, not even its CRC. */
export function pngChunkAt(cursor: Cursor, start: number): PngChunk | null {
  if (start >= cursor.length) return null;
  const length = cursor.u32(start);
  const type = cursor.text(start + 4, start + HEADER_BYTES, 4);
  const data = start + HEADER_BYTES;
  if (length < 0 || type === '') return { type: '', start, data, end: data, next: data, truncated: true };
  const end = data + length;
  const next = end + CRC_BYTES;
  return { type, start, data, end, next, truncated: next > cursor.length };
}

/** The chunks after the signature in order, including those after IEND; only the last may be truncated. */
export function* pngChunks(cursor: Cursor): Generator<PngChunk> {
  let chunk = pngChunkAt(cursor, PNG_SIGNATURE.length);
  while (chunk !== null) {
    yield chunk;
    if (chunk.truncated) return;
    chunk = pngChunkAt(cursor, chunk.next);
  }
}

/** Whether this is a valid chunk type: four ASCII letters (§5.3). */
export const isChunkType = (type: string): boolean => /^[A-Za-z]{4}$/.test(type);
