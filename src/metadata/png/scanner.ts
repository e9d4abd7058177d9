import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import { noteTrailer } from '../trailer.ts';
import { PngFacts } from './chunk_facts.ts';
import { isChunkType, pngChunks } from './chunks.ts';
import { crc32 } from './crc.ts';

/** Chunks without which there is no picture. Besides these, only the CRCs of colour chunks are checked. */
const CRITICAL = ['IHDR', 'PLTE', 'IDAT', 'IEND'];

/** Bytes checksummed between two checks whether a pause is due: a millisecond or two. */
const CHECKED_AT_ONCE = 4 * 1024 * 1024;
/** Bytes that a step of the checksum takes, at least. */
const BYTES_A_STEP = 8;
/** Work of a chunk besides its reads, in bytes searched. */
const CHUNK = 256;

/**
 * Scans a PNG or APNG, ISO/IEC 15948 (PNG third edition): every chunk to IEND, and what follows it. Yields
 * within a long chunk, and within long runs of chunks.
 */
export function* scanPng(cursor: Cursor, draft: FactsDraft): Generator<number, void> {
  const facts = new PngFacts(cursor, draft);
  for (const { type, start, data, end, next, truncated } of pngChunks(cursor)) {
    cursor.meter.work(CHUNK);
    if (draft.hasWork(cursor)) yield* draft.workOff(cursor);
    if (truncated) {
      facts.chunk(type, start, data, cursor.length);
      break;
    }
    if (!isChunkType(type)) {
      draft.fail('it has a chunk that is no PNG chunk');
      return;
    }
    const isCritical = CRITICAL.includes(type);
    let sound = true;
    if (isCritical || facts.heeds(type)) {
      const checksum = yield* checksumOf(cursor, start + 4, end);
      sound = checksum === cursor.u32(end);
    }
    if (isCritical && !sound) draft.fail(`the checksum of its ${type} chunk is wrong`);
    facts.chunk(type, start, data, end, sound);
    if (type === 'IEND') {
      facts.finish();
      yield* noteTrailer(cursor, next, draft);
      return;
    }
  }
  facts.finish();
  draft.fail('it ends before its IEND chunk');
}

/** The CRC of bytes [from, end); −1 if no reads are left. */
function* checksumOf(cursor: Cursor, from: number, end: number): Generator<number, number> {
  let checksum = 0;
  for (let at = from; at < end; at += CHECKED_AT_ONCE) {
    const length = Math.min(end - at, CHECKED_AT_ONCE);
    const steps = Math.ceil(length / BYTES_A_STEP);
    const piece = cursor.span(at, at + length, steps);
    if (piece === null) return -1;
    cursor.meter.work(length - steps);
    checksum = crc32(piece, 0, piece.length, checksum);
    if (cursor.meter.isDue) yield cursor.meter.pause();
  }
  return checksum;
}
