import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import { noteTrailer } from '../trailer.ts';
import { PngFacts } from './chunk_facts.ts';
import { isChunkType, pngChunks } from './chunks.ts';
import { crc32 } from './crc.ts';

/** Chunks without which there is no picture; the CRC of any other is the concern of those who read it. */
const CRITICAL = ['IHDR', 'PLTE', 'IDAT', 'IEND'];

/** Bytes whose checksum is made between two yields: a millisecond or two. */
const CHECKED_AT_ONCE = 4 * 1024 * 1024;

/**
 * Scans a PNG or APNG, ISO/IEC 15948 (PNG third edition): every chunk to IEND, and what follows it. Yields
 * the bytes gone through within a long chunk, and now and then where there are very many.
 */
export function* scanPng(cursor: Cursor, draft: FactsDraft): Generator<number, void> {
  const facts = new PngFacts(cursor, draft);
  for (const { type, start, data, end, next, truncated } of pngChunks(cursor)) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    if (truncated) {
      facts.chunk(type, start, data, cursor.length);
      break;
    }
    if (!isChunkType(type)) {
      draft.fail('it has a chunk that is no PNG chunk');
      return;
    }
    if (CRITICAL.includes(type)) {
      const covered = cursor.span(start + 4, end);
      if (covered === null || (yield* checksumOf(covered)) !== cursor.u32(end)) {
        draft.fail(`the checksum of its ${type} chunk is wrong`);
      }
    }
    facts.chunk(type, start, data, end);
    if (type === 'IEND') {
      facts.finish();
      noteTrailer(cursor, next, draft);
      return;
    }
  }
  facts.finish();
  draft.fail('it ends before its IEND chunk');
}

function* checksumOf(bytes: Uint8Array): Generator<number, number> {
  let checksum = 0;
  for (let at = 0; at < bytes.length; at += CHECKED_AT_ONCE) {
    const end = Math.min(bytes.length, at + CHECKED_AT_ONCE);
    checksum = crc32(bytes, at, end, checksum);
    if (end < bytes.length) yield CHECKED_AT_ONCE;
  }
  return checksum;
}
