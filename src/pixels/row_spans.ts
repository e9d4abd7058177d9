import type { Rect } from './rect.ts';

/** Columns [start, end) of one row. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An area made of rectangles. */
export type Coverage =
  | readonly Rect[]
  | { readonly all: readonly Coverage[] }
  | { readonly of: Coverage; readonly without: Coverage };

/**
 * The columns that a coverage has in each row. Rows between two edges of rectangles are alike, so the columns
 * of one such band are kept until another is asked for. Asked for from top to bottom, a picture full of
 * rectangles takes a step for each of a band's own, not for all of the picture.
 */
export class RowSpans {
  readonly #columns: ColumnsOfRow;
  /** Rows at which the columns change, ascending. */
  readonly #edges: readonly number[];
  /** How many edges lie at or above the row that was asked for last. */
  #above = 0;
  #from = 0;
  #to = 0;
  #spans: readonly Span[] = [];

  constructor(coverage: Coverage) {
    this.#columns = columnsOf(coverage);
    const edges = new Set<number>();
    for (const { y, height } of rectsOf(coverage)) edges.add(y).add(y + height);
    this.#edges = [...edges].sort((a, b) => a - b);
  }

  /** The row after those that have the columns of row `y`. */
  endOf(y: number): number {
    this.at(y);
    return this.#to;
  }

  /** The columns of row `y`, merged and in order. */
  at(y: number): readonly Span[] {
    if (y < this.#from || y >= this.#to) this.#move(y);
    return this.#spans;
  }

  #move(y: number): void {
    if (y < this.#from) this.#above = 0;
    while (this.#above < this.#edges.length && this.#edges[this.#above]! <= y) this.#above++;
    this.#from = this.#edges[this.#above - 1] ?? Number.NEGATIVE_INFINITY;
    this.#to = this.#edges[this.#above] ?? Number.POSITIVE_INFINITY;
    this.#spans = this.#columns(y);
  }
}

/** Every rectangle that a coverage names. */
export function rectsOf(coverage: Coverage): readonly Rect[] {
  if ('all' in coverage) return coverage.all.flatMap(rectsOf);
  if ('of' in coverage) return [...rectsOf(coverage.of), ...rectsOf(coverage.without)];
  return coverage;
}

/** Spans of all rows above `height` together. */
export function runsOf(coverage: Coverage, height: number): number {
  const spans = new RowSpans(coverage);
  let runs = 0;
  for (let y = 0; y < height; ) {
    const end = Math.min(height, spans.endOf(y));
    runs += spans.at(y).length * (end - y);
    y = end;
  }
  return runs;
}

/** Gives the columns of a row, merged and in order. */
type ColumnsOfRow = (row: number) => readonly Span[];

function columnsOf(coverage: Coverage): ColumnsOfRow {
  if ('all' in coverage) {
    const parts = coverage.all.map(columnsOf);
    return (row) => merge(parts.flatMap((part) => part(row)));
  }
  if ('of' in coverage) {
    const [of, without] = [columnsOf(coverage.of), columnsOf(coverage.without)];
    return (row) => subtract(of(row), without(row));
  }
  const inRow = rectsByRow(coverage);
  return (row) => merge(inRow(row).map(({ x, width }) => ({ start: x, end: x + width })));
}

/** Gives the rectangles of a row: those that had begun by the last one, and had not ended, are at hand. */
function rectsByRow(rects: readonly Rect[]): (row: number) => readonly Rect[] {
  const sorted = rects.toSorted((a, b) => a.y - b.y);
  let begun = 0;
  let last = Number.NEGATIVE_INFINITY;
  let open: Rect[] = [];
  return (row) => {
    if (row < last) [begun, open] = [0, []];
    last = row;
    while (begun < sorted.length && sorted[begun]!.y <= row) open.push(sorted[begun++]!);
    open = open.filter(({ y, height }) => row < y + height);
    return open;
  };
}

/** Spans in order, those that touch or overlap as one. */
export function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}

/** What remains of `spans` without `cuts`; both merged and in order, as is the result. */
export function subtract(spans: readonly Span[], cuts: readonly Span[]): readonly Span[] {
  if (cuts.length === 0) return spans;
  const rest: Span[] = [];
  let next = 0;
  for (const { start, end } of spans) {
    let from = start;
    while (next < cuts.length && cuts[next]!.end <= from) next++;
    for (let at = next; at < cuts.length && cuts[at]!.start < end; at++) {
      const cut = cuts[at]!;
      if (cut.start > from) rest.push({ start: from, end: cut.start });
      from = Math.max(from, cut.end);
    }
    if (from < end) rest.push({ start: from, end });
  }
  return rest;
}
