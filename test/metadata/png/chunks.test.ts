import { describe, expect, it } from 'vitest';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { isChunkType, PNG_SIGNATURE, pngChunkAt, pngChunks } from '../../../src/metadata/png/chunks.ts';
import { bytes, type Part, u32 } from '../../fixtures/bytes.ts';
import { PNG_END, pngChunk } from '../../fixtures/png_writer.ts';

const chunksOf = (...chunks: Part[]) => [...pngChunks(new Cursor(bytes(PNG_SIGNATURE, chunks)))];

describe('PNG chunks', () => {
  it('come in order, those behind IEND too', () => {
    expect(chunksOf(pngChunk('tEXt', 'abc'), PNG_END, pngChunk('IDAT'))).toEqual([
      { type: 'tEXt', start: 8, data: 16, end: 19, next: 23, truncated: false },
      { type: 'IEND', start: 23, data: 31, end: 31, next: 35, truncated: false },
      { type: 'IDAT', start: 35, data: 43, end: 43, next: 47, truncated: false },
    ]);
  });

  it('are not judged: neither their CRC nor their name', () => {
    expect(chunksOf(u32(1), '?!\xff\0', 7, u32(0))).toEqual([
      { type: '?!\xff\0', start: 8, data: 16, end: 17, next: 21, truncated: false },
    ]);
    expect(['IDAT', 'prVt', '', 'IDA', 'IDA1', 'IDATx', 'ÄDAT'].map(isChunkType)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('that reach beyond the file are the last, and say so', () => {
    const whole = pngChunk('IDAT', 1, 2, 3);
    // all data, but a CRC that is cut
    expect(chunksOf(PNG_END, whole.subarray(0, -1))).toEqual([
      { type: 'IEND', start: 8, data: 16, end: 16, next: 20, truncated: false },
      { type: 'IDAT', start: 20, data: 28, end: 31, next: 35, truncated: true },
    ]);
    expect(chunksOf(u32(0xffff_ffff), 'IDAT')).toEqual([
      { type: 'IDAT', start: 8, data: 16, end: 16 + 0xffff_ffff, next: 20 + 0xffff_ffff, truncated: true },
    ]);
  });

  it('have no type where the file ends inside their header', () => {
    for (const length of [1, 4, 7]) {
      expect(chunksOf(PNG_END.subarray(0, length))).toEqual([
        { type: '', start: 8, data: 16, end: 16, next: 16, truncated: true },
      ]);
    }
    expect(chunksOf()).toEqual([]);
    expect(pngChunkAt(new Cursor(bytes(PNG_END)), 12)).toBeNull();
  });
});
