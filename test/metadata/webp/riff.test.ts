import { describe, expect, it } from 'vitest';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { RIFF_HEADER_BYTES, riffChunks, riffEnd } from '../../../src/metadata/webp/riff.ts';
import { bytes, type Part, u32 } from '../../fixtures/bytes.ts';
import { riffChunk, webp } from '../../fixtures/webp_writer.ts';

const odd = riffChunk('VP8X', 1, 2, 3);
const even = riffChunk('VP8L', 4, 5);
/** A chunk that declares 1000 bytes and has one. */
const short = bytes('VP8 ', u32(1000, true), 1);
const chunksOf = (file: Uint8Array) => {
  const cursor = new Cursor(file);
  return [...riffChunks(cursor, RIFF_HEADER_BYTES, Math.min(file.length, riffEnd(cursor)))];
};
const file = (chunks: Part, tail?: Part) => webp(chunks, tail);

describe('RIFF chunks', () => {
  it('come in order, padding skipped', () => {
    expect(chunksOf(file([odd, even]))).toEqual([
      { type: 'VP8X', start: 12, data: 20, end: 23, truncated: false },
      { type: 'VP8L', start: 24, data: 32, end: 34, truncated: false },
    ]);
  });

  it('end where the RIFF header says, whatever trails', () => {
    expect(chunksOf(file(even, 'PK-not-a-chunk-of-ours'))).toHaveLength(1);
  });

  it('that declare more than there is are the last, and say so', () => {
    expect(chunksOf(file([even, short]))).toEqual([
      { type: 'VP8L', start: 12, data: 20, end: 22, truncated: false },
      { type: 'VP8 ', start: 22, data: 30, end: 1030, truncated: true },
    ]);
    // too little for a header
    expect(chunksOf(file([even, 'VP8 ', 0, 0]))).toHaveLength(1);
  });

  it('whose padding byte is cut off are whole', () => {
    expect(chunksOf(file(odd.subarray(0, -1)))).toEqual([
      { type: 'VP8X', start: 12, data: 20, end: 23, truncated: false },
    ]);
  });

  it('end with the allowance of reads', () => {
    const many = file(Array.from({ length: 2000 }, () => riffChunk('zzzz')));
    const cursor = new Cursor(many);
    cursor.meter.charge(cursor.meter.limit - 500);
    expect([...riffChunks(cursor, RIFF_HEADER_BYTES, many.length)]).toHaveLength(100);
  });
});
