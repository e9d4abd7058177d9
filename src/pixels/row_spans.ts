import { type Area, columnsIn } from './ellipse.ts';

/** Columns [start, end) of one row. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An area made of rectangles and ellipses. */
export type Coverage =
  | readonly Area[]
  | { readonly all: readonly Coverage[] }
  | { readonly of: Coverage; readonly without: Coverage };

/**
 * The columns of a coverage in each row. Rows between two edges of rectangles are alike, so the columns of
 * one such band are kept until another is asked for. If rows are asked for from top to bottom, a band takes
 * one step for each of its own rectangles, not for all of the picture's. With ellipses every row is a band.
 */
export class RowSpans {
  readonly #columns: ColumnsOfRow;
  /** Rows at which the columns change, ascending. */
  readonly #edges: readonly number[];
  readonly #ellipses: readonly Area[];
  /** The number of edges at or above the row that was asked for last. */
  #above = 0;
  #from = 0;
  #to = 0;
  #spans: readonly Span[] = [];
  #curved = 0;

  constructor(coverage: Coverage) {
    this.#columns = columnsOf(coverage);
    const areas = areasOf(coverage);
    const edges = new Set<number>();
    for (const { y, height } of areas) edges.add(y).add(y + height);
    this.#ellipses = areas.filter(({ ellipse }) => ellipse);
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

  /** The runs of columns in row `y` plus the ellipses that they were computed from: a row's work. */
  runsAt(y: number): number {
    return this.at(y).length + this.#curved;
  }

  #move(y: number): void {
    if (y < this.#from) this.#above = 0;
    while (this.#above < this.#edges.length && this.#edges[this.#above]! <= y) this.#above++;
    this.#curved = this.#ellipses.filter((one) => one.y <= y && y < one.y + one.height).length;
    const isCurved = this.#curved > 0;
    this.#from = isCurved ? y : (this.#edges[this.#above - 1] ?? Number.NEGATIVE_INFINITY);
    this.#to = isCurved ? y + 1 : (this.#edges[this.#above] ?? Number.POSITIVE_INFINITY);
    this.#spans = this.#columns(y);
  }
}

/** Every rectangle and ellipse of a coverage. */
export function areasOf(coverage: Coverage): readonly Area[] {
  if ('all' in coverage) return coverage.all.flatMap(areasOf);
  if ('of' in coverage) return [...areasOf(coverage.of), ...areasOf(coverage.without)];
  return coverage;
}

/** The sum of `runsAt` over all rows above `height`; a little more if ellipses touch other areas. */
export function runsOf(areas: readonly Area[], height: number): number {
  const spans = new RowSpans(areas.filter(({ ellipse }) => !ellipse));
  const ellipses = areas.filter(({ ellipse }) => ellipse);
  let runs = ellipses.reduce((sum, one) => sum + 2 * (Math.min(height, one.y + one.height) - one.y), 0);
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
  const inRow = areasByRow(coverage);
  return (row) => merge(inRow(row).map((area) => columnsIn(area, row)));
}

/**
 * Gives the areas of a row. Keeps those that had begun by the last row and not ended, so that few are
 * checked.
 */
function areasByRow(areas: readonly Area[]): (row: number) => readonly Area[] {
  const sorted = areas.toSorted((a, b) => a.y - b.y);
  let begun = 0;
  let last = Number.NEGATIVE_INFINITY;
  let open: Area[] = [];
  return (row) => {
    if (row < last) [begun, open] = [0, []];
    last = row;
    while (begun < sorted.length && sorted[begun]!.y <= row) open.push(sorted[begun++]!);
    open = open.filter(({ y, height }) => row < y + height);
    return open;
  };
}

/** Spans in order, without empty ones; those that touch or overlap are merged. */
export function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.start >= span.end) continue;
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
