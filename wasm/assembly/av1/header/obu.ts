/** The walk over OBUs (sections 5.3, 5.9.1, 5.10 and 5.11.1): headers are read, tiles are noted. */
import { alloc } from '../../memory';
import * as Av1Fault from '../faults';
import { Decoder } from '../state';
import { alignBits, BitReader, readBits, readFlag, startBits } from './bits';
import { readFrameHeader } from './frame';
import { readSequenceHeader } from './sequence';

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
/** Bytes of an entry of `Decoder.tileTable`: where a tile's data begin, and how many they are. */
export const TILE_ENTRY: usize = 8;

const reader = changetype<BitReader>(memory.data(offsetof<BitReader>(), 8));

/** What `nextObu` found. */
let type: i32 = 0;
let payload: usize = 0;
let payloadEnd: usize = 0;
let extended: bool = false;
let temporalId: i32 = 0;
let spatialId: i32 = 0;

/**
 * Reads the header of the OBU at `at`, whose payload may reach up to `end`.
 * @returns an error of faults.ts, 0 if none
 */
function nextObu(at: usize, end: usize): i32 {
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

/** The highest spatial layer of the operating point among the frames from `at` to the next temporal unit. */
function highestLayer(d: Decoder, at: usize, end: usize): i32 {
  let highest = 0;
  while (at < end && nextObu(at, end) === Av1Fault.NONE && type !== Obu.TemporalDelimiter) {
    if ((type === Obu.Frame || type === Obu.FrameHeader) && isWanted(d)) highest = max(highest, spatialId);
    at = payloadEnd;
  }
  return highest;
}

/**
 * Reads the headers of the first picture in [at, end) and notes its tiles.
 * @param headersOnly stop after the frame header: tiles need not be there
 * @returns an error of faults.ts, 0 if none
 */
export function readObus(d: Decoder, at: usize, end: usize, operatingPoint: i32, headersOnly: bool): i32 {
  let layer = -1;
  let sequence = false;
  let frame = false;
  while (at < end) {
    const obuFault = findObu(at, end, headersOnly);
    if (obuFault) return obuFault;
    const here = at;
    at = payloadEnd;
    if (type === Obu.SequenceHeader && !frame) {
      startBits(reader, payload, payloadEnd);
      const sequenceFault = readSequenceHeader(d, reader, operatingPoint);
      if (sequenceFault) return sequenceFault;
      sequence = true;
    } else if (type === Obu.TemporalDelimiter && frame) {
      return Av1Fault.BAD_TILE_GROUP;
    } else if (isWanted(d)) {
      if (type === Obu.Frame || type === Obu.FrameHeader) {
        if (!sequence) return Av1Fault.NO_SEQUENCE_HEADER;
        if (frame) continue;
        if (layer < 0) {
          layer = highestLayer(d, here, end);
          findObu(here, end, headersOnly);
        }
        if (spatialId < layer) continue;
        d.temporalId = temporalId;
        d.spatialId = spatialId;
        startBits(reader, payload, payloadEnd);
        const frameFault = readFrameHeader(d, reader);
        if (frameFault) return frameFault;
        if (headersOnly) return Av1Fault.NONE;
        d.tileTable = alloc(<usize>(d.tileColumns * d.tileRows) * TILE_ENTRY);
        if (d.tileTable === 0) return Av1Fault.OUT_OF_MEMORY;
        frame = true;
        if (type === Obu.Frame) {
          alignBits(reader);
          const tileFault = readTileGroup(d);
          if (tileFault) return tileFault;
        }
      } else if (type === Obu.TileGroup && frame && spatialId === d.spatialId) {
        startBits(reader, payload, payloadEnd);
        const tileFault = readTileGroup(d);
        if (tileFault) return tileFault;
      }
      if (frame && d.tilesFound === d.tileColumns * d.tileRows) return Av1Fault.NONE;
    }
  }
  if (frame) return Av1Fault.BAD_TILE_GROUP;
  return sequence ? Av1Fault.NO_FRAME : Av1Fault.NO_SEQUENCE_HEADER;
}

/** As nextObu, but where headers alone are read the OBU of a frame may be cut. */
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
