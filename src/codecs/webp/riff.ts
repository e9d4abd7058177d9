import { decodingFault } from '../../faults.ts';

/** One chunk of a RIFF file: its four-character code and where its payload lies (padding not counted). */
interface RiffChunk {
  readonly code: string;
  /** Offset of the chunk header. */
  readonly header: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Size of "RIFF", the file size and "WEBP"; of a chunk header (WebP container specification, "RIFF File
 * Format").
 */
export const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;

/** Chunks looked at in one list at most; a WebP has a handful, an animation two a frame. */
const MAX_CHUNKS = 100_000;

/**
 * Where the RIFF file ends by its own header (its size counts from byte 8); what follows is not part of it.
 */
export function riffEnd(bytes: Uint8Array): number {
  if (bytes.length < RIFF_HEADER) throw decodingFault('The WebP file ends inside its header');
  return Math.min(bytes.length, 8 + readU32(bytes, 4));
}

/**
 * The chunks between two offsets, in order.
 * @throws Fault 'decoding' when a chunk runs past `end`
 */
export function* riffChunks(bytes: Uint8Array, start: number, end: number): Generator<RiffChunk> {
  let at = start;
  for (let count = 0; at + CHUNK_HEADER <= end; count++) {
    if (count === MAX_CHUNKS) throw decodingFault(`Expected at most ${MAX_CHUNKS} chunks in a WebP`);
    const size = readU32(bytes, at + 4);
    const payload = at + CHUNK_HEADER;
    if (size > end - payload) {
      throw decodingFault(
        `The WebP chunk at byte ${at} promises ${size} bytes but only ${end - payload} are left`,
      );
    }
    yield { code: fourCc(bytes, at), header: at, start: payload, end: payload + size };
    at = payload + size + (size & 1);
  }
}

const fourCc = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!);

export const readU24 = (bytes: Uint8Array, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);

const readU32 = (bytes: Uint8Array, at: number): number =>
  (readU24(bytes, at) | (bytes[at + 3]! << 24)) >>> 0;
