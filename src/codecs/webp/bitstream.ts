import { decodingFault } from '../../faults.ts';
import { Cursor } from '../../metadata/cursor.ts';
import { RIFF_HEADER_BYTES, type RiffChunk, riffChunks, riffEnd } from '../../metadata/webp/riff.ts';
import type { Size } from '../types.ts';

/** Bytes [at, at + length) of the file. */
interface Place {
  readonly at: number;
  readonly length: number;
}

/** Where the picture of a WebP lies: a still, or the first frame of an animation. */
export interface Bitstream {
  readonly codec: 'VP8' | 'VP8L';
  readonly data: Place;
  /** The alpha of a lossy picture, if it has any. */
  readonly alpha?: Place | undefined;
  /** Only for an animation: where its first frame lies on the canvas. */
  readonly frame?: (Size & { readonly x: number; readonly y: number }) | undefined;
}

/**
 * ANMF: x, y, width − 1, height − 1 and duration in 24 bits each, then a byte of flags (RFC 9649 §2.7.1.1).
 */
const FRAME_HEADER = 16;
/** The most chunks that are read of one list; a WebP has a handful, an animation two for each frame. */
const MAX_CHUNKS = 100_000;

/**
 * Finds the picture among the chunks, as libwebp does: the first bitstream counts, in an extended file with
 * the last ALPH before it. Yields as scanners do.
 * @throws Fault 'decoding' when a chunk is cut or there is no bitstream
 */
export function* findBitstream(bytes: Uint8Array): Generator<number, Bitstream> {
  if (bytes.length < RIFF_HEADER_BYTES) throw decodingFault('The WebP file ends inside its header');
  const cursor = Cursor.unlimited(bytes);
  const end = Math.min(bytes.length, riffEnd(cursor));
  let isExtended = false;
  let alpha: Place | undefined;
  for (const chunk of wholeChunks(cursor, RIFF_HEADER_BYTES, end)) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    if (chunk.type === 'VP8X') isExtended = true;
    if (chunk.type === 'ALPH') alpha = placeOf(chunk);
    if (chunk.type === 'ANMF') return yield* firstFrame(cursor, chunk);
    // The last partition of a lossy picture may run on to the end of the file.
    if (chunk.type === 'VP8 ')
      return lossy({ at: chunk.data, length: end - chunk.data }, isExtended && alpha);
    if (chunk.type === 'VP8L') return { codec: 'VP8L', data: placeOf(chunk) };
  }
  throw decodingFault('The WebP file has no image data');
}

const placeOf = ({ data, end }: RiffChunk): Place => ({ at: data, length: end - data });

const lossy = (data: Place, alpha: Place | false | undefined): Bitstream =>
  alpha ? { codec: 'VP8', data, alpha } : { codec: 'VP8', data };

function* firstFrame(cursor: Cursor, { data, end }: RiffChunk): Generator<number, Bitstream> {
  if (end - data < FRAME_HEADER) throw decodingFault('The first frame of the WebP is cut off');
  const frame = {
    // Stored halved: frames begin on even pixels.
    x: cursor.u24(data, true) * 2,
    y: cursor.u24(data + 3, true) * 2,
    width: cursor.u24(data + 6, true) + 1,
    height: cursor.u24(data + 9, true) + 1,
  };
  let alpha: Place | undefined;
  for (const chunk of wholeChunks(cursor, data + FRAME_HEADER, end)) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    if (chunk.type === 'ALPH') alpha = placeOf(chunk);
    if (chunk.type === 'VP8 ') return { ...lossy(placeOf(chunk), alpha), frame };
    if (chunk.type === 'VP8L') return { codec: 'VP8L', data: placeOf(chunk), frame };
  }
  throw decodingFault('The first frame of the WebP is empty');
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
