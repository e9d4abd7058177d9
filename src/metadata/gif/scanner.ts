import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { BlockName, ByteRange } from '../facts.ts';
import { noteTrailer } from '../trailer.ts';
import { searchXmp, searchXmpPieces } from '../xmp.ts';
import {
  ExtensionLabel,
  type GifBlock,
  gifBlocks,
  gifImage,
  gifIsBlank,
  gifScreen,
  gifSize,
  Introducer,
  subBlockAt,
} from './blocks.ts';
import { reachesEndCode } from './lzw.ts';

/** Most sub-blocks of an ICC profile or XMP packet whose places are kept: 4 MB at 255 bytes each. */
const MAX_PIECES = 16_384;

/** No XMP packet is shorter: the two processing instructions around it alone take more. */
const LEAST_PACKET = 64;

/**
 * Scans a GIF: GIF89a specification (CompuServe 1990); application extensions: XMP part 3 §1.1.2, ICC.1 annex
 * B. Yields within long runs of blocks.
 */
export function* scanGif(cursor: Cursor, draft: FactsDraft): Generator<number, void> {
  const screen = gifScreen(cursor);
  draft.width = screen.width;
  draft.height = screen.height;
  draft.colour = 'palette';
  draft.channels = 1;
  if (screen.truncated) {
    draft.fail('it ends inside its header');
    return;
  }
  let at = screen.end;
  let frames = 0;
  let shownIsWhole = false;
  let shownIsBlank = false;
  for (const block of gifBlocks(cursor, screen.end)) {
    if (typeof block === 'number') {
      yield block;
      continue;
    }
    if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
    const { introducer, start, end, truncated } = block;
    at = end;
    if (introducer === Introducer.extension) extension(cursor, block, frames === 0 || shownIsBlank, draft);
    else if (introducer === Introducer.image) {
      const image = gifImage(cursor, start);
      if (image === null) {
        at = start;
        break;
      }
      if (frames === 0 || shownIsBlank) {
        const isBlank = gifIsBlank(cursor, image);
        // of blank frames alone the first is shown
        if (frames === 0 || !isBlank) {
          draft.progressive = image.interlaced;
          Object.assign(draft, gifSize(screen, image));
          // Decoders accept data that reach their end code, whatever is missing of the sub-blocks.
          shownIsWhole = !truncated || (yield* reachesEndCode(cursor, image.literalBitsAt));
        }
        shownIsBlank = isBlank;
      }
      frames += 1;
    }
  }
  draft.frames = Math.max(1, frames);
  // Only one frame is decoded, and decoders do not need the trailer: a file cut off after that frame
  // counts as complete.
  if (!shownIsWhole) draft.fail('it ends before the data of its first frame do');
  else yield* noteTrailer(cursor, at, draft);
}

/** Records an extension. @param beforeFrames whether it may apply to the first frame */
function extension(cursor: Cursor, block: GifBlock, beforeFrames: boolean, draft: FactsDraft): void {
  const { start, end } = block;
  switch (cursor.u8(start + 1)) {
    case ExtensionLabel.graphicControl:
      if (beforeFrames) draft.hasAlpha ||= (cursor.u8(start + 3) & 1) === 1;
      break;
    case ExtensionLabel.comment:
      draft.block('comment', start, end);
      draft.payloads?.add('comment', cursor, subBlocks(cursor, start + 2));
      break;
    case ExtensionLabel.plainText: // to be drawn over the picture
      draft.block('text', start, end);
      // the first sub-block says where and how it is drawn (section 25)
      draft.payloads?.add('comment', cursor, subBlocks(cursor, start + 2).slice(1), 'text');
      break;
    case ExtensionLabel.application: {
      const name = application(cursor, block, draft);
      if (name !== null) draft.block(name, start, end);
      break;
    }
    default:
      draft.block('unknown', start, end);
  }
}

/**
 * Names an application extension by the eleven bytes of its identifier and authentication code; null if it is
 * not metadata.
 */
function application(
  cursor: Cursor,
  { start, end, truncated }: GifBlock,
  draft: FactsDraft,
): BlockName | null {
  const id = start + 3;
  const data = start + 14;
  if (cursor.matches(id, 'NETSCAPE2.0') || cursor.matches(id, 'ANIMEXTS1.0')) return null;
  if (cursor.matches(id, 'XMP DataXMP')) {
    // The packet is stored without sub-blocks; its last 258 bytes lead readers of sub-blocks to its end. Some
    // writers use sub-blocks instead.
    if (cursor.u8(data) === 0x3c /* < */) searchXmp(cursor, data, end, draft);
    else if (end - data > LEAST_PACKET) searchXmpPieces(cursor, subBlocks(cursor, data), draft);
    return 'xmp';
  }
  if (!cursor.matches(id, 'ICCRGBG1012')) return 'unknown';
  const pieces = subBlocks(cursor, data);
  if (!truncated && pieces.length < MAX_PIECES) draft.colorimetry.icc ??= { pieces, encoding: 'raw' };
  return 'icc';
}

/** The data of the sub-blocks at `from`, at most MAX_PIECES of them. */
function subBlocks(cursor: Cursor, from: number): ByteRange[] {
  const pieces: ByteRange[] = [];
  let piece = subBlockAt(cursor, from);
  while (piece !== null && pieces.length < MAX_PIECES) {
    pieces.push(piece);
    piece = subBlockAt(cursor, piece.end);
  }
  return pieces;
}
