import type { Cursor } from './cursor.ts';
import type { ByteRange } from './facts.ts';

/**
 * Most bytes joined of a structure in pieces: more than any has, except for depth maps in XMP, whose data
 * nobody reads here.
 */
export const MAX_JOINED = 4 << 20;

/** Several windows as one: the window itself if there is only one, otherwise a copy of limited length. */
export interface Joined {
  readonly window: Cursor;
  /** Whether bytes were left out. */
  readonly cut: boolean;
}

/**
 * Joins pieces in order, at most `most` bytes, each read once; null if there are none, or no reads are
 * left.
 * @param place what blocks inside a copy report as their place; values name their block only
 */
export function joinWindows(
  windows: readonly Cursor[],
  most: number,
  place: ByteRange = { start: 0, end: 0 },
): Joined | null {
  const [first] = windows;
  if (first === undefined) return null;
  if (windows.length === 1) return { window: first, cut: false };
  const length = windows.reduce((sum, window) => sum + window.length, 0);
  const bytes = new Uint8Array(Math.min(length, most));
  let filled = 0;
  for (const window of windows) {
    const piece = window.span(0, Math.min(window.length, bytes.length - filled));
    if (piece === null) return null;
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return { window: first.over(bytes, place), cut: length > most };
}
