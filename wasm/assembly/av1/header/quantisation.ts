/** Quantiser, segmentation, and whether both may change by superblocks (sections 5.9.12 to 5.9.18). */
import { MAX_SEGMENTS, SEG_FEATURES } from '../frame';
import { Decoder } from '../state';
import { BitReader, readBits, readFlag, readSigned } from './bits';

/** The features of a segment (section 6.8.13). */
export const SEG_ALT_Q = 0;
export const SEG_ALT_LF_Y_V = 1;
export const SEG_REF_FRAME = 5;
export const SEG_SKIP = 6;

/** Segmentation_Feature_Bits and Segmentation_Feature_Max; those with 0 to 4 are signed. */
const FEATURE_BITS: usize = memory.data<u8>([8, 6, 6, 6, 6, 3, 0, 0]);
const FEATURE_MAX: usize = memory.data<u8>([255, 63, 63, 63, 63, 7, 0, 0]);
const SIGNED_FEATURES: i32 = 5;

/** quantization_params */
export function readQuantisation(d: Decoder, reader: BitReader): void {
  d.baseQIndex = <i32>readBits(reader, 8);
  d.deltaQYDc = readDeltaQ(reader);
  d.deltaQUDc = 0;
  d.deltaQUAc = 0;
  d.deltaQVDc = 0;
  d.deltaQVAc = 0;
  if (d.planeCount > 1) {
    const differ = d.separateUvDeltaQ && readFlag(reader);
    d.deltaQUDc = readDeltaQ(reader);
    d.deltaQUAc = readDeltaQ(reader);
    d.deltaQVDc = differ ? readDeltaQ(reader) : d.deltaQUDc;
    d.deltaQVAc = differ ? readDeltaQ(reader) : d.deltaQUAc;
  }
  d.usingQmatrix = readFlag(reader);
  d.qmY = 15;
  d.qmU = 15;
  d.qmV = 15;
  if (d.usingQmatrix) {
    d.qmY = <i32>readBits(reader, 4);
    d.qmU = <i32>readBits(reader, 4);
    d.qmV = d.separateUvDeltaQ ? <i32>readBits(reader, 4) : d.qmU;
  }
}

function readDeltaQ(reader: BitReader): i32 {
  return readFlag(reader) ? readSigned(reader, 7) : 0;
}

/** segmentation_params */
export function readSegmentation(d: Decoder, reader: BitReader): void {
  memory.fill(d.featureEnabled, 0, MAX_SEGMENTS * SEG_FEATURES);
  memory.fill(d.featureData, 0, MAX_SEGMENTS * SEG_FEATURES * 2);
  d.segIdPreSkip = false;
  d.lastActiveSegId = 0;
  d.segmentationEnabled = readFlag(reader);
  if (!d.segmentationEnabled) return;
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    for (let feature = 0; feature < SEG_FEATURES; feature++) {
      if (!readFlag(reader)) continue;
      const at = <usize>(segment * SEG_FEATURES + feature);
      const bits = <i32>load<u8>(FEATURE_BITS + <usize>feature);
      const limit = <i32>load<u8>(FEATURE_MAX + <usize>feature);
      const value = feature < SIGNED_FEATURES ? readSigned(reader, bits + 1) : <i32>readBits(reader, bits);
      store<u8>(d.featureEnabled + at, 1);
      store<i16>(d.featureData + (at << 1), <i16>max(-limit, min(limit, value)));
      d.lastActiveSegId = segment;
      if (feature >= SEG_REF_FRAME) d.segIdPreSkip = true;
    }
  }
}

/** delta_q_params and delta_lf_params */
export function readDeltas(d: Decoder, reader: BitReader): void {
  d.deltaQPresent = d.baseQIndex > 0 && readFlag(reader);
  d.deltaQRes = d.deltaQPresent ? <i32>readBits(reader, 2) : 0;
  d.deltaLfPresent = d.deltaQPresent && !d.allowIntrabc && readFlag(reader);
  d.deltaLfRes = d.deltaLfPresent ? <i32>readBits(reader, 2) : 0;
  d.deltaLfMulti = d.deltaLfPresent && readFlag(reader);
}

/** qidx and LosslessArray of each segment, CodedLossless and AllLossless. */
export function setLossless(d: Decoder): void {
  d.codedLossless = true;
  const noDeltas = (d.deltaQYDc | d.deltaQUDc | d.deltaQUAc | d.deltaQVDc | d.deltaQVAc) === 0;
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    const qindex = segmentQIndex(d, segment, d.baseQIndex);
    const lossless = qindex === 0 && noDeltas;
    store<i32>(d.segmentQIndex + ((<usize>segment) << 2), qindex);
    store<u8>(d.segmentLossless + <usize>segment, lossless ? 1 : 0);
    if (!lossless) d.codedLossless = false;
  }
  d.allLossless = d.codedLossless && d.frameWidth === d.upscaledWidth;
}

/** get_qindex (section 7.12.2). @param qindex base_q_idx or CurrentQIndex */
export function segmentQIndex(d: Decoder, segment: i32, qindex: i32): i32 {
  if (!segmentHas(d, segment, SEG_ALT_Q)) return qindex;
  return max(0, min(255, qindex + segmentValue(d, segment, SEG_ALT_Q)));
}

/** seg_feature_active_idx */
// @inline
export function segmentHas(d: Decoder, segment: i32, feature: i32): bool {
  return load<u8>(d.featureEnabled + <usize>(segment * SEG_FEATURES + feature)) !== 0;
}

// @inline
export function segmentValue(d: Decoder, segment: i32, feature: i32): i32 {
  return <i32>load<i16>(d.featureData + ((<usize>(segment * SEG_FEATURES + feature)) << 1));
}
