/**
 * The exports of the decoder of AV1 still pictures (AV1 Bitstream & Decoding Process Specification): open
 * (headers), reserve (memory), start (a reading of all columns or of some), next (the rows that more
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

/** More bytes than this are no memory of this core. */
const MOST_BYTES: u64 = 0x7fff0000;

const choice = changetype<Choice>(memory.data(offsetof<Choice>(), 4));

/**
 * Reads the headers of the picture at [at, at + length): OBUs of one temporal unit or more.
 * @param operatingPoint 0 to 31, which layers are decoded
 * @param layer the spatial layer that is the picture, −1 for the highest
 * @param headersOnly true where the data may be cut behind the frame header: nothing can be decoded then
 * @returns the decoder, to be asked with av1Fault first; 0 when there is no memory for it
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

/** Samples of luma as they are shown: after superres. */
export function av1Width(d: Decoder): i32 {
  return d.upscaledWidth;
}

export function av1Height(d: Decoder): i32 {
  return d.frameHeight;
}

/** 8, 10 or 12. */
export function av1BitDepth(d: Decoder): i32 {
  return d.bitDepth;
}

export function av1Monochrome(d: Decoder): bool {
  return d.monochrome;
}

/** Whether chroma has half the columns. */
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

/** Bytes that this decoder takes in all once av1Reserve was called, beside its file. */
export function av1Bytes(d: Decoder): f64 {
  const tiles = <u64>allocated(<usize>(d.tileColumns * d.tileRows) * TILE_ENTRY);
  return <f64>(<u64>d.openBytes + tiles + pictureBytes(d));
}

/** Reserves all that readings take. @returns false when there is no memory */
export function av1Reserve(d: Decoder): bool {
  if (pictureBytes(d) > MOST_BYTES) return false;
  makeScans();
  return allocatePicture(d);
}

/** Luma samples along a superblock: 64 or 128. */
export function av1SuperblockSize(d: Decoder): i32 {
  return d.superblockMi << 2;
}

/** Samples of a row of luma as they are coded: before superres. */
export function av1CodedWidth(d: Decoder): i32 {
  return d.frameWidth;
}

/** Whether blocks may be copied from anywhere above: then all columns are always decoded. */
export function av1CopiesBlocks(d: Decoder): bool {
  return d.allowIntrabc;
}

export function av1TileColumns(d: Decoder): i32 {
  return d.tileColumns;
}

/** The column of superblocks where a tile begins, or behind the last one. @param index 0 to av1TileColumns */
export function av1TileStart(d: Decoder, index: i32): i32 {
  return load<i32>(d.tileColumnStarts + ((<usize>index) << 2));
}

/** Bytes that av1ReserveColumns takes. */
export function av1ColumnsBytes(d: Decoder, checkpoints: i32): f64 {
  return <f64>columnsBytes(d, checkpoints);
}

/** Reserves what reading some columns takes, after av1Reserve: see reserveColumns. */
export function av1ReserveColumns(d: Decoder, checkpoints: i32): usize {
  return columnsBytes(d, checkpoints) > MOST_BYTES ? 0 : reserveColumns(d, checkpoints);
}

/**
 * As av1Start, of some columns: beside them, finished rows hold anything. The first such reading has to be
 * of all superblocks.
 * @param first column of superblocks to decode: where a tile begins or a checkpoint is
 * @param end the one behind the last: where a tile ends, or in one that has a checkpoint where decoding
 * begins
 * @param firstFiltered, endFiltered columns of superblocks, of those decoded, whose samples are filtered
 * @param from, to columns asked for, in luma samples as they leave
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

/** Starts a reading from the top, which ends any other of this decoder. */
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
  // A unit may begin left of the columns that are read.
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
 * @returns how many rows of luma are finished; ROW_UNFINISHED where that takes another call; 0 at the
 * picture's end; −1 on a fault
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

/** How many coded bytes were read since this was last asked. */
export function av1TakeCodedBytes(d: Decoder): i32 {
  const bytes = d.codedBytes;
  d.codedBytes = 0;
  return bytes;
}

/** The luma row where the superblock row begins that was decoded last: what a fault's message names. */
export function av1RowReached(d: Decoder): i32 {
  return max(0, d.superblockRow) * (d.superblockMi << 2);
}

/** The first row of those that av1Next finished. */
export function av1RowsY(d: Decoder): i32 {
  return d.finishedY;
}

/** Where those rows lie. @param plane 0 to 2: u16 samples */
export function av1Plane(d: Decoder, plane: i32): usize {
  return planeAt(d, plane).finished;
}

/** Bytes from a row to the next. */
export function av1PlaneStride(d: Decoder, plane: i32): usize {
  return planeAt(d, plane).finishedStride;
}

/** Samples of a row. */
export function av1PlaneWidth(d: Decoder, plane: i32): i32 {
  return planeAt(d, plane).finishedWidth;
}
