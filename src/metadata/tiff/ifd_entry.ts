import type { Cursor } from '../cursor.ts';

/**
 * Bytes of one value by field type: TIFF 6.0 p. 15, Tech Note 1 (13), BigTIFF (16 to 18). The index is the
 * type; 0 means unknown.
 */
export const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Types of whole numbers; only these can be offsets, counts and codes. */
const WHOLE_TYPES: ReadonlySet<number> = new Set([1, 3, 4, 6, 7, 8, 9, 13, 16, 18]);

/** One field of a directory. `at` is where its values are in the window: in the entry itself or elsewhere. */
export interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly at: number;
  /** Bytes of all its values; they may extend beyond the window. */
  readonly bytes: number;
}

/** Value `index` of a field of whole numbers, 0 or more; NaN if it is unreadable or another kind of value. */
export function wholeNumber(window: Cursor, entry: Entry, index: number, little: boolean): number {
  const value = WHOLE_TYPES.has(entry.type) ? entryValue(window, entry, index, little) : Number.NaN;
  return value < 0 ? Number.NaN : value;
}

/**
 * Value `index` of a field, according to its type (TIFF 6.0 p. 15): text as single bytes, a rational as its
 * quotient. NaN if there are fewer values, if it lies outside the window, or if the type is unknown.
 */
export function entryValue(
  window: Cursor,
  { type, count, at: first }: Entry,
  index: number,
  little: boolean,
): number {
  if (!(index < count)) return Number.NaN;
  const at = first + index * (TYPE_BYTES[type] ?? 0);
  switch (type) {
    case 1:
    case 2:
    case 7:
      return unread(window.u8(at));
    case 3:
      return unread(window.u16(at, little));
    case 4:
    case 13:
      return unread(window.u32(at, little));
    case 5:
      return unread(window.u32(at, little)) / unread(window.u32(at + 4, little));
    case 6:
      return signed(window.u8(at), 8);
    case 8:
      return signed(window.u16(at, little), 16);
    case 9:
      return signed(window.u32(at, little), 32);
    case 10:
      return signed(window.u32(at, little), 32) / signed(window.u32(at + 4, little), 32);
    case 11:
      return viewOf(window, at, 4)?.getFloat32(0, little) ?? Number.NaN;
    case 12:
      return viewOf(window, at, 8)?.getFloat64(0, little) ?? Number.NaN;
    case 16:
    case 18:
      return unread(window.u64(at, little));
    case 17:
      return (
        signed(window.u32(little ? at + 4 : at, little), 32) * 0x1_0000_0000 +
        unread(window.u32(little ? at : at + 4, little))
      );
    default:
      return Number.NaN;
  }
}

/** NaN for −1, which means that nothing could be read. */
const unread = (value: number): number => (value < 0 ? Number.NaN : value);

/**
 * An unsigned number of this many bits as two's complement; NaN for −1, which means that nothing could be
 * read.
 */
const signed = (value: number, bits: number): number =>
  value < 0 ? Number.NaN : value < 2 ** (bits - 1) ? value : value - 2 ** bits;

function viewOf(window: Cursor, at: number, length: number): DataView | null {
  const bytes = window.span(at, at + length);
  return bytes && new DataView(bytes.buffer, bytes.byteOffset, length);
}
