import type { Cursor } from './cursor.ts';
import type { FactsDraft } from './draft.ts';
import type { BlockName, ByteRange } from './facts.ts';
import { noteTrailer } from './trailer.ts';
import { searchXmp, searchXmpPieces } from './xmp.ts';

/** Sub-blocks of an ICC profile or XMP packet whose places are kept: 4 MB at 255 bytes each. */
const MAX_PIECES = 16_384;

/** Bytes that no XMP packet is shorter than: the two processing instructions around it take more. */
const LEAST_PACKET = 64;

/**
 * Scans a GIF: GIF89a specification (CompuServe 1990); application extensions: XMP part 3 §1.1.2, ICC.1 annex
 * B.
 */
export function scanGif(cursor: Cursor, draft: FactsDraft): void {
  const flags = cursor.u8(10);
  draft.width = Math.max(0, cursor.u16(6, true));
  draft.height = Math.max(0, cursor.u16(8, true));
  draft.colour = 'palette';
  draft.channels = 1;
  if (flags < 0) {
    draft.fail('it ends inside its header');
    return;
  }
  let at = 13 + paletteBytes(flags);
  let frames = 0;
  let firstWhole = false;
  walk: while (at < cursor.length) {
    switch (cursor.u8(at)) {
      case 0x3b: // trailer
        at += 1;
        break walk;
      case 0x21:
        if (frames === 0 && cursor.u8(at + 1) === 0xf9) draft.hasAlpha ||= (cursor.u8(at + 3) & 1) === 1;
        at = extension(cursor, at, draft);
        break;
      case 0x2c: {
        const local = cursor.u8(at + 9);
        if (local < 0) break walk;
        if (frames === 0) draft.progressive = (local & 0x40) !== 0;
        frames += 1;
        // the data begin with one byte of code size
        at = skipSubBlocks(cursor, at + 10 + paletteBytes(local) + 1);
        if (frames === 1) firstWhole = at <= cursor.length;
        break;
      }
      case 0: // a terminator too many, as some writers have it
        at += 1;
        break;
      default: // no block: whatever it is, no decoder reads on
        break walk;
    }
  }
  draft.frames = Math.max(1, frames);
  // Only the first frame is decoded, and decoders do not miss the trailer: a file cut behind that frame is
  // whole enough.
  if (!firstWhole) draft.fail('it ends before the data of its first frame do');
  else noteTrailer(cursor, at, draft);
}

/** Bytes of the colour table that a packed field announces. */
const paletteBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1));

/** The offset after the terminator of a chain of sub-blocks; beyond the file when there is none. */
function skipSubBlocks(cursor: Cursor, from: number): number {
  let at = from;
  for (;;) {
    const size = cursor.u8(at);
    if (size === 0) return at + 1;
    if (size < 0) return cursor.length + 1;
    at += 1 + size;
  }
}

/** Notes an extension at `start`; the offset after it. */
function extension(cursor: Cursor, start: number, draft: FactsDraft): number {
  const label = cursor.u8(start + 1);
  const end = skipSubBlocks(cursor, start + 2);
  switch (label) {
    case 0xf9: // graphic control
      break;
    case 0xfe:
      draft.block('comment', start, end);
      break;
    case 0x01: // plain text to be drawn over the picture
      draft.block('text', start, end);
      break;
    case 0xff: {
      const name = application(cursor, start, end, draft);
      if (name !== null) draft.block(name, start, end);
      break;
    }
    default:
      draft.block('unknown', start, end);
  }
  return end;
}

/**
 * Names an application extension by its eleven bytes of identifier and authentication code; null for what is
 * not metadata.
 */
function application(cursor: Cursor, start: number, end: number, draft: FactsDraft): BlockName | null {
  const id = start + 3;
  const data = start + 14;
  if (cursor.matches(id, 'NETSCAPE2.0') || cursor.matches(id, 'ANIMEXTS1.0')) return null;
  if (cursor.matches(id, 'XMP DataXMP')) {
    // The packet stands bare, its last 258 bytes leading any reader of sub-blocks out; some writers chain
    // sub-blocks instead.
    if (cursor.u8(data) === 0x3c /* < */) searchXmp(cursor, data, end, draft);
    else if (end - data > LEAST_PACKET) searchXmpPieces(cursor, subBlocks(cursor, data), draft);
    return 'xmp';
  }
  if (!cursor.matches(id, 'ICCRGBG1012')) return 'unknown';
  const pieces = subBlocks(cursor, data);
  if (end <= cursor.length && pieces.length < MAX_PIECES)
    draft.colorimetry.icc ??= { pieces, encoding: 'raw' };
  return 'icc';
}

/** The data of a chain of sub-blocks. */
function subBlocks(cursor: Cursor, from: number): ByteRange[] {
  const pieces: ByteRange[] = [];
  let at = from;
  while (pieces.length < MAX_PIECES) {
    const size = cursor.u8(at);
    if (size <= 0) break;
    pieces.push({ start: at + 1, end: Math.min(at + 1 + size, cursor.length) });
    at += 1 + size;
  }
  return pieces;
}
