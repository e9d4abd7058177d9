/**
 * Walks over the OBUs (sections 5.3, 5.9.1, 5.10 and 5.11.1): chooses the picture, reads its headers, notes
 * its tiles.
 */
import { alloc } from '../../memory';
import * as Av1Fault from '../faults';
import { Decoder } from '../state';
import { alignBits, BitReader, readBits, readFlag, startBits } from './bits';
import { readFrameHeader } from './frame';
import { readSequenceHeader } from './sequence';
import { readShowing } from './showing';

/** obu_type (section 6.2.2); all others are passed over. */
const enum Obu {
  SequenceHeader = 1,
  TemporalDelimiter = 2,
  FrameHeader = 3,
  TileGroup = 4,
  Frame = 6,
}

/** Longest leb128() (section 4.10.5). */
const MAX_LEB128_BYTES = 8;
/**
 * Most OBUs that are walked over in search of the picture, and of its tiles: a tile group for each of the
 * 4096 tiles that a frame may have (MAX_TILE_COLS and MAX_TILE_ROWS, section 3), and a few others. An OBU may
 * be two bytes long, and the walk is in one piece.
 */
const MOST_UNITS = 4096 + 64;
/** Bytes of an entry of `Decoder.tileTable`: where a tile's data begin, and how many they are. */
export const TILE_ENTRY: usize = 8;

/** Frames that decoding keeps at a time: NUM_REF_FRAMES, section 3. */
const SLOTS: usize = 8;

/** Which frame of the data is the picture. */
@unmanaged
export class Choice {
  operatingPoint: i32;
  /** The spatial layer that is the picture, −1 for the highest of the operating point. */
  layer: i32;
  /** Stop after the frame header: tiles need not be there. */
  headersOnly: bool;
}

const reader = changetype<BitReader>(memory.data(offsetof<BitReader>(), 8));
/** u32 each: where the OBU of the frame in it is, 0 for none. */
const slots = memory.data(32, 4);

/** What `nextObu` found. */
let type: i32 = 0;
let payload: usize = 0;
let payloadEnd: usize = 0;
let extended: bool = false;
let temporalId: i32 = 0;
let spatialId: i32 = 0;
/** OBUs that may still be walked over. */
let unitsLeft: i32 = 0;

/**
 * Reads the header of the OBU at `at`, whose payload may reach up to `end`.
 * @returns an error of faults.ts, 0 if none
 */
function nextObu(at: usize, end: usize): i32 {
  if (--unitsLeft < 0) return Av1Fault.TOO_MANY_UNITS;
  const first = <i32>load<u8>(at);
  if (first & 0x80) return Av1Fault.BAD_OBU;
  type = (first >> 3) & 15;
  extended = (first & 4) !== 0;
  let from = at + 1;
  temporalId = 0;
  spatialId = 0;
  if (extended) {
    if (from >= end) return Av1Fault.TRUNCATED;
    temporalId = <i32>(load<u8>(from) >> 5);
    spatialId = <i32>((load<u8>(from) >> 3) & 3);
    from++;
  }
  let size: u64 = <u64>(end - from);
  if (first & 2) {
    size = 0;
    for (let i = 0; ; i++) {
      if (i === MAX_LEB128_BYTES) return Av1Fault.BAD_OBU;
      if (from >= end) return Av1Fault.TRUNCATED;
      const byte = load<u8>(from++);
      size |= (<u64>(byte & 0x7f)) << (<u64>i * 7);
      if (byte < 0x80) break;
    }
    if (size > <u64>(end - from)) return Av1Fault.TRUNCATED;
  }
  payload = from;
  payloadEnd = from + <usize>size;
  return Av1Fault.NONE;
}

/** Does the OBU found last belong to the operating point? */
function isWanted(d: Decoder): bool {
  if (d.operatingPointIdc === 0 || !extended) return true;
  return (
    ((d.operatingPointIdc >> temporalId) & 1) !== 0 && ((d.operatingPointIdc >> (spatialId + 8)) & 1) !== 0
  );
}

/**
 * Address of the picture's frame: the shown one of the highest spatial layer, or of the layer asked for, in
 * the first temporal unit that shows any; the first if there are several. A frame shown later than coded
 * (show_existing_frame, section 7.21) is found through the slots that coded frames refresh (section 7.20).
 * Errors after the picture do not matter, unless a higher layer may follow.
 */
let picture: usize = 0;
let pictureLayer: i32 = -1;

/** Finds the picture and reads the sequence header. @returns an error of faults.ts, 0 if none */
function findFrame(d: Decoder, start: usize, end: usize, choice: Choice): i32 {
  let sequence = false;
  let coded = false;
  picture = 0;
  pictureLayer = -1;
  memory.fill(slots, 0, SLOTS << 2);
  for (let at = start; at < end; at = payloadEnd) {
    const obuFault = findObu(at, end, choice.headersOnly);
    if (obuFault) return picture === 0 || d.operatingPointIdc !== 0 ? obuFault : Av1Fault.NONE;
    if (type === Obu.TemporalDelimiter && picture !== 0) break;
    if (type === Obu.SequenceHeader && !coded) {
      startBits(reader, payload, payloadEnd);
      const sequenceFault = readSequenceHeader(d, reader, choice.operatingPoint);
      if (sequenceFault) return sequenceFault;
      sequence = true;
    } else if ((type === Obu.Frame || type === Obu.FrameHeader) && isWanted(d)) {
      if (!sequence) return Av1Fault.NO_SEQUENCE_HEADER;
      coded = true;
      noteFrame(d, at, choice);
    }
  }
  if (picture !== 0) return Av1Fault.NONE;
  return sequence ? Av1Fault.NO_FRAME : Av1Fault.NO_SEQUENCE_HEADER;
}

