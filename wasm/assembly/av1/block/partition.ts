/** Splits a superblock into blocks (section 5.11.4). */
import { PARTITION_8, PARTITION_16, PARTITION_32, PARTITION_64, PARTITION_128 } from '../cdf/offsets';
import { sizeOf } from '../sizes';
import { aboveAt, Context, Decoder, leftAt, Tile } from '../state';
import { readFlagSymbol, readSymbol4, readSymbol8, readSymbol16 } from '../symbol';
import { decodeBlock } from './block';

/** Values of `partition` (section 6.10.4). */
const enum Partition {
  None = 0,
  Horizontal = 1,
  Vertical = 2,
  Split = 3,
  HorizontalA = 4,
  HorizontalB = 5,
  VerticalA = 6,
  VerticalB = 7,
  Horizontal4 = 8,
  Vertical4 = 9,
}

/** A temporary distribution of two symbols. */
const edge: usize = memory.data(4, 4);

/** decode_partition. @param log2 of the block's side in 4 × 4 blocks: 0 to 5 */
export function decodePartition(d: Decoder, t: Tile, row: i32, column: i32, log2: i32): void {
  if (row >= d.miRows || column >= d.miCols) return;
  if (log2 === 0) {
    decodeBlock(d, t, row, column, 0);
    return;
  }
  const half = (1 << log2) >> 1;
  const quarter = half >> 1;
  const hasRows = row + half < d.miRows;
  const hasColumns = column + half < d.miCols;
  const split = sizeOf(log2 - 1, log2 - 1);
  const partition = readPartition(d, t, row, column, log2, hasRows, hasColumns);
  switch (partition) {
    case Partition.None:
      decodeBlock(d, t, row, column, sizeOf(log2, log2));
      break;
    case Partition.Horizontal: {
      const size = sizeOf(log2, log2 - 1);
      decodeBlock(d, t, row, column, size);
      if (hasRows) decodeBlock(d, t, row + half, column, size);
      break;
    }
    case Partition.Vertical: {
      const size = sizeOf(log2 - 1, log2);
      decodeBlock(d, t, row, column, size);
      if (hasColumns) decodeBlock(d, t, row, column + half, size);
      break;
    }
    case Partition.Split:
      decodePartition(d, t, row, column, log2 - 1);
      decodePartition(d, t, row, column + half, log2 - 1);
      decodePartition(d, t, row + half, column, log2 - 1);
      decodePartition(d, t, row + half, column + half, log2 - 1);
      break;
    case Partition.HorizontalA:
      decodeBlock(d, t, row, column, split);
      decodeBlock(d, t, row, column + half, split);
      decodeBlock(d, t, row + half, column, sizeOf(log2, log2 - 1));
      break;
    case Partition.HorizontalB:
      decodeBlock(d, t, row, column, sizeOf(log2, log2 - 1));
      decodeBlock(d, t, row + half, column, split);
      decodeBlock(d, t, row + half, column + half, split);
      break;
    case Partition.VerticalA:
      decodeBlock(d, t, row, column, split);
      decodeBlock(d, t, row + half, column, split);
      decodeBlock(d, t, row, column + half, sizeOf(log2 - 1, log2));
      break;
    case Partition.VerticalB:
      decodeBlock(d, t, row, column, sizeOf(log2 - 1, log2));
      decodeBlock(d, t, row, column + half, split);
      decodeBlock(d, t, row + half, column + half, split);
      break;
    case Partition.Horizontal4: {
      const size = sizeOf(log2, log2 - 2);
      for (let i = 0; i < 4; i++) {
        if (row + i * quarter < d.miRows) decodeBlock(d, t, row + i * quarter, column, size);
      }
      break;
    }
    default: {
      const size = sizeOf(log2 - 2, log2);
      for (let i = 0; i < 4; i++) {
        if (column + i * quarter < d.miCols) decodeBlock(d, t, row, column + i * quarter, size);
      }
    }
  }
}

/** Reads `partition`, `split_or_horz` or `split_or_vert`, or derives the partition at the picture's edge. */
function readPartition(
  d: Decoder,
  t: Tile,
  row: i32,
  column: i32,
  log2: i32,
  hasRows: bool,
  hasColumns: bool,
): i32 {
  if (!hasRows && !hasColumns) return Partition.Split;
  const inSuperblock = row & (d.superblockMi - 1);
  const above = row > t.miRowStart && <i32>load<u8>(aboveAt(d, Context.Partition, column)) < log2;
  const left = column > t.miColStart && <i32>load<u8>(leftAt(t, Context.Partition, inSuperblock)) < log2;
  const context = <usize>left * 2 + <usize>above;
  if (log2 === 1) {
    const cdf = t.cdf + PARTITION_8 + (context << 3);
    if (hasRows && hasColumns) return readSymbol4(t, cdf, 3);
    return readEdge(t, cdf, hasColumns, 3);
  }
  if (log2 === 5) {
    const cdf = t.cdf + PARTITION_128 + (context << 4);
    if (hasRows && hasColumns) return readSymbol8(t, cdf, 7);
    return readEdge(t, cdf, hasColumns, 7);
  }
  const table = log2 === 2 ? PARTITION_16 : log2 === 3 ? PARTITION_32 : PARTITION_64;
  const cdf = t.cdf + table + (context << 5);
  if (hasRows && hasColumns) return readSymbol16(t, cdf, 9);
  return readEdge(t, cdf, hasColumns, 9);
}

/**
 * Reads whether a block is split if only half of it is inside the picture. The probability is that of all
 * partitions that divide the block the other way (section 8.3.2).
 * @param horizontal true for split_or_horz
 * @param last the distribution's highest symbol
 */
function readEdge(t: Tile, cdf: usize, horizontal: bool, last: i32): i32 {
  let sum = share(cdf, Partition.Split, last);
  if (horizontal) sum += share(cdf, Partition.Vertical, last);
  else sum += share(cdf, Partition.Horizontal, last);
  if (last > 3) {
    sum += share(cdf, Partition.HorizontalA, last) + share(cdf, Partition.VerticalA, last);
    sum += share(cdf, horizontal ? Partition.VerticalB : Partition.HorizontalB, last);
  }
  if (last > 7) sum += share(cdf, horizontal ? Partition.Vertical4 : Partition.Horizontal4, last);
  store<u32>(edge, sum);
  const split = readFlagSymbol(t, edge);
  if (split) return Partition.Split;
  return horizontal ? Partition.Horizontal : Partition.Vertical;
}

/** A symbol's share of 32768. Never called for symbol 0. */
// @inline
function share(cdf: usize, symbol: i32, last: i32): u32 {
  const at = cdf + ((<usize>symbol) << 1);
  const before = <u32>load<u16>(at - 2);
  return symbol === last ? before : before - <u32>load<u16>(at);
}
