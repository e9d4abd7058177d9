/**
 * The exports of the decoder for AV1 still pictures (AV1 Bitstream & Decoding Process Specification): open
 * (headers), reserve (memory), start (a read of all columns or of some), next (the rows that the next
 * superblock rows complete). Host side: src/core/av1/picture.ts.
 */

import { allocated, mark } from '../memory';
import { startVectorRow } from './block/block_vector';
import { setLevels } from './block/levels';
import { makeScans } from './block/scan';
import { startSegmentRow } from './block/segment';
import { columnsBytes, reserveColumns } from './columns';
import { ROW_UNFINISHED, SAMPLES_AT_ONCE } from './constants';
import * as Av1Fault from './faults';
import { startWindow, superblockRowDone } from './filter/window';
import { planeAt, quadAt, UNIT_BYTES } from './frame';
import { Choice, readObus, TILE_ENTRY } from './header/obu';
import { allocateDecoder, allocatePicture, pictureBytes, tileAt } from './layout';
import { Decoder } from './state';
import { decodeTileRow, endOfTiles, startTiles } from './tile';

/** More bytes than this core's memory can ever have. */
const MOST_BYTES: u64 = 0x7fff0000;

const choice = changetype<Choice>(memory.data(offsetof<Choice>(), 4));

/**
 * Reads the headers of the picture at [at, at + length): OBUs of one or more temporal units.
 * @param operatingPoint 0 to 31: selects the layers to decode
 * @param layer the spatial layer to show, −1 for the highest
 * @param headersOnly true if the data may be cut off after the frame header: then nothing can be decoded
 * @returns the decoder, to be checked with av1Fault first; 0 when there is no memory for it
 */
export function av1Open(at: usize, length: usize, operatingPoint: i32, layer: i32, headersOnly: bool): usize {
  const start = mark();
  const address = allocateDecoder();
  if (address === 0) return 0;
  const d = changetype<Decoder>(address);
  d.openBytes = mark() - start;
  choice.operatingPoint = operatingPoint;
  choice.layer = layer;
  choice.headersOnly = headersOnly;
  d.fault = readObus(d, at, at + length, choice);
  d.superblockRow = -1;
  return address;
}

/** The first fault met, 0 if none. */
export function av1Fault(d: Decoder): i32 {
  return d.fault;
}

/** Width in luma samples as shown: after superres. */
export function av1Width(d: Decoder): i32 {
  return d.upscaledWidth;
}

export function av1Height(d: Decoder): i32 {
  return d.frameHeight;
}

/** Bits per sample: 8, 10 or 12. */
export function av1BitDepth(d: Decoder): i32 {
  return d.bitDepth;
}

export function av1Monochrome(d: Decoder): bool {
  return d.monochrome;
}

/** 1 if chroma has half the columns, else 0. */
export function av1SubsamplingX(d: Decoder): i32 {
  return d.subX;
}

export function av1SubsamplingY(d: Decoder): i32 {
  return d.subY;
}

/** color_primaries, transfer_characteristics and matrix_coefficients (ITU-T H.273), 8 bits each. */
export function av1Colour(d: Decoder): i32 {
  return (d.colorPrimaries << 16) | (d.transferCharacteristics << 8) | d.matrixCoefficients;
}

export function av1FullRange(d: Decoder): bool {
  return d.fullRange;
}

/** chroma_sample_position (section 6.4.2). */
export function av1ChromaPosition(d: Decoder): i32 {
  return d.chromaSamplePosition;
}

/** Bytes that this decoder takes in all after av1Reserve, without its file. */
export function av1Bytes(d: Decoder): f64 {
  const tiles = <u64>allocated(<usize>(d.tileColumns * d.tileRows) * TILE_ENTRY);
  return <f64>(<u64>d.openBytes + tiles + pictureBytes(d));
}

/** Reserves all memory for reading. @returns false when there is no memory */
export function av1Reserve(d: Decoder): bool {
  if (pictureBytes(d) > MOST_BYTES) return false;
  makeScans();
  return allocatePicture(d);
}

/** Luma samples along a superblock: 64 or 128. */
export function av1SuperblockSize(d: Decoder): i32 {
  return d.superblockMi << 2;
}

/** Width in luma samples as coded: before superres. */
export function av1CodedWidth(d: Decoder): i32 {
  return d.frameWidth;
}

/**
 * Whether blocks may be copied from anywhere above (intra block copy): then all columns are always decoded.
 */
export function av1CopiesBlocks(d: Decoder): bool {
  return d.allowIntrabc;
}

export function av1TileColumns(d: Decoder): i32 {
  return d.tileColumns;
}

/**
 * The superblock column where a tile begins, or the one after the last tile.
 * @param index 0 to av1TileColumns
 */
export function av1TileStart(d: Decoder, index: i32): i32 {
  return load<i32>(d.tileColumnStarts + ((<usize>index) << 2));
}

/** Bytes that av1ReserveColumns reserves. */
export function av1ColumnsBytes(d: Decoder, checkpoints: i32): f64 {
  return <f64>columnsBytes(d, checkpoints);
}

