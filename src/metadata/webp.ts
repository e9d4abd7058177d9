import type { Cursor } from './cursor.ts';
import type { FactsDraft } from './draft.ts';
import { scanExif } from './exif.ts';
import { noteTrailer } from './trailer.ts';
import { searchXmp } from './xmp.ts';

/** Deepest nesting: RIFF, then ANMF. */
const FRAME_HEADER_BYTES = 16;

/** What the chunks said of the picture; the bitstream is believed before VP8X. */
interface Seen {
  canvas: { width: number; height: number } | null;
  bitstream: { width: number; height: number; lossless: boolean; alpha: boolean } | null;
  alphaChunk: boolean;
  frames: number;
}

/**
 * Scans a WebP: RFC 9649 (container and lossless bitstream), RFC 6386 (VP8). VP8X flags only announce; chunks
 * count.
 */
export function scanWebp(cursor: Cursor, draft: FactsDraft): void {
  const size = cursor.u32(4, true);
  const declared = 8 + size;
  const end = Math.min(declared, cursor.length);
  const seen: Seen = { canvas: null, bitstream: null, alphaChunk: false, frames: 0 };
  // RFC 9649 §2.4: the size is even; files in use with an odd one still pad
  const whole = walkChunks(cursor, 12, end, (type, start, at, to) =>
    chunk(cursor, draft, seen, type, start, at, to),
  );
  const picture = seen.canvas ?? seen.bitstream;
  draft.width = picture?.width ?? 0;
  draft.height = picture?.height ?? 0;
  draft.frames = Math.max(1, seen.frames);
  draft.hasAlpha = seen.alphaChunk || (seen.bitstream?.alpha ?? false);
  draft.channels = draft.hasAlpha ? 4 : 3;
  draft.colour = seen.bitstream?.lossless === false ? 'ycbcr' : 'rgb';
  if (declared > cursor.length) draft.fail('it is shorter than its RIFF header says');
  else if (!whole) draft.fail('a chunk is longer than the file');
  if (seen.bitstream === null) draft.fail('it has no image data');
  else if (seen.canvas && seen.frames === 0 && !sameSize(seen.canvas, seen.bitstream)) {
    draft.fail('its header and its image data contradict each other about the size');
  }
  noteTrailer(cursor, Math.min(declared + (size % 2), cursor.length), draft);
}

const sameSize = (a: { width: number; height: number }, b: { width: number; height: number }) =>
  a.width === b.width && a.height === b.height;

/**
 * Calls `onChunk` for each chunk of [from, end): its type, where it begins, its data (clipped to the end).
 * @returns whether every chunk lies inside
 */
function walkChunks(
  cursor: Cursor,
  from: number,
  end: number,
  onChunk: (type: string, start: number, at: number, to: number) => boolean,
): boolean {
  let at = from;
  while (at + 8 <= end) {
    const type = cursor.text(at, at + 4, 4);
    const size = cursor.u32(at + 4, true);
    const data = at + 8;
    if (type.length < 4 || size < 0) return false;
    const inside = data + size <= end;
    if (!onChunk(type, at, data, Math.min(data + size, end)) || !inside) return false;
    at = data + size + (size % 2);
  }
  return true;
}

/** Reads one chunk; false when its own data break off. */
function chunk(
  cursor: Cursor,
  draft: FactsDraft,
  seen: Seen,
  type: string,
  start: number,
  at: number,
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
    case 'ANMF':
      seen.frames += 1;
      // a frame's own chunks; they cannot hold a further frame
      return walkChunks(cursor, at + FRAME_HEADER_BYTES, end, (inner, from, data, to) =>
        inner === 'ANMF' ? true : chunk(cursor, draft, seen, inner, from, data, to),
      );
    case 'ICCP':
      draft.block('icc', start, end);
      draft.colorimetry.icc ??= { pieces: [{ start: at, end }], encoding: 'raw' };
      return true;
    case 'EXIF':
      draft.block('exif', start, end);
      // the prefix of JPEG's segment does not belong here, and is often found
      scanExif(cursor.window(cursor.matches(at, 'Exif\0') ? at + 6 : at, end), draft, { governs: true });
      return true;
    case 'XMP ':
    case 'XMP\0': // written by some early tools
      draft.block('xmp', start, end);
      searchXmp(cursor, at, end, draft);
      return true;
    case 'C2PA':
      draft.block('c2pa', start, end);
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
  // the first partition lies inside the chunk
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
