import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import { scanExif } from '../tiff/exif.ts';
import { noteTrailer } from '../trailer.ts';
import { searchXmp } from '../xmp.ts';
import { RIFF_HEADER_BYTES, type RiffChunk, riffChunks, riffEnd } from './riff.ts';

/** Bytes of an ANMF chunk before its own chunks, RFC 9649 §2.7.1.1. */
const FRAME_HEADER_BYTES = 16;

/** What the chunks say about the picture; the bitstream takes precedence over VP8X. */
interface Seen {
  canvas: { width: number; height: number } | null;
  bitstream: { width: number; height: number; lossless: boolean; alpha: boolean } | null;
  alphaChunk: boolean;
  frames: number;
}

/**
 * Scans a WebP: RFC 9649 (container and lossless bitstream), RFC 6386 (VP8). VP8X flags are only
 * announcements; the chunks count. Yields within long runs of chunks.
 */
export function* scanWebp(cursor: Cursor, draft: FactsDraft): Generator<number, void> {
  const declared = riffEnd(cursor);
  const end = Math.min(declared, cursor.length);
  const seen: Seen = { canvas: null, bitstream: null, alphaChunk: false, frames: 0 };
  const whole = yield* readChunks(cursor, draft, seen, RIFF_HEADER_BYTES, end);
  const picture = seen.canvas ?? seen.bitstream;
  draft.width = picture?.width ?? 0;
  draft.height = picture?.height ?? 0;
  draft.frames = Math.max(1, seen.frames);
  draft.onCanvas = seen.frames > 0;
  draft.hasAlpha = seen.alphaChunk || (seen.bitstream?.alpha ?? false);
  draft.channels = draft.hasAlpha ? 4 : 3;
  draft.colour = seen.bitstream?.lossless === false ? 'ycbcr' : 'rgb';
  if (declared > cursor.length) draft.fail('it is shorter than its RIFF header says');
  else if (!whole) draft.fail('a chunk is longer than the file');
  if (seen.bitstream === null) draft.fail('it has no image data');
  else if (seen.canvas && seen.frames === 0 && !sameSize(seen.canvas, seen.bitstream)) {
    draft.fail('its header and its image data contradict each other about the size');
  }
  // RFC 9649 §2.4: the size is even; real files with an odd one are padded nevertheless
  yield* noteTrailer(cursor, Math.min(declared + (declared % 2), cursor.length), draft);
}

const sameSize = (a: { width: number; height: number }, b: { width: number; height: number }) =>
  a.width === b.width && a.height === b.height;

/**
 * Reads the chunks of [from, end) in order, up to the first truncated one.
 * @param inFrame whether these are the chunks of a frame; frames among them are skipped, since they do not
 * nest
 * @returns whether all are complete
 */
function* readChunks(
  cursor: Cursor,
  draft: FactsDraft,
  seen: Seen,
  from: number,
  end: number,
  inFrame = false,
): Generator<number, boolean> {
  for (const chunk of riffChunks(cursor, from, end)) {
    if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
    const stop = Math.min(chunk.end, end);
    let whole = true;
    if (chunk.type !== 'ANMF') whole = readChunk(cursor, draft, seen, chunk, stop);
    else if (!inFrame) {
      seen.frames += 1;
      whole = yield* readChunks(cursor, draft, seen, chunk.data + FRAME_HEADER_BYTES, stop, true);
    }
    if (!whole || chunk.truncated) return false;
  }
  return true;
}

/** Reads one chunk outside of frames; its data end at `end`. Returns false if they are truncated. */
function readChunk(
  cursor: Cursor,
  draft: FactsDraft,
  seen: Seen,
  { type, start, data: at }: RiffChunk,
  end: number,
): boolean {
  switch (type) {
    case 'VP8X':
      if (end - at >= 10) {
        seen.canvas ??= { width: 1 + cursor.u24(at + 4, true), height: 1 + cursor.u24(at + 7, true) };
      }
      return true;
    case 'VP8 ':
      return lossy(cursor, seen, at, end);
    case 'VP8L':
      return lossless(cursor, seen, at, end);
    case 'ALPH':
      seen.alphaChunk = true;
      return true;
    case 'ANIM':
      return true;
    case 'ICCP':
      draft.block('icc', start, end);
      draft.colorimetry.icc ??= { pieces: [{ start: at, end }], encoding: 'raw' };
      return true;
    case 'EXIF':
      draft.block('exif', start, end);
      // the prefix of the JPEG segment does not belong here, but is often found
      scanExif(cursor.window(cursor.matches(at, 'Exif\0') ? at + 6 : at, end), draft, { governs: true });
      return true;
    case 'XMP ':
    case 'XMP\0': // written by some early tools
      draft.block('xmp', start, end);
      searchXmp(cursor, at, end, draft);
      return true;
    case 'C2PA':
      draft.block('c2pa', start, end);
      draft.payload('c2pa', cursor, at, end);
      return true;
    default:
      draft.block('unknown', start, end);
      return true;
  }
}

/**
 * Frame header of a VP8 key frame, RFC 6386 §9.1: three bytes of tag, the start code 9D 01 2A, two 14-bit
 * sizes.
 */
function lossy(cursor: Cursor, seen: Seen, at: number, end: number): boolean {
  const tag = cursor.u24(at, true);
  if (end - at < 10 || tag < 0 || (tag & 1) !== 0 || cursor.u24(at + 3) !== 0x9d012a) return false;
  seen.bitstream ??= {
    width: cursor.u16(at + 6, true) & 0x3fff,
    height: cursor.u16(at + 8, true) & 0x3fff,
    lossless: false,
    alpha: false,
  };
  // the first partition must lie inside the chunk
  return at + 10 + (tag >> 5) <= end;
}

/**
 * Header of a VP8L bitstream, RFC 9649 §3.4: 2F, then 14 bits of width − 1, 14 of height − 1, one of alpha,
 * three of version.
 */
function lossless(cursor: Cursor, seen: Seen, at: number, end: number): boolean {
  const bits = cursor.u32(at + 1, true);
  if (end - at < 5 || cursor.u8(at) !== 0x2f || bits >>> 29 !== 0) return false;
  seen.bitstream ??= {
    width: 1 + (bits & 0x3fff),
    height: 1 + ((bits >>> 14) & 0x3fff),
    lossless: true,
    alpha: ((bits >>> 28) & 1) === 1,
  };
  return true;
}