/** Reserves the memory for reading only some columns, after av1Reserve: see reserveColumns. */
export function av1ReserveColumns(d: Decoder, checkpoints: i32): usize {
  return columnsBytes(d, checkpoints) > MOST_BYTES ? 0 : reserveColumns(d, checkpoints);
}

/**
 * Like av1Start, for some columns only. In finished rows, other columns have undefined content. The first
 * such read must decode all superblocks.
 * @param first first superblock column to decode: the start of a tile, or a checkpoint
 * @param end the superblock column after the last: the end of a tile, or any in a tile where decoding starts
 * at a checkpoint
 * @param firstFiltered, endFiltered superblock columns, among those decoded, whose samples are filtered
 * @param from, to columns asked for, in luma samples of the output
 */
export function av1StartColumns(
  d: Decoder,
  first: i32,
  end: i32,
  firstFiltered: i32,
  endFiltered: i32,
  from: i32,
  to: i32,
): void {
  av1Start(d);
  d.firstColumn = first;
  d.endColumn = end;
  const side = d.superblockMi << 2;
  d.filteredFrom = firstFiltered * side;
  d.filteredEnd = min(endFiltered * side, d.miCols << 2);
  d.wantedFrom = from;
  d.wantedEnd = to;
}

/** Starts a read from the top. Ends any other read of this decoder. */
export function av1Start(d: Decoder): void {
  d.firstColumn = 0;
  d.endColumn = d.superblockColumns;
  d.superblockRow = -1;
  d.tileRow = -1;
  d.nextTile = -1;
  d.finishedY = 0;
  d.finishedRows = 0;
  d.stepsQIndex = -1;
  memory.fill(d.coefficients, 0, 1024 * 4);
  memory.fill(d.magnitudes, 0, 36 * 36 * 2);
  memory.fill(d.cdefIndex, 0xff, <usize>(d.cdefStride * (d.superblockMi >> 4)));
  // Cleared only until a first read has found them all: a unit may begin left of the columns read later.
  for (let plane = 0; plane < d.planeCount && !d.surveyed; plane++) {
    const units = <usize>(quadAt(d.unitColumns, plane) * quadAt(d.unitRows, plane));
    memory.fill(<usize>quadAt(d.restorationUnits, plane), 0, units * UNIT_BYTES);
  }
  d.intra.bitDepth = d.bitDepth;
  d.intra.edgeFilter = d.enableIntraEdgeFilter;
  d.intra.smoothNeighbour = false;
  setLevels(d);
  startWindow(d);
}

/** Begins the next superblock row. */
function startRow(d: Decoder): void {
  d.superblockRow++;
  if (d.tileRow < 0 || d.superblockRow === endOfTiles(d)) {
    d.tileRow++;
    startTiles(d, d.tileRow);
  }
  if (d.segmentationEnabled) startSegmentRow(d);
  if (d.allowIntrabc) startVectorRow(d);
  d.nextTile = 0;
  d.nextColumn = -1;
}

/**
 * Makes the next rows, decoding superblock rows as needed.
 * @returns the number of finished rows of luma; ROW_UNFINISHED if that takes another call; 0 at the picture's
 * end; −1 on a fault
 */
export function av1Next(d: Decoder): i32 {
  const side = d.superblockMi << 2;
  d.superblocksLeft = SAMPLES_AT_ONCE / (side * side);
  while (true) {
    if (d.fault !== Av1Fault.NONE) return -1;
    if (d.nextTile < 0) {
      if (d.superblockRow === d.superblockRows - 1) return 0;
      startRow(d);
    }
    while (d.nextTile < d.tileColumns) {
      if (d.superblocksLeft <= 0) return ROW_UNFINISHED;
      decodeTileRow(d, tileAt(d, d.nextTile));
      if (d.fault !== Av1Fault.NONE) return -1;
      if (d.nextColumn < 0) d.nextTile++;
    }
    d.nextTile = -1;
    superblockRowDone(d);
    if (d.checkpointColumns !== 0 && d.superblockRow === d.superblockRows - 1) d.surveyed = true;
    if (d.finishedRows > 0) return d.finishedRows;
  }
}

/** Coded bytes read since the last call of this function. */
export function av1TakeCodedBytes(d: Decoder): i32 {
  const bytes = d.codedBytes;
  d.codedBytes = 0;
  return bytes;
}

/** First luma row of the superblock row decoded last; error messages name it. */
export function av1RowReached(d: Decoder): i32 {
  return max(0, d.superblockRow) * (d.superblockMi << 2);
}

/** The first of the rows that av1Next finished. */
export function av1RowsY(d: Decoder): i32 {
  return d.finishedY;
}

/** Address of those rows. @param plane 0 to 2: u16 samples */
export function av1Plane(d: Decoder, plane: i32): usize {
  return planeAt(d, plane).finished;
}

/** Bytes from one row to the next. */
export function av1PlaneStride(d: Decoder, plane: i32): usize {
  return planeAt(d, plane).finishedStride;
}

/** Samples per row. */
export function av1PlaneWidth(d: Decoder, plane: i32): i32 {
  return planeAt(d, plane).finishedWidth;
}