/** Notes the frame found last, whose OBU is at `at`: in its slots, and as the picture if it is that. */
function noteFrame(d: Decoder, at: usize, choice: Choice): void {
  d.temporalId = temporalId;
  d.spatialId = spatialId;
  startBits(reader, payload, payloadEnd);
  readShowing(d, reader);
  let frame = at;
  if (d.showExistingFrame) frame = <usize>load<u32>(slots + ((<usize>d.existingSlot) << 2));
  else {
    for (let slot: usize = 0; slot < SLOTS; slot++) {
      if ((d.refreshFrameFlags >> <i32>slot) & 1) store<u32>(slots + (slot << 2), <u32>at);
    }
  }
  if (!d.shown || (choice.layer >= 0 && spatialId !== choice.layer)) return;
  if (frame === 0 || spatialId <= pictureLayer) return;
  picture = frame;
  pictureLayer = spatialId;
}

/**
 * Reads the headers of the picture in [at, end) and notes its tiles.
 * @returns an error of faults.ts, 0 if none
 */
export function readObus(d: Decoder, at: usize, end: usize, choice: Choice): i32 {
  unitsLeft = MOST_UNITS;
  const found = findFrame(d, at, end, choice);
  if (found) return found;
  unitsLeft = MOST_UNITS;
  const obuFault = findObu(picture, end, choice.headersOnly);
  if (obuFault) return obuFault;
  d.temporalId = temporalId;
  d.spatialId = spatialId;
  startBits(reader, payload, payloadEnd);
  const frameFault = readFrameHeader(d, reader);
  if (frameFault || choice.headersOnly) return frameFault;
  d.tileTable = alloc(<usize>(d.tileColumns * d.tileRows) * TILE_ENTRY);
  if (d.tileTable === 0) return Av1Fault.OUT_OF_MEMORY;
  if (type === Obu.Frame) {
    alignBits(reader);
    const tileFault = readTileGroup(d);
    if (tileFault) return tileFault;
  }
  return readTileGroups(d, end);
}

/** Reads the tile groups after the OBU found last, until all tiles are there. @returns an error, 0 if none */
function readTileGroups(d: Decoder, end: usize): i32 {
  while (d.tilesFound < d.tileColumns * d.tileRows) {
    if (payloadEnd >= end) return Av1Fault.BAD_TILE_GROUP;
    const obuFault = nextObu(payloadEnd, end);
    if (obuFault) return obuFault;
    if (type === Obu.TemporalDelimiter) return Av1Fault.BAD_TILE_GROUP;
    if (type !== Obu.TileGroup || !isWanted(d) || spatialId !== d.spatialId) continue;
    startBits(reader, payload, payloadEnd);
    const tileFault = readTileGroup(d);
    if (tileFault) return tileFault;
  }
  return Av1Fault.NONE;
}

/** Like nextObu, but if only headers are read, a frame's OBU may be cut off. */
function findObu(at: usize, end: usize, headersOnly: bool): i32 {
  const fault = nextObu(at, end);
  if (fault !== Av1Fault.TRUNCATED || !headersOnly) return fault;
  if (type !== Obu.Frame && type !== Obu.FrameHeader) return Av1Fault.TRUNCATED;
  let from = at + 1 + (extended ? 1 : 0);
  while (from < end && load<u8>(from) >= 0x80) from++;
  payload = min(from + 1, end);
  payloadEnd = end;
  return Av1Fault.NONE;
}

/** tile_group_obu. @returns an error of faults.ts, 0 if none */
function readTileGroup(d: Decoder): i32 {
  const tiles = d.tileColumns * d.tileRows;
  let first = 0;
  let last = tiles - 1;
  if (tiles > 1 && readFlag(reader)) {
    const bits = d.tileColumnsLog2 + d.tileRowsLog2;
    first = <i32>readBits(reader, bits);
    last = <i32>readBits(reader, bits);
  }
  alignBits(reader);
  if (reader.ended) return Av1Fault.TRUNCATED;
  if (first !== d.tilesFound || last < first || last >= tiles) return Av1Fault.BAD_TILE_GROUP;
  let at = reader.at;
  for (let tile = first; tile <= last; tile++) {
    let size = reader.end - at;
    if (tile < last) {
      if (size < <usize>d.tileSizeBytes) return Av1Fault.TRUNCATED;
      let coded: u64 = 1;
      for (let i = 0; i < d.tileSizeBytes; i++) coded += (<u64>load<u8>(at + <usize>i)) << ((<u64>i) << 3);
      at += <usize>d.tileSizeBytes;
      size -= <usize>d.tileSizeBytes;
      if (coded > <u64>size) return Av1Fault.TRUNCATED;
      size = <usize>coded;
    }
    if (size === 0) return Av1Fault.TRUNCATED;
    const entry = d.tileTable + <usize>tile * TILE_ENTRY;
    store<u32>(entry, <u32>at);
    store<u32>(entry, <u32>size, 4);
    at += size;
  }
  d.tilesFound = last + 1;
  return Av1Fault.NONE;
}
