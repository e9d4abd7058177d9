import { decodingFault } from '../../faults.ts';
import { RIFF_HEADER, readU24, riffChunks, riffEnd } from './riff.ts';

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

/**
 * Cuts the first frame out of an animation: libwebp's still decoder refuses animations.
 * @returns null when the file has no ANMF chunk, i.e. is a still image
 * @throws Fault 'decoding' when the frame is cut or carries no bitstream
 */
export function firstFrame(bytes: Uint8Array): FirstFrame | null {
  for (const chunk of riffChunks(bytes, RIFF_HEADER, riffEnd(bytes))) {
    if (chunk.code !== 'ANMF') continue;
    if (chunk.end - chunk.start < FRAME_HEADER) throw decodingFault('The first frame of the WebP is cut off');
    const width = readU24(bytes, chunk.start + 6) + 1;
    const height = readU24(bytes, chunk.start + 9) + 1;
    const parts = [...riffChunks(bytes, chunk.start + FRAME_HEADER, chunk.end)].filter(
      ({ code }) => code === 'ALPH' || code === 'VP8 ' || code === 'VP8L',
    );
    if (!parts.some(({ code }) => code !== 'ALPH'))
      throw decodingFault('The first frame of the WebP is empty');
    return {
      still: stillWebp(
        width,
        height,
        parts.map(({ header, end }) => bytes.subarray(header, end)),
      ),
      // Stored halved: frames begin on even pixels.
      x: readU24(bytes, chunk.start) * 2,
      y: readU24(bytes, chunk.start + 3) * 2,
      width,
      height,
    };
  }
  return null;
}

/** A RIFF file of a VP8X header and the given chunks, each padded to an even length. */
function stillWebp(width: number, height: number, chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = chunks.reduce(
    (sum, { length }) => sum + length + (length & 1),
    RIFF_HEADER + 8 + VP8X_PAYLOAD,
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
  let at = RIFF_HEADER + 8 + VP8X_PAYLOAD;
  for (const chunk of chunks) {
    file.set(chunk, at);
    at += chunk.length + (chunk.length & 1);
  }
  return file;
}
