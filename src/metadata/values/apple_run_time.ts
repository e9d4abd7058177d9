import type { Cursor } from '../cursor.ts';
import type { Tiff } from '../tiff/ifd.ts';
import type { Entry } from '../tiff/ifd_entry.ts';

/** Bytes of a binary property list's trailer. */
const TRAILER_BYTES = 32;
/** Types of objects, the high half of their marker bytes: an integer, an ASCII string, a dictionary. */
const INTEGER = 1;
const ASCII = 5;
const DICTIONARY = 13;

/**
 * Apple's RunTime, a binary property list (CFBinaryPList.c of Apple's Core Foundation) of a CMTime: how long
 * the phone had been running since it was started, which links pictures of one phone. Returned as seconds; ''
 * for anything else.
 */
export function runTime(tiff: Tiff, entry: Entry): string {
  const list = tiff.window.window(entry.at, entry.at + entry.bytes);
  if (!list.matches(0, 'bplist00')) return '';
  const trailer = list.length - TRAILER_BYTES;
  const offsetBytes = list.u8(trailer + 6);
  const referenceBytes = list.u8(trailer + 7);
  const table = list.u64(trailer + 24);
  const place = (reference: number) => list.unsigned(table + reference * offsetBytes, offsetBytes);
  const top = place(list.u64(trailer + 16));
  const marker = list.u8(top);
  if (marker >> 4 !== DICTIONARY) return '';
  // a count of 15 would mean that the length follows in another object; a CMTime has four members
  const count = marker & 15;
  if (count === 15) return '';
  const members = new Map<string, number>();
  for (let n = 0; n < count; n++) {
    const key = place(list.unsigned(top + 1 + n * referenceBytes, referenceBytes));
    const value = place(list.unsigned(top + 1 + (count + n) * referenceBytes, referenceBytes));
    members.set(nameAt(list, key), integerAt(list, value));
  }
  const seconds = (members.get('value') ?? Number.NaN) / (members.get('timescale') ?? Number.NaN);
  return seconds >= 0 && Number.isFinite(seconds) ? `${seconds} s` : '';
}

function nameAt(list: Cursor, at: number): string {
  const marker = list.u8(at);
  return marker >> 4 === ASCII ? list.text(at + 1, at + 1 + (marker & 15), 15) : '';
}

function integerAt(list: Cursor, at: number): number {
  const marker = list.u8(at);
  const value = marker >> 4 === INTEGER ? list.unsigned(at + 1, 2 ** (marker & 15)) : -1;
  return value < 0 ? Number.NaN : value;
}
