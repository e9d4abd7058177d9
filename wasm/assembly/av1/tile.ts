/** Starts tiles, and decodes their superblocks row by row (sections 5.11.1 to 5.11.3). */

import { clearCdef } from './block/deltas';
import { decodePartition } from './block/partition';
import { readRestorationUnits, startRestoration } from './block/restoration';
import { startDistributions } from './cdf/defaults';
import { goToCheckpoint, keepCheckpoint } from './columns';
import * as Av1Fault from './faults';
import { TILE_ENTRY } from './header/obu';
import { tileAt } from './layout';
import { DECODED_ROWS, Decoder, LEFT_BYTES, Tile } from './state';
import { bitsLeft, endsWell, startSymbols } from './symbol';

/**
 * Number of contexts, from the first on, that clear_left_context and clear_above_context clear: the
 * coefficients'.
 */
const CLEARED: usize = 3;
/** The least legal SymbolMaxBits (section 8.2.4). */
const FEWEST_BITS = -14;

/** Starts all tiles of a tile row. */
export function startTiles(d: Decoder, tileRow: i32): void {
  const rows = d.tileRowStarts + ((<usize>tileRow) << 2);
  const mi = d.superblockMi;
  for (let i = 0; i < d.tileColumns; i++) {
    const t = tileAt(d, i);
    const columns = d.tileColumnStarts + ((<usize>i) << 2);
    t.miRowStart = load<i32>(rows) * mi;
    t.miRowEnd = min(load<i32>(rows, 4) * mi, d.miRows);
    t.miColStart = load<i32>(columns) * mi;
    t.miColEnd = min(load<i32>(columns, 4) * mi, d.miCols);
    t.currentQIndex = d.baseQIndex;
    memory.fill(t.deltaLf, 0, 16);
    const entry = d.tileTable + <usize>(tileRow * d.tileColumns + i) * TILE_ENTRY;
    t.start = load<u32>(entry);
    startSymbols(t, t.start, load<u32>(entry, 4), !d.disableCdfUpdate);
    startDistributions(t.cdf, d.baseQIndex);
    startRestoration(t);
  }
  memory.fill(d.above, 0, CLEARED * d.aboveStride);
}

/**
 * Decodes a tile's part of the superblock row `d.superblockRow`, limited to the columns being read, or
 * continues it; sets `d.fault`. If it pauses midway, `d.nextColumn` is not −1.
 */
export function decodeTileRow(d: Decoder, t: Tile): void {
  const size = d.superblockMi;
  const row = d.superblockRow * size;
  const first = max(t.miColStart, d.firstColumn * size);
  const end = min(t.miColEnd, d.endColumn * size);
  if (first >= end) return;
  if (d.nextColumn < 0) {
    memory.fill(t.left, 0, CLEARED * LEFT_BYTES);
    if (first > t.miColStart || end < t.miColEnd) goToCheckpoint(d, t, first);
    d.nextColumn = first;
  }
  for (let column = d.nextColumn; column < end; column += size) {
    if (d.superblocksLeft-- <= 0) {
      d.nextColumn = column;
      return;
    }
    if (d.checkpoints > 0) keepCheckpoint(d, t, column);
    d.readDeltas = d.deltaQPresent;
    if (d.enableCdef) clearCdef(d, column);
    clearDecoded(d, t, row, column);
    if (d.usesRestoration) readRestorationUnits(d, t, row, column);
    const from = t.at;
    decodePartition(d, t, row, column, d.use128x128 ? 5 : 4);
    d.codedBytes += <i32>(t.at - from);
    if (d.fault === 0 && bitsLeft(t) < FEWEST_BITS) d.fault = Av1Fault.BAD_TILE;
    if (d.fault) return;
  }
  d.nextColumn = -1;
  if (end < t.miColEnd || row + size < t.miRowEnd) return;
  if (!endsWell(t, t.start)) d.fault = Av1Fault.BAD_TILE;
}

/** clear_block_decoded_flags: marks the row above and the column to the left as decoded, within the tile. */
function clearDecoded(d: Decoder, t: Tile, row: i32, column: i32): void {
  for (let plane = 0; plane < d.planeCount; plane++) {
    const subX = plane > 0 ? d.subX : 0;
    const subY = plane > 0 ? d.subY : 0;
    const at = d.decoded + ((<usize>plane * DECODED_ROWS) << 3);
    const width = (t.miColEnd - column) >> subX;
    const height = (t.miRowEnd - row) >> subY;
    const across = min((d.superblockMi >> subX) + 1, width);
    store<u64>(at, ((<u64>1) << (<u64>(across + 1))) - 1);
    const side = d.superblockMi >> subY;
    for (let y = 0; y <= side; y++) {
      store<u64>(at + ((<usize>y + 1) << 3), y < height && y < side ? 1 : 0);
    }
  }
}

/** First row, in 4 × 4 blocks, of the next tile row. */
export function endOfTiles(d: Decoder): i32 {
  return load<i32>(d.tileRowStarts + ((<usize>d.tileRow + 1) << 2));
}
