import type { Size } from '../codecs/types.ts';
import { type Box, clipBox } from '../faces/boxes.ts';
import { type Coverage, RowSpans, type Span } from '../pixels/row_spans.ts';
import { coverOf, type OutlinedBox } from '../readable/outline.ts';

/** Rows [from, to) that have the same covered columns. */
interface Band {
  readonly from: number;
  readonly to: number;
  readonly spans: readonly Span[];
}

/**
 * Gives the share of a box's visible part that is covered, 0 to 1. Where areas overlap, a pixel counts once.
 * 1 for a box of which nothing is visible.
 * @param coverage in pixels of the picture, without what is to be spared
 */
export function coveredShare(coverage: Coverage, picture: Size): (box: OutlinedBox) => number {
  const bands = bandsOf(coverage, picture);
  return (box) => {
    const parts = coverOf(box, picture).flatMap((part) => clipBox(part, picture) ?? []);
    const whole = parts.reduce((sum, { w, h }) => sum + w * h, 0);
    return whole === 0 ? 1 : parts.reduce((sum, part) => sum + sharedWith(part, bands), 0) / whole;
  };
}

function bandsOf(coverage: Coverage, { height }: Size): Band[] {
  const rows = new RowSpans(coverage);
  const bands: Band[] = [];
  for (let from = 0; from < height; ) {
    const to = Math.min(height, rows.endOf(from));
    const spans = rows.at(from);
    if (spans.length > 0) bands.push({ from, to, spans });
    from = to;
  }
  return bands;
}

function sharedWith({ x, y, w, h }: Box, bands: readonly Band[]): number {
  let shared = 0;
  for (let at = firstEndingAfter(bands, y); at < bands.length && bands[at]!.from < y + h; at++) {
    const { from, to, spans } = bands[at]!;
    const rows = Math.min(to, y + h) - Math.max(from, y);
    for (const { start, end } of spans) {
      if (start >= x + w) break;
      shared += rows * Math.max(0, Math.min(end, x + w) - Math.max(start, x));
    }
  }
  return shared;
}

/** The index of the first band that ends below row `y`; bands are in order. */
function firstEndingAfter(bands: readonly Band[], y: number): number {
  let [low, high] = [0, bands.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bands[middle]!.to > y) high = middle;
    else low = middle + 1;
  }
  return low;
}
