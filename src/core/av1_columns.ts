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

/**
 * Luma samples from one checkpoint of a tile to the next, at most. A reading begins up to so many columns before
 * those that it is for; a checkpoint takes 13 KB for each superblock row.
 */
const SPACING = 1024;

/**
 * Luma samples beside those that are wanted which filters let count: loop restoration sees 4 samples of chroma,
 * superres 4 more, CDEF works on 8 × 8 samples and sees 2 of chroma beside them, the loop filter changes 6
 * samples and sees 7 (AV1 specification, sections 7.14 to 7.17). Chroma's count twice.
 */
const MARGIN = 48;

/** Whether a tile has checkpoints; others are read whole or not at all. */
const hasCheckpoints = ({ superblock }: Pick<Av1Columns, 'superblock'>, { first, end }: SuperblockRange) =>
  (end - first) * superblock > SPACING;

function* tilesOf({ tiles }: Pick<Av1Columns, 'tiles'>): Generator<SuperblockRange> {
  for (let i = 1; i < tiles.length; i++) yield { first: tiles[i - 1]!, end: tiles[i]! };
}

/** The columns of superblocks that have checkpoints, ascending: where wide tiles begin, and evenly inside them. */
export function checkpointsOf(columns: Pick<Av1Columns, 'superblock' | 'tiles'>): number[] {
  const found: number[] = [];
  for (const tile of tilesOf(columns)) {
    if (!hasCheckpoints(columns, tile)) continue;
    const across = tile.end - tile.first;
    const count = Math.ceil((across * columns.superblock) / SPACING);
    for (let i = 0; i < count; i++) found.push(tile.first + Math.floor((i * across) / count));
  }
  return found;
}

/** What is decoded for these columns, once a first reading has decoded all. */
export function superblocksFor(columns: Av1Columns, { from, to }: ColumnRange): SuperblockRange {
  const { width, codedWidth, superblock } = columns;
  const left = Math.max(0, Math.floor((from * codedWidth) / width) - MARGIN);
  const right = Math.min(codedWidth, Math.ceil((to * codedWidth) / width) + MARGIN);
  let first = Math.floor(left / superblock);
  let end = Math.ceil(right / superblock);
  for (const tile of tilesOf(columns)) {
    const isFirst = first >= tile.first && first < tile.end;
    const isLast = end > tile.first && end <= tile.end;
    if (hasCheckpoints(columns, tile)) {
      if (isFirst) first = checkpointsOf(columns).findLast((column) => column <= first)!;
      continue;
    }
    if (isFirst) first = tile.first;
    if (isLast) end = tile.end;
  }
  return { first, end };
}

/** `superblocksFor` in luma columns as they come out, which superres leaves between whole numbers. */
export function decodedColumns(columns: Av1Columns, range: ColumnRange): ColumnRange {
  const { width, codedWidth, superblock } = columns;
  const { first, end } = superblocksFor(columns, range);
  const scale = (superblock * width) / codedWidth;
  return { from: first * scale, to: Math.min(width, end * scale) };
}
