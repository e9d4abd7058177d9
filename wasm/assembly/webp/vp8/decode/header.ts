/** Reads the frame header (RFC 6386 section 9) as libwebp reads a still picture's. */

import { DEFAULT_PROBABILITIES, UPDATE_PROBABILITIES } from '../common/coefficient_probabilities';
import { readBit, readFlag, readLiteral, readOptionalSigned, startReader } from './bool_reader';
import { BLOCK_TYPES, CONTEXTS, NODES, nodesAt, POSITIONS } from './coefficients';
import * as Vp8Fault from './faults';
import { fillStrengths } from './filter_strengths';
import { readQuantisers } from './quantisers';
import { BoolReader, Decoder, fail, SEGMENTS } from './state';

/** Section 9.1: frame tag, start code, width and height. */
const FRAME_HEADER_BYTES: usize = 10;
const START_CODE: u32 = 0x2a019d;

const BANDS: i32 = 8;
/** Section 13.3: the band of each coefficient. */
const BAND_OF: usize = memory.data<u8>([0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7]);

/** Bytes of a coefficient partition's size; the last partition has none. */
const PARTITION_SIZE_BYTES: usize = 3;

// @inline
function load24(at: usize): u32 {
  return <u32>load<u16>(at) | ((<u32>load<u8>(at, 2)) << 16);
}

/** Reads the header up to the first macroblock. @returns false on a fault */
export function readHeader(decoder: Decoder): bool {
  const input = decoder.input;
  const length = decoder.inputEnd - input;
  if (length < FRAME_HEADER_BYTES) return fail(decoder, Vp8Fault.HEADER_CUT);
  const tag = load24(input);
  if (tag & 1) return fail(decoder, Vp8Fault.NOT_KEY_FRAME);
  // The version selects simpler motion filters, and a loop filter that the header has its own flag for: in
  // key frames it changes nothing.
  if (((tag >> 1) & 7) > 3) return fail(decoder, Vp8Fault.VERSION);
  if (!((tag >> 4) & 1)) return fail(decoder, Vp8Fault.NOT_SHOWN);
  if (load24(input + 3) !== START_CODE) return fail(decoder, Vp8Fault.NO_START_CODE);
  // The upper two bits of each are a scaling hint, which no decoder follows.
  const width = load<u16>(input, 6) & 0x3fff;
  const height = load<u16>(input, 8) & 0x3fff;
  if (width === 0 || height === 0) return fail(decoder, Vp8Fault.NO_PIXELS);
  const firstPartition = input + FRAME_HEADER_BYTES;
  const firstBytes = <usize>(tag >> 5);
  if (firstBytes > length - FRAME_HEADER_BYTES) return fail(decoder, Vp8Fault.FIRST_PARTITION_CUT);
  decoder.width = width;
  decoder.height = height;
  decoder.columns = (width + 15) >> 4;
  decoder.rows = (height + 15) >> 4;

  const reader = decoder.modesStart;
  startReader(reader, firstPartition, firstPartition + firstBytes);
  // Colour space and clamping: all decoders clamp, and none supports a second colour space.
  readLiteral(reader, 2);
  readSegments(decoder, reader);
  readFilter(decoder, reader);
  if (reader.ended) return fail(decoder, Vp8Fault.HEADER_ENDED);
  if (!readPartitions(decoder, reader, firstPartition + firstBytes)) return false;
  readQuantisers(decoder, reader);
  fillStrengths(decoder);
  // Whether the probabilities are kept for later frames: there are none.
  readFlag(reader);
  readProbabilities(decoder, reader);
  decoder.skipping = readFlag(reader);
  decoder.skipProbability = decoder.skipping ? readLiteral(reader, 8) : 0;
  return reader.ended ? fail(decoder, Vp8Fault.HEADER_ENDED) : true;
}

