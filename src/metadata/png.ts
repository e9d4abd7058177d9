import { crc32 } from './crc.ts';
import type { Cursor } from './cursor.ts';
import type { FactsDraft } from './draft.ts';
import { PngChunks } from './png_chunks.ts';
import { noteTrailer } from './trailer.ts';

/** Chunks without which there is no picture; the CRC of any other is the concern of those who read it. */
const CRITICAL = ['IHDR', 'PLTE', 'IDAT', 'IEND'];

/** Scans a PNG or APNG, ISO/IEC 15948 (PNG third edition): every chunk to IEND, and what follows it. */
export function scanPng(cursor: Cursor, draft: FactsDraft): void {
  const chunks = new PngChunks(cursor, draft);
  let at = 8;
  while (at < cursor.length) {
    const length = cursor.u32(at);
    const type = cursor.text(at + 4, at + 8, 4);
    const data = at + 8;
    const end = data + length + 4;
    if (length < 0 || type.length < 4 || end > cursor.length) {
      chunks.chunk(type, at, data, cursor.length);
      break;
    }
    if (!/^[A-Za-z]{4}$/.test(type)) {
      draft.fail('it has a chunk that is no PNG chunk');
      return;
    }
    if (CRITICAL.includes(type)) {
      const covered = cursor.span(at + 4, data + length);
      if (covered === null || crc32(covered, 0, covered.length) !== cursor.u32(data + length)) {
        draft.fail(`the checksum of its ${type} chunk is wrong`);
      }
    }
    chunks.chunk(type, at, data, data + length);
    at = end;
    if (type === 'IEND') {
      chunks.finish();
      noteTrailer(cursor, at, draft);
      return;
    }
  }
  chunks.finish();
  draft.fail('it ends before its IEND chunk');
}
