import type { Box } from './boxes.ts';

interface Entry<B> {
  readonly box: B;
  /** Insertion number. */
  readonly order: number;
}

/** Boxes of similar size: widths within a factor of two, heights too (below 1/64 pixel: any). */
interface Level<B> {
  /** Larger than the width of every box of the level; `height` likewise. */
  readonly width: number;
  readonly height: number;
  /** By the cell of `width` × `height` that a box's top left corner lies in. */
  readonly cells: Map<number, Entry<B>[]>;
}

/**
 * Boxes by place and size, so that the neighbours of a box are found without a look at all others. There is
 * one grid for every pair of powers of two that widths and heights fall between. If boxes overlap little,
 * each cell of a grid has few, so a search takes about the same time however many boxes there are.
 */
export class BoxIndex<B extends Box> {
  readonly #levels = new Map<number, Level<B>>();
  #size = 0;

  insert(box: B): void {
    const across = levelOf(box.w);
    const down = levelOf(box.h);
    const key = across * 256 + down;
    let level = this.#levels.get(key);
    if (!level) {
      level = { width: 2 ** across, height: 2 ** down, cells: new Map() };
      this.#levels.set(key, level);
    }
    const cell = cellKey(Math.floor(box.x / level.width), Math.floor(box.y / level.height));
    const entries = level.cells.get(cell);
    const entry = { box, order: this.#size++ };
    if (entries) entries.push(entry);
    else level.cells.set(cell, [entry]);
  }

  /**
   * All boxes that overlap `box`, in order of insertion, except those less than `leastShare` (above 0) times
   * as wide or as high.
   */
  near(box: Box, leastShare: number): B[] {
    const found: Entry<B>[] = [];
    for (const { width, height, cells } of this.#levels.values()) {
      if (width < box.w * leastShare || height < box.h * leastShare) continue;
      // A box that reaches `box` begins no more than its own size before it.
      const right = Math.floor((box.x + box.w) / width);
      const bottom = Math.floor((box.y + box.h) / height);
      const [left, top] = [Math.floor(box.x / width) - 1, Math.floor(box.y / height) - 1];
      const look = (entries: readonly Entry<B>[]) => {
        for (const entry of entries) if (isNear(entry.box, box, leastShare)) found.push(entry);
      };
      // A large box covers more cells of a fine grid than there are boxes in it.
      if ((right - left + 1) * (bottom - top + 1) > cells.size) {
        for (const entries of cells.values()) look(entries);
        continue;
      }
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) look(cells.get(cellKey(column, row)) ?? []);
      }
    }
    return found.sort((a, b) => a.order - b.order).map((entry) => entry.box);
  }
}

/** The rule of `near`, for one box. */
export const isNear = (other: Box, box: Box, leastShare: number): boolean =>
  other.w >= box.w * leastShare &&
  other.h >= box.h * leastShare &&
  other.x < box.x + box.w &&
  box.x < other.x + other.w &&
  other.y < box.y + box.h &&
  box.y < other.y + other.h;

/** The power of two that a side stays below; all sides under 1/64 share one. */
const levelOf = (side: number) => Math.max(-6, Math.min(100, Math.floor(Math.log2(side)) + 1));

/** Exact while rows are within 2^25 of the origin: pictures are at most 2^16 high, cells at least 2^-6. */
const cellKey = (column: number, row: number) => column * 2 ** 26 + row;

/** A set of boxes that finds the neighbours of one. */
export type BoxNeighbours<B extends Box> = Pick<BoxIndex<B>, 'insert' | 'near'>;

/** Makes an empty index. Tests use one that looks at every box. */
export type MakeIndex = <B extends Box>() => BoxNeighbours<B>;

export const indexed: MakeIndex = () => new BoxIndex();
