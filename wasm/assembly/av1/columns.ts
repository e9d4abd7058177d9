/**
 * Reads of only some of a picture's columns. The first read decodes all columns, and keeps the lowest row of
 * every superblock row before any filter, because blocks are predicted from above and from above right. Each
 * read leaves checkpoints for later ones: the state of the tile in every superblock row, at superblock
 * columns that the host chooses. No checkpoint is needed for a tile that is not read at all, or for one that
 * is read in all its columns, which simply continues from row to row.
 */
import { alloc, allocated } from '../memory';
import { keptLinesBytes, placeKeptLines } from './filter/state';
import { planeAt } from './frame';
import { TILE_BYTES } from './layout';
import { Decoder, Tile } from './state';

/** Bytes of a checkpoint in one superblock row: the tile, and the samples and segments to its left. */
function recordBytes(d: Decoder): usize {
  const samples = (<usize>(d.planeCount * (d.superblockMi << 2))) << 1;
  return allocated(TILE_BYTES + samples + <usize>d.superblockMi);
}

/** Bytes that reserveColumns reserves. @param checkpoints how many there will be */
export function columnsBytes(d: Decoder, checkpoints: i32): u64 {
  const records = <u64>recordBytes(d) * <u64>(checkpoints * d.superblockRows);
  return <u64>allocated((<usize>checkpoints) << 3) + records + <u64>keptLinesBytes(d);
}

/**
 * Reserves the memory for reads of some columns.
 * @returns where the host writes before each read, as i32: each checkpoint's superblock column, then the
 * columns that this read will move them to, −1 for none; 0 when there is no memory
 */
export function reserveColumns(d: Decoder, checkpoints: i32): usize {
  const at = alloc(<usize>columnsBytes(d, checkpoints));
  if (at === 0) return 0;
  d.surveyed = false;
  d.checkpoints = checkpoints;
  d.checkpointColumns = at;
  d.checkpointRecords = at + allocated((<usize>checkpoints) << 3);
  placeKeptLines(d, d.checkpointRecords + recordBytes(d) * <usize>(checkpoints * d.superblockRows));
  return at;
}

/**
 * Address of a checkpoint's record in this superblock row, 0 if there is none.
 * @param columns the checkpoints' columns, the current or the future ones
 * @param column in 4 × 4 blocks
 */
function recordAt(d: Decoder, columns: usize, column: i32): usize {
  const superblock = column / d.superblockMi;
  for (let i = 0; i < d.checkpoints; i++) {
    if (load<i32>(columns + ((<usize>i) << 2)) !== superblock) continue;
    return d.checkpointRecords + recordBytes(d) * <usize>(i * d.superblockRows + d.superblockRow);
  }
  return 0;
}

/**
 * Keeps the state of a tile before a superblock, if a checkpoint will be there.
 * @param column in 4 × 4 blocks
 */
export function keepCheckpoint(d: Decoder, t: Tile, column: i32): void {
  const record = recordAt(d, d.checkpointColumns + ((<usize>d.checkpoints) << 2), column);
  if (record === 0) return;
  memory.copy(record, changetype<usize>(t), TILE_BYTES);
  if (column > t.miColStart) moveLeftColumn(d, column, record + TILE_BYTES, true);
}

/** Makes a tile continue from a checkpoint, which the host guarantees to exist. */
export function goToCheckpoint(d: Decoder, t: Tile, column: i32): void {
  const record = recordAt(d, d.checkpointColumns, column);
  if (record === 0) unreachable();
  memory.copy(changetype<usize>(t), record, TILE_BYTES);
  if (column > t.miColStart) moveLeftColumn(d, column, record + TILE_BYTES, false);
}

/** Copies the samples and segments left of a column of this superblock row to a record, or back. */
function moveLeftColumn(d: Decoder, column: i32, record: usize, keeps: bool): void {
  let at = record;
  for (let index = 0; index < d.planeCount; index++) {
    const plane = planeAt(d, index);
    const rows = (d.superblockMi << 2) >> plane.subY;
    let sample = plane.current + ((<usize>((column << 2) >> plane.subX)) << 1) - 2;
    for (let row = 0; row < rows; row++, at += 2, sample += plane.stride) {
      if (keeps) store<u16>(at, load<u16>(sample));
      else store<u16>(sample, load<u16>(at));
    }
  }
  if (!d.segmentationEnabled) return;
  // The map's first row is the one above.
  let segment = d.segments + <usize>(d.mapStride + column - 1);
  for (let row = 0; row < d.superblockMi; row++, at++, segment += <usize>d.mapStride) {
    if (keeps) store<u8>(at, load<u8>(segment));
    else store<u8>(segment, load<u8>(at));
  }
}
