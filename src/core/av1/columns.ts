/** How an AV1 picture's columns can be read by themselves. */
export interface Av1Columns {
  /** Luma samples of a row as they come out, and as they are coded: fewer with superres. */
  readonly width: number;
  readonly codedWidth: number;
  /** Luma samples along a superblock: 64 or 128. */
  readonly superblock: number;
  /** The columns of superblocks where tiles begin, and the one behind the last tile. */
  readonly tiles: readonly number[];
  /** Bytes that reading columns reserves beside what reading all does. */
  readonly bytes: number;
}

/** Columns [from, to) of luma, as they come out. */
export interface ColumnRange {
  readonly from: number;
  readonly to: number;
}

/** Columns of superblocks from `first` to before `end`. */
export interface SuperblockRange {
  readonly first: number;
  readonly end: number;
}

/** What one reading decodes, and where it finds and leaves checkpoints: for each a column of superblocks. */
export interface ColumnReading extends SuperblockRange {
  /** Of what is decoded, what the columns asked for depend on. */
  readonly needed: SuperblockRange;
  /** Checkpoints as they are before it, −1 for none. */
  readonly kept: readonly number[];
  /** What each becomes. */
  readonly next: readonly number[];
}

/**
 * A tile that is no wider, in luma samples, has no checkpoint where it begins: it is read whole or not at
 * all.
 */
const NARROW_TILE = 1024;
/** Checkpoints beside those where tiles begin. */
const MOVING = 2;

/**
 * Luma samples beside those that are wanted which filters let count: loop restoration sees 4 samples of
 * chroma, superres 4 more, CDEF works on 8 × 8 samples and sees 2 of chroma beside them, the loop filter
 * changes 6 samples and sees 7 (AV1 specification, sections 7.14 to 7.17). Chroma's count twice.
 */
const MARGIN = 48;

type Tiles = Pick<Av1Columns, 'superblock' | 'tiles'>;

/** Where tiles begin that need not be read whole. */
const wideTiles = ({ tiles, superblock }: Tiles): number[] =>
  tiles.filter((start, index) => (tiles[index + 1]! - start) * superblock > NARROW_TILE);

/** How many checkpoints are kept. */
export function checkpointCount(columns: Tiles): number {
  const starts = wideTiles(columns).length;
  return starts > 0 ? starts + MOVING : 0;
}

/**
 * Readings of columns, in the order of a list that may come again and again. The first one decodes all
 * columns and leaves a checkpoint where each wide tile begins. Others begin at the last checkpoint before
 * their columns, and leave the moving ones where later readings of the list begin: the soonest first.
 */
export class ColumnReadings {
  readonly #columns: Av1Columns;
  readonly #needs: readonly SuperblockRange[];
  readonly #ranges: readonly ColumnRange[];
  readonly #starts: readonly number[];
  #kept: readonly number[];
  #surveyed = false;

  constructor(columns: Av1Columns, ranges: readonly ColumnRange[]) {
    this.#columns = columns;
    this.#ranges = ranges;
    this.#needs = ranges.map((range) => superblocksOf(columns, range));
    this.#starts = wideTiles(columns);
    this.#kept = Array.from({ length: checkpointCount(columns) }, () => -1);
  }

  /** What a reading would decode if it were the next. */
  of(range: ColumnRange): ColumnReading {
    const needed = superblocksOf(this.#columns, range);
    const first = this.#surveyed ? this.#startFor(needed.first) : 0;
    const end = this.#surveyed ? needed.end : this.#columns.tiles.at(-1)!;
    const index = this.#ranges.findIndex(({ from, to }) => from === range.from && to === range.to);
    const next = [...this.#starts, ...this.#movingAfter(index, { first, end })];
    return { first, end, needed, kept: this.#kept, next };
  }

  /** A reading begins: until its end, checkpoints that it moves are nowhere. */
  begin({ kept, next }: ColumnReading): void {
    this.#kept = kept.map((column, index) => (next[index] === column ? column : -1));
  }

  /** A reading has ended. */
  done({ next }: ColumnReading): void {
    this.#kept = next;
    this.#surveyed = true;
  }

  /** The last checkpoint at or before a column, in the same tile. */
  #startFor(column: number): number {
    const tile = this.#columns.tiles.findLast((start) => start <= column)!;
    if (!this.#starts.includes(tile)) return tile;
    return Math.max(tile, ...this.#kept.filter((kept) => kept <= column));
  }

  /**
   * Where the moving checkpoints are after a reading. @param index of it in the list, −1 where it is not
   * there
   */
  #movingAfter(index: number, { first, end }: SuperblockRange): number[] {
    const before = this.#kept.slice(this.#starts.length);
    const coming = this.#needs.slice(index + 1).map((need) => need.first);
    const isWide = (column: number) =>
      this.#starts.includes(this.#columns.tiles.findLast((start) => start <= column)!);
    const useful = coming.filter(
      (column) =>
        !this.#starts.includes(column) &&
        (before.includes(column) || (column >= first && column < end && isWide(column))),
    );
    const chosen = [...new Set(useful)].slice(0, MOVING);
    // What stays, stays where it is.
    const moved = chosen.filter((column) => !before.includes(column));
    return before.map((column) => (chosen.includes(column) ? column : (moved.shift() ?? -1)));
  }
}

/** The superblocks that columns depend on; of narrow tiles all. */
function superblocksOf(columns: Av1Columns, { from, to }: ColumnRange): SuperblockRange {
  const { width, codedWidth, superblock, tiles } = columns;
  const left = Math.max(0, Math.floor((from * codedWidth) / width) - MARGIN);
  const right = Math.min(codedWidth, Math.ceil((to * codedWidth) / width) + MARGIN);
  const first = Math.floor(left / superblock);
  const end = Math.ceil(right / superblock);
  const starts = wideTiles(columns);
  const firstTile = tiles.findLast((start) => start <= first)!;
  const lastTile = tiles.findLast((start) => start < end)!;
  return {
    first: starts.includes(firstTile) ? first : firstTile,
    end: starts.includes(lastTile) ? end : tiles.find((start) => start >= end)!,
  };
}

/** Superblocks in luma columns as they come out, which superres leaves between whole numbers. */
export function lumaColumns(columns: Av1Columns, { first, end }: SuperblockRange): ColumnRange {
  const { width, codedWidth, superblock } = columns;
  const scale = (superblock * width) / codedWidth;
  return { from: first * scale, to: Math.min(width, end * scale) };
}
