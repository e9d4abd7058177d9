import type { Cursor } from '../cursor.ts';
import { MAX_CHARACTERS } from './values.ts';

/**
 * Bytes that certainly hold one character more than the longest value: both UTF-8 and UTF-16 take at most
 * four each.
 */
export const MAX_TEXT_BYTES = 4 * (MAX_CHARACTERS + 2);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Work of a text that is not UTF-8, and of each of its bytes in addition, including the handling of its
 * character; in bytes searched.
 */
const TEXT_WORK = 6000;
const TEXT_BYTE_WORK = 24;
/** The work of decoding this many bytes. */
const decodingWork = (bytes: number) => TEXT_WORK + TEXT_BYTE_WORK * bytes;
/** Characters per call of fromCharCode, whose arguments are on the stack. */
const PIECE = 4096;

/** Latin-1, one character per byte. Joining them one by one takes three times as long, and much memory. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + PIECE));
  }
  return text;
}

/**
 * The text of [start, end) of a window: UTF-8 if valid, otherwise Latin-1, as old writers used it. Reads no
 * more than the longest value needs; '' if the range leaves the window.
 */
export function textAt(window: Cursor, start: number, end: number): string {
  const stop = Math.min(end, start + MAX_TEXT_BYTES);
  const bytes = window.span(start, stop);
  return bytes === null ? '' : decodeText(window, bytes, stop < end);
}

/**
 * Like `textAt` for bytes of a window, whose meter counts the work.
 * @param torn whether the bytes may end inside a character
 */
export function decodeText({ meter }: Cursor, bytes: Uint8Array, torn: boolean): string {
  meter.work(decodingWork(bytes.length));
  let whole = bytes.length;
  // step back over a torn character: at most three bytes follow its first
  for (let n = 0; torn && n < 4 && whole > 0; n++) {
    whole -= 1;
    if ((bytes[whole]! & 0xc0) !== 0x80) break;
  }
  try {
    return utf8.decode(bytes.subarray(0, whole));
  } catch {
    return latin1(bytes);
  }
}

/** UTF-16 in [start, end) of a window; a byte order mark overrides `little`. */
export function utf16At(window: Cursor, start: number, end: number, little: boolean): string {
  const bytes = window.span(start, Math.min(end, start + MAX_TEXT_BYTES));
  if (bytes === null) return '';
  window.meter.work(decodingWork(bytes.length));
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const low = mark === 0xfffe ? 0 : mark === 0xfeff ? 1 : little ? 0 : 1;
  let text = '';
  for (let at = mark === 0xfffe || mark === 0xfeff ? 2 : 0; at + 1 < bytes.length; at += 2) {
    text += String.fromCharCode(bytes[at + low]! | (bytes[at + 1 - low]! << 8));
  }
  return text;
}

/** Text up to its first zero, which ends it in Exif and IPTC. */
export const upToZero = (text: string): string => text.replace(/\0[\s\S]*$/, '');
