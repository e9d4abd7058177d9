import type { Tiff } from '../tiff/ifd.ts';
import type { Entry } from '../tiff/ifd_entry.ts';
import { textAt, upToZero, utf16At } from './text.ts';

/** Most numbers written out of one field. */
const MAX_NUMBERS = 16;
const MAX_SHORT = 64;
/** TIFF 6.0 p. 15: single bytes, ASCII, undefined bytes. */
const BYTE_TYPES: ReadonlySet<number> = new Set([1, 2, 7]);

/**
 * A field as text. If it consists of bytes: its characters up to the first zero; otherwise its numbers,
 * separated by spaces.
 */
export function fieldText(tiff: Tiff, entry: Entry): string {
  if (BYTE_TYPES.has(entry.type)) return upToZero(textAt(tiff.window, entry.at, entry.at + entry.bytes));
  const numbers: number[] = [];
  for (let i = 0; i < Math.min(entry.count, MAX_NUMBERS); i++) {
    const value = tiff.value(entry, i);
    if (Number.isNaN(value)) break;
    numbers.push(value);
  }
  return numbers.map((value) => String(Math.round(value * 1e6) / 1e6)).join(' ');
}

/** Like `fieldText` for short fields, such as a letter or a time: at most 64 bytes. */
export function shortText(tiff: Tiff, entry: Entry | undefined): string {
  return entry ? fieldText(tiff, { ...entry, bytes: Math.min(entry.bytes, MAX_SHORT) }) : '';
}

/** The bytes of a field as hexadecimal digits, at most `most` bytes; '' if all are zero. */
export function fieldHex(tiff: Tiff, entry: Entry, most: number): string {
  const bytes = tiff.window.span(entry.at, entry.at + Math.min(entry.bytes, most));
  if (bytes === null || bytes.every((byte) => byte === 0)) return '';
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A field in UTF-16, always little-endian, as Windows writes it. */
export function fieldUtf16(tiff: Tiff, entry: Entry): string {
  return upToZero(utf16At(tiff.window, entry.at, entry.at + entry.bytes, true));
}

/** Character codes: CIPA DC-008 §4.6.5 table 9, in any case, padded with zeros or, wrongly, blanks. */
const CODE = /^(?:(unicode)|ascii|jis)[\0 ]*$|^[\0 ]{8}$/i;

/**
 * A field that begins with an eight-byte character code, such as UserComment: CIPA DC-008 §4.6.5. Some
 * programs leave the code out: then all of it is text. For "Unicode" the byte order is guessed, since writers
 * disagree.
 */
export function fieldCoded(tiff: Tiff, entry: Entry): string {
  const { window } = tiff;
  const end = entry.at + entry.bytes;
  const code = entry.bytes < 8 ? null : CODE.exec(window.text(entry.at, entry.at + 8, 8));
  if (code === null) return upToZero(textAt(window, entry.at, end));
  const start = entry.at + 8;
  if (code[1] === undefined) return upToZero(textAt(window, start, end));
  const sample = window.span(start, Math.min(end, start + 256)) ?? new Uint8Array(0);
  return upToZero(utf16At(window, start, end, isLittle(sample, tiff.header.little)));
}

/**
 * Whether UTF-16 is little-endian: the high bytes of a text differ less than the low ones, and are more often
 * zero, which is how exiftool guesses. @param otherwise where that tells nothing
 */
function isLittle(sample: Uint8Array, otherwise: boolean): boolean {
  const different = [new Set<number>(), new Set<number>()] as const;
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at + 1 < sample.length; at += 2) {
    for (const half of [0, 1] as const) {
      const byte = sample[at + half]!;
      different[half].add(byte);
      if (byte === 0) zeros[half] += 1;
    }
  }
  const [first, second] = [different[0].size, different[1].size];
  if (first !== second) return second < first;
  return zeros[0] === zeros[1] ? otherwise : zeros[1] > zeros[0];
}
