import { describe, expect, it } from 'vitest';
import { Cursor } from '../../src/metadata/cursor.ts';
import { MAX_DIRECTORY_ENTRIES, Tiff, tiffHeader } from '../../src/metadata/ifd.ts';
import { bytes, type Part, u16, u32, u64 } from '../fixtures/metadata/bytes.ts';

const header = (...parts: Part[]) => tiffHeader(new Cursor(bytes(...parts)));
/** A directory at byte 8 of these entries of twelve bytes, then `rest`. */
const structure = (entries: readonly Part[], rest: Part = [], declared = entries.length) =>
  Tiff.open(new Cursor(bytes('II', u16(42, true), u32(8, true), u16(declared, true), entries, rest)))!;
const entry = (tag: number, type: number, count: number, value: Part) =>
  bytes(u16(tag, true), u16(type, true), u32(count, true), value);
const float = (write: (view: DataView) => void, length: number) => {
  const data = new Uint8Array(length);
  write(new DataView(data.buffer));
  return data;
};

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

describe('values', () => {
  /** Value 0 of a field whose data lie behind the directory. */
  const value = (type: number, data: Part, count = 1) => {
    const inline = bytes(data).length <= 4;
    const tiff = structure([entry(1, type, count, inline ? [data, [0, 0, 0, 0]] : u32(26, true))], [
      u32(0),
      inline ? [] : data,
    ] as Part);
    return tiff.value(tiff.directory(8)!.entries[0]!, 0);
  };

  it.each<[string, number, Part, number]>([
    ['BYTE', 1, 0xfe, 254],
    ['ASCII', 2, 'A', 65],
    ['SHORT', 3, u16(0xfffe, true), 0xfffe],
    ['LONG', 4, u32(0xffff_fffe, true), 0xffff_fffe],
    ['RATIONAL', 5, [u32(3, true), u32(2, true)], 1.5],
    ['SBYTE', 6, 0xfe, -2],
    ['UNDEFINED', 7, 0xfe, 254],
    ['SSHORT', 8, u16(0xfffe, true), -2],
    ['SLONG', 9, u32(0xffff_fffe, true), -2],
    ['SRATIONAL', 10, [u32(0xffff_fffd, true), u32(2, true)], -1.5],
    ['FLOAT', 11, float((view) => view.setFloat32(0, -0.75, true), 4), -0.75],
    ['DOUBLE', 12, float((view) => view.setFloat64(0, 1e300, true), 8), 1e300],
    ['IFD', 13, u32(26, true), 26],
    ['LONG8', 16, u64(2 ** 40, true), 2 ** 40],
    ['SLONG8', 17, new Uint8Array(8).fill(0xff), -1],
    ['IFD8', 18, u64(26, true), 26],
    ['an unknown type', 99, u32(1), Number.NaN],
  ])('of %s', (_, type, data, expected) => {
    expect(value(type, data)).toBe(expected);
  });

  it('are no numbers beyond the count or the window', () => {
    expect(value(3, u16(1, true), 0)).toBeNaN();
    const outside = structure([entry(1, 4, 2, u32(9999, true))], u32(0));
    expect(outside.value(outside.directory(8)!.entries[0]!, 0)).toBeNaN();
  });

  it('that can be offsets and counts are whole and not negative', () => {
    const number = (type: number, data: Part) => {
      const tiff = structure([entry(1, type, 1, data)], u32(0));
      return tiff.number(tiff.directory(8)!.fields.get(1));
    };
    expect(number(9, u32(5, true))).toBe(5);
    expect(number(9, u32(0xffff_fffe, true))).toBeNaN();
    expect(number(11, u32(0))).toBeNaN();
    expect(number(2, 'A\0\0\0')).toBeNaN();
  });
});
