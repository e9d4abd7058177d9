import { type Box, boxes } from './boxes.ts';
import type { Cursor } from './cursor.ts';
import type { FactsDraft } from './draft.ts';

/** Tracks of one file that are read. */
const MAX_TRACKS = 64;
/** Boxes on the way from a track to its sample table, ISO/IEC 14496-12 §8. */
const CONTAINERS = new Set(['mdia', 'minf', 'stbl']);

interface Track {
  handler: string;
  samples: number;
  width: number;
  height: number;
}

/**
 * Reads `moov`: frames, and the size where no primary item gave it. The first picture track counts; sound and
 * alpha do not.
 */
export function scanSequence(cursor: Cursor, moov: Box, draft: FactsDraft): void {
  let tracks = 0;
  for (const box of boxes(cursor, moov.body, moov.end)) {
    if (box.type === 'udta') draft.block('unknown', box.start, box.end);
    if (box.type !== 'trak' || tracks >= MAX_TRACKS) continue;
    tracks += 1;
    const track: Track = { handler: '', samples: 0, width: 0, height: 0 };
    readTrack(cursor, box, track, 0);
    if (track.handler !== 'pict' || draft.frames > 1) continue;
    draft.frames = Math.max(1, track.samples);
    if (draft.width === 0) {
      draft.width = track.width;
      draft.height = track.height;
    }
  }
}

/** Collects what the boxes of a track say; the four levels of containers bound the depth. */
function readTrack(cursor: Cursor, parent: Box, track: Track, depth: number): void {
  for (const box of boxes(cursor, parent.body, parent.end)) {
    if (CONTAINERS.has(box.type) && depth < CONTAINERS.size) readTrack(cursor, box, track, depth + 1);
    else if (box.type === 'hdlr' && track.handler === '')
      track.handler = cursor.text(box.body + 8, box.body + 12, 4);
    else if (box.type === 'stsz') track.samples = Math.max(0, cursor.u32(box.body + 8));
    else if (box.type === 'stsd') {
      const entry = box.body + 8;
      if (cursor.matches(entry + 4, 'av01')) {
        // VisualSampleEntry, §12.1.3: width and height after 24 bytes of its own
        track.width = Math.max(0, cursor.u16(entry + 32));
        track.height = Math.max(0, cursor.u16(entry + 34));
      }
    }
  }
}