/** Reads the segments' settings (section 9.3). */
function readSegments(decoder: Decoder, reader: BoolReader): void {
  decoder.segmented = readFlag(reader);
  decoder.segmentMap = false;
  decoder.segmentsAbsolute = true;
  if (!decoder.segmented) return;
  decoder.segmentMap = readFlag(reader);
  if (readFlag(reader)) {
    decoder.segmentsAbsolute = readFlag(reader);
    for (let i: usize = 0; i < SEGMENTS; i++) {
      store<i32>(decoder.segmentQuantisers + (i << 2), readOptionalSigned(reader, 7));
    }
    for (let i: usize = 0; i < SEGMENTS; i++) {
      store<i32>(decoder.segmentLevels + (i << 2), readOptionalSigned(reader, 6));
    }
  }
  if (!decoder.segmentMap) return;
  for (let i: usize = 0; i < SEGMENTS - 1; i++) {
    store<u8>(decoder.segmentProbabilities + i, readFlag(reader) ? readLiteral(reader, 8) : 255);
  }
}

/** Reads the loop filter's settings: sections 9.3 (deltas) and 9.6 (type, level, sharpness). */
function readFilter(decoder: Decoder, reader: BoolReader): void {
  decoder.filterSimple = readFlag(reader);
  decoder.filterLevel = readLiteral(reader, 6);
  decoder.sharpness = readLiteral(reader, 3);
  decoder.filtered = decoder.filterLevel > 0;
  decoder.levelDeltaIntra = 0;
  decoder.levelDeltaSubblocks = 0;
  if (!readFlag(reader) || !readFlag(reader)) return;
  // Four by reference frame and four by mode: the first of each group applies to key frames.
  decoder.levelDeltaIntra = readOptionalSigned(reader, 6);
  for (let i = 1; i < 4; i++) readOptionalSigned(reader, 6);
  decoder.levelDeltaSubblocks = readOptionalSigned(reader, 6);
  for (let i = 1; i < 4; i++) readOptionalSigned(reader, 6);
}

/** Finds the partitions (section 9.5). One that exceeds the data is cut short: reading it will tell. */
function readPartitions(decoder: Decoder, reader: BoolReader, sizes: usize): bool {
  const count = 1 << readLiteral(reader, 2);
  const end = decoder.inputEnd;
  const sizesBytes = <usize>(count - 1) * PARTITION_SIZE_BYTES;
  if (end - sizes < sizesBytes) return fail(decoder, Vp8Fault.TOKEN_PARTITIONS_CUT);
  decoder.partitionCount = count;
  let at = sizes + sizesBytes;
  for (let i = 0; i < count; i++) {
    const left = end - at;
    const bytes = i < count - 1 ? min(<usize>load24(sizes + <usize>i * PARTITION_SIZE_BYTES), left) : left;
    if (bytes === 0 && i === count - 1) return fail(decoder, Vp8Fault.TOKEN_PARTITIONS_CUT);
    const place = decoder.partitions + ((<usize>i) << 3);
    store<u32>(place, <u32>at);
    at += bytes;
    store<u32>(place, <u32>at, 4);
  }
  return true;
}

/** Reads the coefficient probabilities (sections 9.9 and 13.4). */
function readProbabilities(decoder: Decoder, reader: BoolReader): void {
  let at: usize = 0;
  for (let type = 0; type < BLOCK_TYPES; type++) {
    for (let band = 0; band < BANDS; band++) {
      for (let context = 0; context < CONTEXTS; context++) {
        for (let node: usize = 0; node < NODES; node++, at++) {
          const updated = readBit(reader, UPDATE_PROBABILITIES + at);
          const value = updated ? readLiteral(reader, 8) : <i32>load<u8>(DEFAULT_PROBABILITIES + at);
          for (let position = 0; position < POSITIONS; position++) {
            if (<i32>load<u8>(BAND_OF + position) !== band) continue;
            store<u8>(nodesAt(decoder.probabilities, type, position, context) + node, value);
          }
        }
      }
    }
  }
}
