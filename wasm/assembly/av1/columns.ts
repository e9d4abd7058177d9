/**
 * Readings of some of a picture's columns. The first one decodes all of them and keeps the lowest row of
 * every superblock row before any filter, as blocks are predicted from above and from the right above. Each
 * leaves checkpoints for later ones: at columns of superblocks that the host chooses, the state of the tile
 * in every superblock row. A tile of which no part is read needs none, nor does one that is read in all its
 * columns, which goes on from row to row by itself.
 */
import { alloc, allocated } from '../memory';
import { keptLinesBytes, placeKeptLines } from './filter/state';
import { planeAt } from './frame';
import { TILE_BYTES } from './layout';
import { Decoder, Tile } from './state';

/** Bytes of a checkpoint in one superblock row: the tile, samples and segments to its left. */
function recordBytes(d: Decoder): usize {
  const samples = (<usize>(d.planeCount * (d.superblockMi << 2))) << 1;
  return allocated(TILE_BYTES + samples + <usize>d.superblockMi);
}

/** Bytes that reserveColumns takes. @param checkpoints how many there will be */
export function columnsBytes(d: Decoder, checkpoints: i32): u64 {
  const records = <u64>recordBytes(d) * <u64>(checkpoints * d.superblockRows);
  return <u64>allocated((<usize>checkpoints) << 3) + records + <u64>keptLinesBytes(d);
}

/**
 * @returns where the host writes before each reading, as i32, the column of superblocks of each checkpoint
 * and then the one that it leaves it at, −1 for none; 0 when there is no memory
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
 * The record of a checkpoint in this superblock row, 0 where there is none.
 * @param columns of the checkpoints, as they are or will be
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

/** Keeps the state of a tile before a superblock where a checkpoint will be. @param column in 4 × 4 blocks */
export function keepCheckpoint(d: Decoder, t: Tile, column: i32): void {
  const record = recordAt(d, d.checkpointColumns + ((<usize>d.checkpoints) << 2), column);
  if (record === 0) return;
  memory.copy(record, changetype<usize>(t), TILE_BYTES);
  if (column > t.miColStart) moveLeftColumn(d, column, record + TILE_BYTES, true);
}

/** Makes a tile go on from a checkpoint, which the host has seen to be there. */
export function goToCheckpoint(d: Decoder, t: Tile, column: i32): void {
  const record = recordAt(d, d.checkpointColumns, column);
  if (record === 0) unreachable();
  memory.copy(changetype<usize>(t), record, TILE_BYTES);
  if (column > t.miColStart) moveLeftColumn(d, column, record + TILE_BYTES, false);
}

/** Copies samples and segments left of a column of this superblock row to a record, or back. */
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
  // The first row of the map is that above.
  let segment = d.segments + <usize>(d.mapStride + column - 1);
  for (let row = 0; row < d.superblockMi; row++, at++, segment += <usize>d.mapStride) {
    if (keeps) store<u8>(at, load<u8>(segment));
    else store<u8>(segment, load<u8>(at));
  }
}
