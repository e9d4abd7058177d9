import { describe, expect, it } from 'vitest';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { MAX_DIRECTORY_ENTRIES, Tiff, tiffHeader } from '../../../src/metadata/tiff/ifd.ts';
import { bytes, type Part, u16, u32, u64 } from '../../fixtures/bytes.ts';

const header = (...parts: Part[]) => tiffHeader(new Cursor(bytes(...parts)));
/** A directory at byte 8 of these entries of twelve bytes, then `rest`. */
const structure = (entries: readonly Part[], rest: Part = [], declared = entries.length) =>
  Tiff.open(new Cursor(bytes('II', u16(42, true), u32(8, true), u16(declared, true), entries, rest)))!;
const entry = (tag: number, type: number, count: number, value: Part) =>
  bytes(u16(tag, true), u16(type, true), u32(count, true), value);

describe('the header of a TIFF', () => {
  it('is told as it stands, sound or not', () => {
    const sound = { little: true, version: 42, big: false, offsetBytes: 4, first: 8 };
    expect(header('II', u16(42, true), u32(8, true))).toEqual(sound);
    expect(header('MM', u16(42), u32(8))).toEqual({ ...sound, little: false });
    const big = { little: true, version: 43, big: true, offsetBytes: 8, first: 16 };
    expect(header('II', u16(43, true), u16(8, true), u16(0), u64(16, true))).toEqual(big);
    expect(header('II', u16(44, true), u32(8, true))).toMatchObject({ version: 44, big: false });
    expect(header('II', u16(43, true), u16(4, true))).toMatchObject({ offsetBytes: 4, first: -1 });
    expect(header('MM')).toMatchObject({ version: -1, first: -1 });
    expect(header('MX', u16(42), u32(8))).toBeNull();
  });

  it('opens a structure only when it is sound', () => {
    const open = (...parts: Part[]) => Tiff.open(new Cursor(bytes(...parts)));
    expect(open('MM', u16(42), u32(8))).not.toBeNull();
    expect(open('MM', u16(43), u16(8), u16(0), u64(16))).not.toBeNull();
    expect(open('MM', u16(44), u32(8))).toBeNull();
    expect(open('MM', u16(43), u16(4), u16(0), u64(16))).toBeNull();
  });
});

describe('a directory', () => {
  it('has its entries in order, and by tag the first', () => {
    const one = entry(256, 3, 1, [7, 0, 0, 0]);
    const two = entry(256, 3, 1, [9, 0, 0, 0]);
    const tiff = structure([one, two], u32(0));
    const directory = tiff.directory(8)!;
    expect(directory.entries.map(({ at }) => at)).toEqual([18, 30]);
    expect(tiff.number(directory.fields.get(256))).toBe(7);
    expect(directory).toMatchObject({ start: 8, entriesEnd: 34, end: 38, next: 0 });
  });

  it('that is cut has the entries there are, and says where it should end', () => {
    const tiff = structure([entry(256, 3, 1, [7, 0, 0, 0])], new Uint8Array(5), 3);
    const directory = tiff.directory(8)!;
    expect(directory.entries).toHaveLength(1);
    expect(directory.entriesEnd).toBe(10 + 3 * 12);
    expect(directory.end).toBe(tiff.window.length);
  });

  it('is none where it is empty, outside, or read before', () => {
    expect(structure([], u32(0)).directory(8)).toBeNull();
    const tiff = structure([entry(256, 3, 1, u32(7, true))], u32(8, true));
    expect(tiff.directory(0)).toBeNull();
    expect(tiff.directory(999)).toBeNull();
    expect(tiff.directory(8)!.next).toBe(8);
    expect(tiff.directory(8)).toBeNull();
  });

  it('has no more entries than any reader looks at', () => {
    const many = Array.from({ length: 5000 }, (_, tag) => entry(tag, 3, 1, u32(0)));
    expect(structure(many, u32(0)).directory(8)!.entries).toHaveLength(MAX_DIRECTORY_ENTRIES);
  });
});
