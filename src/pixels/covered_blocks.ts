import type { Size } from '../codecs/types.ts';
import { blockAt, blocksAlong } from './block_edges.ts';
import { type Area, scaled } from './ellipse.ts';
import type { Rect } from './rect.ts';
import { merge, RowSpans, type Span } from './row_spans.ts';

/**
 * One grid of square blocks anchored at the image origin, and the areas it hides: every block that an area
 * touches is replaced whole by its mean.
 */
export interface Mosaic {
  /** Edge of a block in pixels, 2 or more; blocks at the right and bottom border may differ (blocksAlong). */
  readonly block: number;
  readonly areas: readonly Area[];
}

/** The blocks that a mosaic's areas touch, as areas of its grid, which goes on behind the picture's end. */
export function touchedBlocks({ block, areas }: Mosaic): Area[] {
  return areas.map(({ ellipse, ...area }) => {
    const [x, y] = [Math.floor(area.x / block), Math.floor(area.y / block)];
    const [right, bottom] = [(area.x + area.width) / block, (area.y + area.height) / block];
    const blocks = { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
    return ellipse ? { ...blocks, ellipse: scaled(ellipse, 1 / block) } : blocks;
  });
}

/** The pixels of all blocks that a rectangle of whole pixels touches, in a picture of this size. */
export function wholeBlocks({ x, y, width, height }: Rect, block: number, picture: Size): Rect {
  const along = (from: number, length: number, edge: number) => {
    const start = blockAt(from, block, edge) * block;
    const last = blockAt(from + length - 1, block, edge);
    const end = last + 1 === blocksAlong(edge, block) ? edge : (last + 1) * block;
    return { start, length: end - start };
  };
  const [across, down] = [along(x, width, picture.width), along(y, height, picture.height)];
  return { x: across.start, y: down.start, width: across.length, height: down.length };
}

/**
 * The covered blocks of grid rows, as far as `blocksAlong` counts them. No more than one grid row is kept,
 * even for a tall picture.
 */
export class CoveredBlocks {
  readonly #touched: RowSpans;
  readonly #columns: number;
  readonly #lastRow: number;
  /** Of the last grid row, which may be a row and a half. */
  #atEnd: { readonly spans: readonly Span[]; readonly runs: number } | undefined;

  constructor(mosaic: Mosaic, { width, height }: Size) {
    this.#touched = new RowSpans(touchedBlocks(mosaic));
    this.#columns = blocksAlong(width, mosaic.block);
    this.#lastRow = blocksAlong(height, mosaic.block) - 1;
  }

  /** The runs of blocks in a grid row. */
  at(gridRow: number): readonly Span[] {
    return gridRow === this.#lastRow ? this.#end().spans : this.#joined(this.#touched.at(gridRow));
  }

  /** As `RowSpans.runsAt`. */
  runsAt(gridRow: number): number {
    return gridRow === this.#lastRow ? this.#end().runs : this.#touched.runsAt(gridRow);
  }

  #end() {
    if (this.#atEnd) return this.#atEnd;
    const [row, below] = [this.#lastRow, this.#lastRow + 1];
    const runs = this.#touched.runsAt(row) + this.#touched.runsAt(below);
    const touched = merge([...this.#touched.at(row), ...this.#touched.at(below)]);
    this.#atEnd = { spans: this.#joined(touched), runs };
    return this.#atEnd;
  }

  #joined(spans: readonly Span[]): readonly Span[] {
    const columns = this.#columns;
    if (spans.length === 0 || spans.at(-1)!.end <= columns) return spans;
    return merge(
      spans.map(({ start, end }) => ({ start: Math.min(start, columns - 1), end: Math.min(end, columns) })),
    );
  }
}
