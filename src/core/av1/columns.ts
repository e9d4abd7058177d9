/** How an AV1 picture's columns can be read by themselves. */
export interface Av1Columns {
  /** Luma samples of an output row; `codedWidth`: of a coded row, which superres makes shorter. */
  readonly width: number;
  readonly codedWidth: number;
  /** Luma samples along a superblock: 64 or 128. */
  readonly superblock: number;
  /** The superblock columns where tiles begin, and the one after the last tile. */
  readonly tiles: readonly number[];
  /** Bytes that reading columns reserves in addition to those for reading all. */
  readonly bytes: number;
}

/** Luma columns [from, to) of the output. */
export interface ColumnRange {
  readonly from: number;
  readonly to: number;
}

/** Superblock columns [first, end). */
export interface SuperblockRange {
  readonly first: number;
  readonly end: number;
}

/** What one read decodes, and the superblock columns of the checkpoints that it finds and leaves. */
export interface ColumnReading extends SuperblockRange {
  /** The part of it that the wanted columns depend on. */
  readonly needed: SuperblockRange;
  /** The checkpoints before the read, −1 for none. */
  readonly kept: readonly number[];
  /** The same checkpoints after the read. */
  readonly next: readonly number[];
}

/**
 * A tile of at most this width, in luma samples, has no checkpoint at its beginning: it is read whole or not
 * at all.
 */
const NARROW_TILE = 1024;
/** The number of checkpoints in addition to those where tiles begin. */
const MOVING = 2;

/**
 * How many luma samples beside the wanted ones influence these through filters: loop restoration sees 4
 * samples of chroma, superres 4 more, CDEF works on 8 × 8 samples and sees 2 of chroma beside them, the loop
 * filter changes 6 samples and sees 7 (AV1 specification, sections 7.14 to 7.17). Those of chroma count
 * twice.
 */
const MARGIN = 48;

type Tiles = Pick<Av1Columns, 'superblock' | 'tiles'>;

/** Where the tiles begin that need not be read whole. */
const wideTiles = ({ tiles, superblock }: Tiles): number[] =>
  tiles.filter((start, index) => (tiles[index + 1]! - start) * superblock > NARROW_TILE);

/** The number of checkpoints that are kept. */
export function checkpointCount(columns: Tiles): number {
  const starts = wideTiles(columns).length;
  return starts > 0 ? starts + MOVING : 0;
}

/**
 * Reads of columns, in the order of a list that may be repeated. The first one decodes all columns and leaves
 * a checkpoint where each wide tile begins. Others begin at the last checkpoint before their columns. They
 * leave the moving checkpoints where later reads of the list begin, first those that come soonest.
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

  /** What a read would decode if it were the next. */
  of(range: ColumnRange): ColumnReading {
    const needed = superblocksOf(this.#columns, range);
    const first = this.#surveyed ? this.#startFor(needed.first) : 0;
    const end = this.#surveyed ? needed.end : this.#columns.tiles.at(-1)!;
    const index = this.#ranges.findIndex(({ from, to }) => from === range.from && to === range.to);
    const next = [...this.#starts, ...this.#movingAfter(index, { first, end })];
    return { first, end, needed, kept: this.#kept, next };
  }

  /** A read begins: until it ends, the checkpoints that it moves do not exist. */
  begin({ kept, next }: ColumnReading): void {
    this.#kept = kept.map((column, index) => (next[index] === column ? column : -1));
  }

  /** A read has ended. */
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
   * Where the moving checkpoints are after a read. @param index of it in the list, −1 if it is not in the
   * list
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
    // Checkpoints that remain keep their place.
    const moved = chosen.filter((column) => !before.includes(column));
    return before.map((column) => (chosen.includes(column) ? column : (moved.shift() ?? -1)));
  }
}

/** The superblocks that columns depend on; narrow tiles count whole. */
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

/** Superblocks as luma columns of the output; with superres these may be fractions. */
export function lumaColumns(columns: Av1Columns, { first, end }: SuperblockRange): ColumnRange {
  const { width, codedWidth, superblock } = columns;
  const scale = (superblock * width) / codedWidth;
  return { from: first * scale, to: Math.min(width, end * scale) };
}
