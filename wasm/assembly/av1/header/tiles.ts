/** tile_info: where the tiles begin (sections 5.9.15 and 6.8.14). */
import * as Av1Fault from '../faults';
import { Decoder } from '../state';
import { BitReader, readBelow, readBits, readFlag } from './bits';

/** Section 3. */
export const MAX_TILES = 64;
const MAX_TILE_WIDTH = 4096;
const MAX_TILE_AREA = 4096 * 2304;

/** Reads the tiles' borders into the decoder. @returns an error of faults.ts, 0 if none */
export function readTileInfo(d: Decoder, reader: BitReader): i32 {
  const columns = d.superblockColumns;
  const rows = d.superblockRows;
  const log2Size = d.use128x128 ? 7 : 6;
  const maxWidth = MAX_TILE_WIDTH >> log2Size;
  const minLog2Columns = tileLog2(maxWidth, columns);
  const minLog2 = max(minLog2Columns, tileLog2(MAX_TILE_AREA >> (2 * log2Size), columns * rows));
  if (readFlag(reader)) {
    const maxLog2Columns = tileLog2(1, min(columns, MAX_TILES));
    const log2Columns = readIncrements(reader, minLog2Columns, maxLog2Columns);
    d.tileColumns = placeEvenly(d.tileColumnStarts, columns, log2Columns);
    const maxLog2Rows = tileLog2(1, min(rows, MAX_TILES));
    const log2Rows = readIncrements(reader, max(minLog2 - log2Columns, 0), maxLog2Rows);
    d.tileRows = placeEvenly(d.tileRowStarts, rows, log2Rows);
    d.tileColumnsLog2 = log2Columns;
    d.tileRowsLog2 = log2Rows;
  } else {
    d.tileColumns = readBorders(reader, d.tileColumnStarts, columns, maxWidth);
    if (d.tileColumns === 0) return Av1Fault.BAD_FRAME_HEADER;
    let widest = 0;
    for (let i: usize = 0; i < <usize>d.tileColumns; i++) {
      const at = d.tileColumnStarts + (i << 2);
      widest = max(widest, load<i32>(at, 4) - load<i32>(at));
    }
    const area = minLog2 > 0 ? (columns * rows) >> (minLog2 + 1) : columns * rows;
    d.tileRows = readBorders(reader, d.tileRowStarts, rows, max(area / widest, 1));
    if (d.tileRows === 0) return Av1Fault.BAD_FRAME_HEADER;
    d.tileColumnsLog2 = tileLog2(1, d.tileColumns);
    d.tileRowsLog2 = tileLog2(1, d.tileRows);
  }
  d.tileSizeBytes = 0;
  if (d.tileColumnsLog2 > 0 || d.tileRowsLog2 > 0) {
    const updating = <i32>readBits(reader, d.tileColumnsLog2 + d.tileRowsLog2);
    if (updating >= d.tileColumns * d.tileRows) return Av1Fault.BAD_FRAME_HEADER;
    d.tileSizeBytes = <i32>readBits(reader, 2) + 1;
  }
  return Av1Fault.NONE;
}

/** The smallest k for which size << k is at least `target`. */
function tileLog2(size: i32, target: i32): i32 {
  let k = 0;
  while (size << k < target) k++;
  return k;
}

function readIncrements(reader: BitReader, from: i32, limit: i32): i32 {
  let log2 = from;
  while (log2 < limit && readFlag(reader)) log2++;
  return log2;
}

/** Tiles of the same size, in superblocks. @returns how many */
function placeEvenly(starts: usize, superblocks: i32, log2: i32): i32 {
  const size = (superblocks + (1 << log2) - 1) >> log2;
  let count = 0;
  for (let start = 0; start < superblocks; start += size) {
    store<i32>(starts + ((<usize>count) << 2), start);
    count++;
  }
  store<i32>(starts + ((<usize>count) << 2), superblocks);
  return count;
}

/** Tiles with a size of their own. @returns how many, 0 where there are too many */
function readBorders(reader: BitReader, starts: usize, superblocks: i32, widest: i32): i32 {
  let count = 0;
  for (let start = 0; start < superblocks; ) {
    if (count === MAX_TILES) return 0;
    store<i32>(starts + ((<usize>count) << 2), start);
    count++;
    start += readBelow(reader, min(superblocks - start, widest)) + 1;
  }
  store<i32>(starts + ((<usize>count) << 2), superblocks);
  return count;
}
