import { type Cursor, VIEW_WORK } from './cursor.ts';
import type { FactsDraft } from './draft.ts';
import type { ByteRange } from './facts.ts';

/**
 * Terms that announce a gain map: Adobe's namespace, Apple's auxiliary type and namespace, the semantic of
 * the Container directory.
 */
const GAIN_MAP_TERMS = ['GainMap', 'gainmap', 'gain-map'];
/** Longest term searched for, with the characters around it that are checked. */
const LONGEST_TERM = 16;
/**
 * Most pieces searched of one packet (extended XMP in JPEG: at most 65,400 bytes each, so 25 MB is 400; GIF:
 * 255 each).
 */
const MAX_PIECES = 131_072;
/** Bytes searched between two checks whether a pause is due. */
const SEARCHED_AT_ONCE = 1 << 18;
/** How many times longer it takes to look for two letters at once than to search for one. */
const BESIDE_SEARCHING = 6;

/**
 * Searches an XMP packet, [start, end) of the window, in UTF-8 or UTF-16, for terms that announce a gain map.
 * The packet is not parsed; `values/xmp.ts` does that.
 */
export function searchXmp(window: Cursor, start: number, end: number, draft: FactsDraft): void {
  draft.payload('xmp', window, start, end);
  draft.later(searchTerms(window, start, end, draft));
}

function* searchTerms(
  window: Cursor,
  start: number,
  end: number,
  draft: FactsDraft,
): Generator<number, void> {
  window.meter.work(VIEW_WORK);
  const bytes = window.bytes.subarray(Math.max(0, start), Math.min(end, window.length));
  if (start < 0 || bytes.length < 2) return;
  // In UTF-16 every other byte of markup is 0 (and it may begin with a byte order mark).
  const stride = bytes[0] === 0 || bytes[1] === 0 || (bytes[0]! ^ bytes[1]!) === 0x01 ? 2 : 1;
  for (let from = 0; from < bytes.length && !draft.gainMap; from += SEARCHED_AT_ONCE) {
    const to = Math.min(bytes.length, from + SEARCHED_AT_ONCE);
    if (!window.meter.charge(to - from)) return;
    window.meter.work(BESIDE_SEARCHING * (to - from));
    searchPart(bytes, from, to, stride, draft);
    if (window.meter.isDue) yield window.meter.pause();
  }
}

function searchPart(bytes: Uint8Array, from: number, to: number, stride: number, draft: FactsDraft): void {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte !== 0x47 /* G */ && byte !== 0x67 /* g */) continue;
    const next = bytes[at + stride];
    if (next !== 0x61 /* a */) continue;
    if (!draft.gainMap) draft.gainMap = GAIN_MAP_TERMS.some((term) => spells(bytes, at, term, stride));
  }
}

/**
 * Like `searchXmp` for a packet in pieces, in order: extended XMP, GIF sub-blocks. Searches each piece and
 * each joint between two.
 */
export function searchXmpPieces(window: Cursor, pieces: readonly ByteRange[], draft: FactsDraft): void {
  if (pieces.length === 0) return;
  draft.payloads?.add('xmp', window, pieces);
  draft.later(searchPieces(window, pieces, draft));
}

function* searchPieces(
  window: Cursor,
  pieces: readonly ByteRange[],
  draft: FactsDraft,
): Generator<number, void> {
  let tail = new Uint8Array(0);
  for (const { start, end } of pieces.slice(0, MAX_PIECES)) {
    yield* searchTerms(window, start, end, draft);
    const head = window.span(start, Math.min(end, start + LONGEST_TERM * 2));
    const foot = window.span(Math.max(start, end - LONGEST_TERM * 2), end);
    // also null once the allowance of reads is used up
    if (head === null || foot === null) return;
    const joint = new Uint8Array(tail.length + head.length);
    joint.set(tail);
    joint.set(head, tail.length);
    yield* searchTerms(window.over(joint, { start, end }), 0, joint.length, draft);
    const last = end - start > head.length ? foot : joint;
    tail = last.slice(Math.max(0, last.length - LONGEST_TERM * 2));
  }
}

function spells(bytes: Uint8Array, at: number, text: string, stride: number): boolean {
  for (let i = 0; i < text.length; i++) {
    if (bytes[at + i * stride] !== text.charCodeAt(i)) return false;
  }
  return true;
}
