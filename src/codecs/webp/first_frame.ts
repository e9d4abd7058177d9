import { decodingFault } from '../../faults.ts';
import { Cursor } from '../../metadata/cursor.ts';
import { RIFF_HEADER_BYTES, type RiffChunk, riffChunks, riffEnd } from '../../metadata/riff.ts';

/** The first frame of an animated WebP as a still WebP of its own, and where it lies on the canvas. */
export interface FirstFrame {
  readonly still: Uint8Array<ArrayBuffer>;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * ANMF: x, y, width − 1, height − 1 and duration in 24 bits each, then a byte of flags (WebP container,
 * "Animation").
 */
const FRAME_HEADER = 16;
/** VP8X: a byte of flags, 24 reserved bits, canvas width − 1 and height − 1 in 24 bits. */
const VP8X_PAYLOAD = 10;
const ALPHA_FLAG = 0x10;
/** Chunks looked at in one list at most; a WebP has a handful, an animation two a frame. */
const MAX_CHUNKS = 100_000;

/**
 * Cuts the first frame out of an animation: libwebp's still decoder refuses animations.
 * @returns null when the file has no ANMF chunk, i.e. is a still image
 * @throws Fault 'decoding' when the frame is cut or carries no bitstream
 */
export function firstFrame(bytes: Uint8Array): FirstFrame | null {
  if (bytes.length < RIFF_HEADER_BYTES) throw decodingFault('The WebP file ends inside its header');
  const cursor = Cursor.unlimited(bytes);
  const end = Math.min(bytes.length, riffEnd(cursor));
  for (const { type, data, end: frameEnd } of wholeChunks(cursor, RIFF_HEADER_BYTES, end)) {
    if (type !== 'ANMF') continue;
    if (frameEnd - data < FRAME_HEADER) throw decodingFault('The first frame of the WebP is cut off');
    const width = cursor.u24(data + 6, true) + 1;
    const height = cursor.u24(data + 9, true) + 1;
    const parts = [...wholeChunks(cursor, data + FRAME_HEADER, frameEnd)].filter(
      (part) => part.type === 'ALPH' || part.type === 'VP8 ' || part.type === 'VP8L',
    );
    if (!parts.some((part) => part.type !== 'ALPH'))
      throw decodingFault('The first frame of the WebP is empty');
    return {
      still: stillWebp(
        width,
        height,
        parts.map((part) => bytes.subarray(part.start, part.end)),
      ),
      // Stored halved: frames begin on even pixels.
      x: cursor.u24(data, true) * 2,
      y: cursor.u24(data + 3, true) * 2,
      width,
      height,
    };
  }
  return null;
}

/**
 * The chunks of [from, end) in order.
 * @throws Fault 'decoding' when a chunk runs past `end`, or after MAX_CHUNKS
 */
function* wholeChunks(cursor: Cursor, from: number, end: number): Generator<RiffChunk> {
  let count = 0;
  for (const chunk of riffChunks(cursor, from, end)) {
    if (count++ === MAX_CHUNKS) throw decodingFault(`Expected at most ${MAX_CHUNKS} chunks in a WebP`);
    if (chunk.truncated) {
      const { start, data } = chunk;
      throw decodingFault(
        `The WebP chunk at byte ${start} declares ${chunk.end - data} bytes but only ${end - data} are left`,
      );
    }
    yield chunk;
  }
}

/** A RIFF file of a VP8X header and the given chunks, each padded to an even length. */
function stillWebp(width: number, height: number, chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = chunks.reduce(
    (sum, { length }) => sum + length + (length & 1),
    RIFF_HEADER_BYTES + 8 + VP8X_PAYLOAD,
  );
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  const text = (at: number, code: string) => {
    for (let i = 0; i < 4; i++) file[at + i] = code.charCodeAt(i);
  };
  text(0, 'RIFF');
  view.setUint32(4, size - 8, true);
  text(8, 'WEBP');
  text(12, 'VP8X');
  view.setUint32(16, VP8X_PAYLOAD, true);
  file[20] = ALPHA_FLAG;
  // 24-bit fields, written as 32: the byte after each is written again or is the first chunk.
  view.setUint32(24, width - 1, true);
  view.setUint16(27, (height - 1) & 0xffff, true);
  file[29] = (height - 1) >>> 16;
  let at = RIFF_HEADER_BYTES + 8 + VP8X_PAYLOAD;
  for (const chunk of chunks) {
    file.set(chunk, at);
    at += chunk.length + (chunk.length & 1);
  }
  return file;
}
