/** The sequence header (sections 5.5 and 6.4). */
import * as Av1Fault from '../faults';
import { Decoder } from '../state';
import { BitReader, readBit, readBits, readFlag, skipUvlc } from './bits';

/** seq_force_screen_content_tools and seq_force_integer_mv where each frame says for itself. */
export const SELECT = 2;
/** Values of section 6.4.2. */
const BT_709: i32 = 1;
const SRGB: i32 = 13;
const IDENTITY: i32 = 0;
const UNSPECIFIED: i32 = 2;

/** Reads a sequence header into the decoder. @returns an error of faults.ts, 0 if none */
export function readSequenceHeader(d: Decoder, reader: BitReader, operatingPoint: i32): i32 {
  d.seqProfile = <i32>readBits(reader, 3);
  if (d.seqProfile > 2) return Av1Fault.BAD_PROFILE;
  const stillPicture = readFlag(reader);
  d.reducedHeader = readFlag(reader);
  if (d.reducedHeader && !stillPicture) return Av1Fault.BAD_SEQUENCE_HEADER;
  d.decoderModelInfo = false;
  d.equalPictureInterval = false;
  d.operatingPoints = 1;
  d.operatingPointIdc = 0;
  if (d.reducedHeader) readBits(reader, 5);
  else readOperatingPoints(d, reader, operatingPoint);
  d.frameWidthBits = <i32>readBits(reader, 4) + 1;
  d.frameHeightBits = <i32>readBits(reader, 4) + 1;
  d.maxFrameWidth = <i32>readBits(reader, d.frameWidthBits) + 1;
  d.maxFrameHeight = <i32>readBits(reader, d.frameHeightBits) + 1;
  d.frameIdBits = 0;
  if (!d.reducedHeader && readFlag(reader)) {
    const delta = <i32>readBits(reader, 4) + 2;
    d.frameIdBits = <i32>readBits(reader, 3) + 1 + delta;
    if (d.frameIdBits > 16) return Av1Fault.BAD_SEQUENCE_HEADER;
  }
  d.use128x128 = readFlag(reader);
  d.enableFilterIntra = readFlag(reader);
  d.enableIntraEdgeFilter = readFlag(reader);
  d.forceScreenContentTools = SELECT;
  d.forceIntegerMv = SELECT;
  d.orderHintBits = 0;
  if (!d.reducedHeader) readInterTools(d, reader);
  d.enableSuperres = readFlag(reader);
  d.enableCdef = readFlag(reader);
  d.enableRestoration = readFlag(reader);
  const fault = readColorConfig(d, reader);
  if (fault) return fault;
  d.filmGrainParamsPresent = readFlag(reader);
  return reader.ended ? Av1Fault.TRUNCATED : Av1Fault.NONE;
}

function readOperatingPoints(d: Decoder, reader: BitReader, wanted: i32): void {
  let bufferDelayBits = 0;
  if (readFlag(reader)) {
    readBits(reader, 32);
    readBits(reader, 32);
    d.equalPictureInterval = readFlag(reader);
    if (d.equalPictureInterval) skipUvlc(reader);
    d.decoderModelInfo = readFlag(reader);
    if (d.decoderModelInfo) {
      bufferDelayBits = <i32>readBits(reader, 5) + 1;
      readBits(reader, 32);
      d.bufferRemovalTimeBits = <i32>readBits(reader, 5) + 1;
      d.presentationTimeBits = <i32>readBits(reader, 5) + 1;
    }
  }
  const initialDisplayDelay = readFlag(reader);
  d.operatingPoints = <i32>readBits(reader, 5) + 1;
  for (let i = 0; i < d.operatingPoints; i++) {
    const idc = <i32>readBits(reader, 12);
    if (i === 0 || i === wanted) d.operatingPointIdc = idc;
    let modelled = false;
    if (readBits(reader, 5) > 7) readBit(reader);
    if (d.decoderModelInfo) {
      modelled = readFlag(reader);
      if (modelled) {
        readBits(reader, bufferDelayBits);
        readBits(reader, bufferDelayBits);
        readBit(reader);
      }
    }
    store<u16>(d.operatingPointTable + ((<usize>i) << 2), <u16>idc);
    store<u16>(d.operatingPointTable + ((<usize>i) << 2), <u16>modelled, 2);
    if (initialDisplayDelay && readFlag(reader)) readBits(reader, 4);
  }
}

/**
 * Reads the tools for inter frames, which a still picture has none of; keeps only what changes how headers
 * are read.
 */
function readInterTools(d: Decoder, reader: BitReader): void {
  readBits(reader, 4);
  const orderHint = readFlag(reader);
  if (orderHint) readBits(reader, 2);
  if (!readFlag(reader)) d.forceScreenContentTools = readBit(reader);
  if (d.forceScreenContentTools > 0 && !readFlag(reader)) d.forceIntegerMv = readBit(reader);
  if (orderHint) d.orderHintBits = <i32>readBits(reader, 3) + 1;
}

function readColorConfig(d: Decoder, reader: BitReader): i32 {
  const high = readFlag(reader);
  if (d.seqProfile === 2 && high) d.bitDepth = readFlag(reader) ? 12 : 10;
  else d.bitDepth = high ? 10 : 8;
  d.monochrome = d.seqProfile !== 1 && readFlag(reader);
  d.planeCount = d.monochrome ? 1 : 3;
  d.colorPrimaries = UNSPECIFIED;
  d.transferCharacteristics = UNSPECIFIED;
  d.matrixCoefficients = UNSPECIFIED;
  if (readFlag(reader)) {
    d.colorPrimaries = <i32>readBits(reader, 8);
    d.transferCharacteristics = <i32>readBits(reader, 8);
    d.matrixCoefficients = <i32>readBits(reader, 8);
  }
  d.chromaSamplePosition = 0;
  d.separateUvDeltaQ = false;
  d.subX = 1;
  d.subY = 1;
  if (d.monochrome) {
    d.fullRange = readFlag(reader);
    return Av1Fault.NONE;
  }
  const identity = d.matrixCoefficients === IDENTITY;
  if (d.colorPrimaries === BT_709 && d.transferCharacteristics === SRGB && identity) {
    d.fullRange = true;
    d.subX = 0;
    d.subY = 0;
    if (d.seqProfile === 0 || (d.seqProfile === 2 && d.bitDepth < 12)) return Av1Fault.BAD_SEQUENCE_HEADER;
  } else {
    d.fullRange = readFlag(reader);
    readSubsampling(d, reader);
    if (identity && d.subX) return Av1Fault.BAD_SEQUENCE_HEADER;
  }
  if (d.subX && d.subY) d.chromaSamplePosition = <i32>readBits(reader, 2);
  d.separateUvDeltaQ = readFlag(reader);
  return Av1Fault.NONE;
}

function readSubsampling(d: Decoder, reader: BitReader): void {
  if (d.seqProfile === 0) return;
  if (d.seqProfile === 1) {
    d.subX = 0;
    d.subY = 0;
  } else if (d.bitDepth < 12) {
    d.subY = 0;
  } else {
    d.subX = readBit(reader);
    d.subY = d.subX ? readBit(reader) : 0;
  }
}
