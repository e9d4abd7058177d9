/** The frame header of a picture coded by itself (sections 5.9 and 6.8): a key or an intra-only frame. */
import * as Av1Fault from '../faults';
import { Plane, setQuad } from '../frame';
import { Decoder } from '../state';
import { BitReader, readBit, readBits, readFlag } from './bits';
import { readCdef, readLoopFilter, readRestoration } from './filters';
import { readFilmGrain } from './grain';
import { readDeltas, readQuantisation, readSegmentation, setLossless } from './quantisation';
import { ALL_SLOTS, FrameType, isIntra, readShowing } from './showing';
import { readTileInfo } from './tiles';

/** Samples of the largest picture that is read: far beyond what any memory here could hold. */
const MAX_SAMPLES: u64 = 1 << 28;

/** Reads uncompressed_header(). @returns an error of faults.ts, 0 if none */
export function readFrameHeader(d: Decoder, reader: BitReader): i32 {
  readShowing(d, reader);
  if (!isIntra(d)) return d.spatialId > 0 ? Av1Fault.PREDICTED_LAYER : Av1Fault.PREDICTED;
  // Section 6.8.2: only a key frame may refresh all slots.
  if (d.frameType !== FrameType.Key && d.refreshFrameFlags === ALL_SLOTS) return Av1Fault.BAD_FRAME_HEADER;
  if (d.refreshFrameFlags !== ALL_SLOTS && d.errorResilient) {
    for (let i = 0; i < 8; i++) readBits(reader, d.orderHintBits);
  }
  const fault = readFrameSize(d, reader, d.sizeOverridden);
  if (fault) return fault;
  d.allowIntrabc = d.allowScreenContentTools && d.upscaledWidth === d.frameWidth && readFlag(reader);
  if (!d.reducedHeader && !d.disableCdfUpdate) readBit(reader);
  const tileFault = readTileInfo(d, reader);
  if (tileFault) return tileFault;
  readQuantisation(d, reader);
  readSegmentation(d, reader);
  readDeltas(d, reader);
  setLossless(d);
  readLoopFilter(d, reader);
  readCdef(d, reader);
  readRestoration(d, reader);
  d.txModeSelect = !d.codedLossless && readFlag(reader);
  d.reducedTxSet = readFlag(reader);
  if (!readFilmGrain(d, reader)) return Av1Fault.BAD_FRAME_HEADER;
  return reader.ended ? Av1Fault.TRUNCATED : Av1Fault.NONE;
}

/** Superres never makes the coded picture narrower than this. */
const LEAST_SCALED_WIDTH: i32 = 16;

/** frame_size, superres_params, compute_image_size and render_size. */
function readFrameSize(d: Decoder, reader: BitReader, overridden: bool): i32 {
  d.upscaledWidth = d.maxFrameWidth;
  d.frameHeight = d.maxFrameHeight;
  if (overridden) {
    d.upscaledWidth = <i32>readBits(reader, d.frameWidthBits) + 1;
    d.frameHeight = <i32>readBits(reader, d.frameHeightBits) + 1;
    if (d.upscaledWidth > d.maxFrameWidth || d.frameHeight > d.maxFrameHeight) {
      return Av1Fault.BAD_FRAME_HEADER;
    }
  }
  d.superresDenom = 8;
  if (d.enableSuperres && readFlag(reader)) d.superresDenom = <i32>readBits(reader, 3) + 9;
  const scaled = (d.upscaledWidth * 8 + (d.superresDenom >> 1)) / d.superresDenom;
  // As in libaom and dav1d; the specification does not mention it.
  d.frameWidth = max(scaled, min(LEAST_SCALED_WIDTH, d.upscaledWidth));
  if (readFlag(reader)) readBits(reader, 32);
  if (<u64>d.upscaledWidth * <u64>d.frameHeight > MAX_SAMPLES) return Av1Fault.TOO_LARGE;
  d.miCols = ((d.frameWidth + 7) >> 3) << 1;
  d.miRows = ((d.frameHeight + 7) >> 3) << 1;
  d.superblockMi = d.use128x128 ? 32 : 16;
  d.superblockColumns = (d.miCols + d.superblockMi - 1) / d.superblockMi;
  d.superblockRows = (d.miRows + d.superblockMi - 1) / d.superblockMi;
  setPlaneSizes(d);
  return Av1Fault.NONE;
}

function setPlaneSizes(d: Decoder): void {
  d.y.width = d.frameWidth;
  d.y.height = d.frameHeight;
  d.y.subX = 0;
  d.y.subY = 0;
  d.y.finishedWidth = d.upscaledWidth;
  const chroma = d.u;
  chroma.width = (d.frameWidth + d.subX) >> d.subX;
  chroma.height = (d.frameHeight + d.subY) >> d.subY;
  chroma.subX = d.subX;
  chroma.subY = d.subY;
  chroma.finishedWidth = (d.upscaledWidth + d.subX) >> d.subX;
  memory.copy(changetype<usize>(d.v), changetype<usize>(chroma), offsetof<Plane>());
  for (let i = 0; i < 4; i++) {
    setQuad(d.unitColumns, i, 0);
    setQuad(d.unitRows, i, 0);
  }
}
