import type { Cursor } from '../cursor.ts';

/** Windows as one: the window itself where there is one, a copy of at most `most` bytes otherwise. */
export interface Joined {
  readonly window: Cursor;
  /** There was more. */
  readonly cut: boolean;
}

/** Joins what lies in pieces, in order; null where there is none, or no read is left. */
export function joinWindows(windows: readonly Cursor[], most: number): Joined | null {
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
  // values tell the name of their block, not its place
  return { window: first.over(bytes, { start: 0, end: 0 }), cut: length > most };
}
