/**
 * The beginning of a frame header (section 5.9.2), which is the same for all types: whether the frame is
 * shown, and which slots keep it. Frames predicted from others are read up to here too.
 */
import { Decoder } from '../state';
import { BitReader, readBit, readBits, readFlag } from './bits';
import { SELECT } from './sequence';

/** frame_type (section 6.8.2). */
export const enum FrameType {
  Key = 0,
  Inter = 1,
  IntraOnly = 2,
  Switch = 3,
}

/** refresh_frame_flags of a frame that takes all slots. */
export const ALL_SLOTS = 0xff;
/** primary_ref_frame. */
const PRIMARY_REF_BITS = 3;

/** FrameIsIntra: the frame is coded by itself. */
// @inline
export function isIntra(d: Decoder): bool {
  return d.frameType === FrameType.Key || d.frameType === FrameType.IntraOnly;
}

/** Reads uncompressed_header() as far as refresh_frame_flags; bits past the end are 0. */
export function readShowing(d: Decoder, reader: BitReader): void {
  d.showExistingFrame = false;
  d.frameType = FrameType.Key;
  d.shown = true;
  d.showable = false;
  d.errorResilient = true;
  if (!d.reducedHeader) {
    d.showExistingFrame = readFlag(reader);
    if (d.showExistingFrame) {
      d.existingSlot = <i32>readBits(reader, 3);
      return;
    }
    d.frameType = <i32>readBits(reader, 2);
    d.shown = readFlag(reader);
    if (d.shown) {
      d.showable = d.frameType !== FrameType.Key;
      if (d.decoderModelInfo && !d.equalPictureInterval) readBits(reader, d.presentationTimeBits);
    } else d.showable = readFlag(reader);
    if (d.frameType !== FrameType.Switch && !(d.frameType === FrameType.Key && d.shown)) {
      d.errorResilient = readFlag(reader);
    }
  }
  d.disableCdfUpdate = readFlag(reader);
  d.allowScreenContentTools =
    d.forceScreenContentTools === SELECT ? readFlag(reader) : d.forceScreenContentTools > 0;
  if (d.allowScreenContentTools && d.forceIntegerMv === SELECT) readBit(reader);
  readBits(reader, d.frameIdBits);
  d.sizeOverridden = d.frameType === FrameType.Switch || (!d.reducedHeader && readFlag(reader));
  readBits(reader, d.orderHintBits);
  if (!isIntra(d) && !d.errorResilient) readBits(reader, PRIMARY_REF_BITS);
  if (d.decoderModelInfo && readFlag(reader)) skipRemovalTimes(d, reader);
  const takesAll = d.frameType === FrameType.Switch || (d.frameType === FrameType.Key && d.shown);
  d.refreshFrameFlags = takesAll ? ALL_SLOTS : <i32>readBits(reader, 8);
}

/** buffer_removal_time of the operating points that this frame belongs to. */
function skipRemovalTimes(d: Decoder, reader: BitReader): void {
  for (let i = 0; i < d.operatingPoints; i++) {
    const entry = d.operatingPointTable + ((<usize>i) << 2);
    const idc = <i32>load<u16>(entry);
    const inLayers = ((idc >> d.temporalId) & 1) !== 0 && ((idc >> (d.spatialId + 8)) & 1) !== 0;
    if (load<u16>(entry, 2) && (idc === 0 || inLayers)) readBits(reader, d.bufferRemovalTimeBits);
  }
}
