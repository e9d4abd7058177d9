import type { Cursor } from '../cursor.ts';
import { MAX_CHARACTERS } from './values.ts';

/** Bytes that surely hold one character more than is given: UTF-8 takes four at most, UTF-16 as well. */
export const MAX_TEXT_BYTES = 4 * (MAX_CHARACTERS + 2);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Bytes that are searched in the time that a text takes, that is no UTF-8, and that each of its bytes takes
 * beside, with what is done with its character.
 */
const TEXT = 6000;
const DECODING = 24;
/** The work of decoding so many bytes. */
const decodingWork = (bytes: number) => TEXT + DECODING * bytes;
/** Characters of one call of fromCharCode, whose arguments lie on the stack. */
const PIECE = 4096;

/** Latin-1, one character a byte. Joining them one by one takes three times as long, and much memory. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + PIECE));
  }
  return text;
}

/**
 * The text of [start, end) of a window: UTF-8 where it is that, Latin-1 otherwise, as old writers had it.
 * Only as much is read as is given; '' where the range leaves the window.
 */
export function textAt(window: Cursor, start: number, end: number): string {
  const stop = Math.min(end, start + MAX_TEXT_BYTES);
  const bytes = window.span(start, stop);
  return bytes === null ? '' : decodeText(window, bytes, stop < end);
}

/**
 * The same for bytes of a window, which counts the work.
 * @param torn whether they break off, maybe inside a character
 */
export function decodeText({ meter }: Cursor, bytes: Uint8Array, torn: boolean): string {
  meter.work(decodingWork(bytes.length));
  let whole = bytes.length;
  // step back over a character that was torn: at most three bytes behind its first
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

/** UTF-16 in [start, end) of a window; a byte order mark counts before `little`. */
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
