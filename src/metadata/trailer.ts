import type { Cursor } from './cursor.ts';
import type { FactsDraft } from './draft.ts';

/** Most occurrences of `ftyp` in a trailer that are checked; the first that begins a file ends the search. */
const MAX_VIDEO_CANDIDATES = 4096;

/**
 * Records the bytes after an image's end, [start, length of the window): as `trailer`, and as `motion_photo`
 * if an ISO base media file (ISO/IEC 14496-12, §4.3) begins in it, which is how Google's and Samsung's motion
 * photos are stored. Yields as scanners do.
 */
export function* noteTrailer(cursor: Cursor, start: number, draft: FactsDraft): Generator<number, void> {
  if (start >= cursor.length) return;
  draft.block('trailer', start, cursor.length);
  let from = start;
  for (let n = 0; n < MAX_VIDEO_CANDIDATES; n++) {
    const at = yield* cursor.search('ftyp', from);
    if (at < 0) return;
    const size = cursor.u32(at - 4);
    if (at - 4 >= start && size >= 16 && size <= 256 && size % 4 === 0) {
      draft.block('motion_photo', at - 4, cursor.length);
      return;
    }
    from = at + 4;
  }
}
