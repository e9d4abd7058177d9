import { type Box, boxes } from '../boxes.ts';
import type { Cursor } from '../cursor.ts';

/** Most tracks read of one file. */
const MAX_TRACKS = 64;
/** Boxes on the path from a track to its sample table, ISO/IEC 14496-12 §8. */
const CONTAINERS = new Set(['mdia', 'minf', 'stbl']);
/** Bytes of a VisualSampleEntry before its boxes, §12.1.3. */
const VISUAL_ENTRY = 86;
/** Most boxes kept of one sample entry; writers have up to a dozen. */
const MAX_PROPERTIES = 256;
/** Most tracks kept of one reference. */
const MAX_REFERENCES = 64;
/** Longest auxiliary type that is distinguished. */
const MAX_TYPE = 64;

/** Where the first sample of a track lies in the file. */
export interface FirstFrame {
  readonly offset: number;
  readonly length: number;
}

/** A track of `moov`. */
export interface Track {
  readonly id: number;
  readonly handler: string;
  readonly samples: number;
  readonly width: number;
  readonly height: number;
  /** Undefined if its sample table does not say. */
  readonly frame: FirstFrame | undefined;
  /** Boxes of its sample entry: `av1C`, `colr` …; empty if it is not AV1. */
  readonly properties: readonly Box[];
  /** For auxiliary tracks: their type, from `auxi`, and the tracks they belong to (`auxl`). */
  readonly auxiliary: string;
  readonly auxiliaryOf: readonly number[];
  /** Tracks whose alpha its samples were multiplied with (`prem`). */
  readonly premultipliedBy: readonly number[];
}

interface TrackDraft {
  id: number;
  handler: string;
  samples: number;
  width: number;
  height: number;
  offset: number;
  length: number;
  properties: Box[];
  auxiliary: string;
  auxiliaryOf: number[];
  premultipliedBy: number[];
}

/** Reads the tracks of `moov`, in their order; yields as scanners do. */
export function* readTracks(cursor: Cursor, moov: Box): Generator<number, Track[]> {
  const tracks: Track[] = [];
  for (const box of boxes(cursor, moov.body, moov.end)) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    if (box.type !== 'trak' || tracks.length >= MAX_TRACKS) continue;
    const draft: TrackDraft = {
      id: -1,
      handler: '',
      samples: 0,
      width: 0,
      height: 0,
      offset: -1,
      length: 0,
      properties: [],
      auxiliary: '',
      auxiliaryOf: [],
      premultipliedBy: [],
    };
    yield* readTrack(cursor, box, draft, 0);
    const { offset, length, ...rest } = draft;
    tracks.push({ ...rest, frame: offset >= 0 && length > 0 ? { offset, length } : undefined });
  }
  return tracks;
}

/** Collects the facts in the boxes of a track; its containers have four levels, which bounds the depth. */
function* readTrack(cursor: Cursor, parent: Box, track: TrackDraft, depth: number): Generator<number, void> {
  for (const box of boxes(cursor, parent.body, parent.end)) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    const { type, body } = box;
    if (CONTAINERS.has(type) && depth < CONTAINERS.size) yield* readTrack(cursor, box, track, depth + 1);
    else if (type === 'hdlr' && track.handler === '') track.handler = cursor.text(body + 8, body + 12, 4);
    // times of 32 or 64 bits come before the id, §8.3.2
    else if (type === 'tkhd') track.id = cursor.u32(body + (cursor.u8(body) === 1 ? 20 : 12));
    else if (type === 'tref') readReferences(cursor, box, track);
    else if (type === 'stsz') {
      track.samples = Math.max(0, cursor.u32(body + 8));
      // one size for all, or the first of a list
      track.length = Math.max(0, cursor.u32(body + 4) || cursor.u32(body + 12));
    } else if (type === 'stco' && cursor.u32(body + 4) > 0) track.offset = cursor.u32(body + 8);
    else if (type === 'co64' && cursor.u32(body + 4) > 0) track.offset = cursor.u64(body + 8);
    else if (type === 'stsd') yield* readEntry(cursor, box, track);
  }
}

function readReferences(cursor: Cursor, parent: Box, track: TrackDraft): void {
  for (const { type, body, end } of boxes(cursor, parent.body, parent.end)) {
    const ids = type === 'auxl' ? track.auxiliaryOf : type === 'prem' ? track.premultipliedBy : undefined;
    if (!ids) continue;
    for (let at = body; at + 4 <= end && ids.length < MAX_REFERENCES; at += 4) ids.push(cursor.u32(at));
  }
}

/** The first sample entry, if it is AV1. */
function* readEntry(cursor: Cursor, { body, end }: Box, track: TrackDraft): Generator<number, void> {
  const entry = body + 8;
  if (!cursor.matches(entry + 4, 'av01')) return;
  // width and height after 24 bytes of its own
  track.width = Math.max(0, cursor.u16(entry + 32));
  track.height = Math.max(0, cursor.u16(entry + 34));
  const stop = Math.min(end, entry + Math.max(0, cursor.u32(entry)));
  for (const box of boxes(cursor, entry + VISUAL_ENTRY, stop)) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    if (track.properties.length < MAX_PROPERTIES) track.properties.push(box);
    if (box.type !== 'auxi') continue;
    const close = cursor.find(0, box.body + 4, box.end);
    track.auxiliary = cursor.text(box.body + 4, close < 0 ? box.end : close, MAX_TYPE);
  }
}
