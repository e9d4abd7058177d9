import { describe, expect, it } from 'vitest';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { entryValue, wholeNumber } from '../../../src/metadata/tiff/ifd_entry.ts';
import { bytes, type Part, u16, u32, u64 } from '../../fixtures/bytes.ts';

const entry = (type: number, length: number, count = 1) => ({ tag: 1, type, count, at: 0, bytes: length });
const value = (type: number, data: Part, count?: number, index = 0) => {
  const window = new Cursor(bytes(data));
  return entryValue(window, entry(type, window.length, count), index, true);
};
/** The bytes of a number that only a view writes. */
const float = (write: (view: DataView) => void, length: number) => {
  const data = new Uint8Array(length);
  write(new DataView(data.buffer));
  return data;
};

describe('values', () => {
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

  it('follow each other, in either byte order', () => {
    expect(value(5, [u32(1, true), u32(2, true), u32(3, true), u32(4, true)], 2, 1)).toBe(0.75);
    const window = new Cursor(bytes(u16(1), u16(0xfffe), u64(2 ** 40)));
    expect(entryValue(window, entry(8, 4, 2), 1, false)).toBe(-2);
    expect(entryValue(window, { ...entry(17, 8), at: 4 }, 0, false)).toBe(2 ** 40);
  });

  it('are no numbers beyond the count or the window', () => {
    expect(value(3, u16(1, true), 0)).toBeNaN();
    expect(value(4, [1, 2, 3])).toBeNaN();
    expect(value(12, u32(1))).toBeNaN();
    expect(value(9, u32(1, true), 2, 1)).toBeNaN();
  });

  it('that can be offsets and counts are whole and not negative', () => {
    const number = (type: number, data: Part) =>
      wholeNumber(new Cursor(bytes(data)), entry(type, 4), 0, true);
    expect(number(9, u32(5, true))).toBe(5);
    expect(number(9, u32(0xffff_fffe, true))).toBeNaN();
    expect(number(11, u32(0))).toBeNaN();
    expect(number(2, 'A')).toBeNaN();
  });
});
