/** The frame header of a shown key frame (sections 5.9 and 6.8); other frames are no still pictures. */
import * as Av1Fault from '../faults';
import { Plane, setQuad } from '../frame';
import { Decoder } from '../state';
import { BitReader, readBit, readBits, readFlag } from './bits';
import { readCdef, readLoopFilter, readRestoration } from './filters';
import { readFilmGrain } from './grain';
import { readDeltas, readQuantisation, readSegmentation, setLossless } from './quantisation';
import { SELECT } from './sequence';
import { readTileInfo } from './tiles';

const KEY_FRAME: u32 = 0;
/** Samples of the largest picture that is read: far beyond what any memory here could hold. */
const MAX_SAMPLES: u64 = 1 << 28;

/** Reads uncompressed_header(). @returns an error of faults.ts, 0 if none */
export function readFrameHeader(d: Decoder, reader: BitReader): i32 {
  if (!d.reducedHeader) {
    if (readFlag(reader)) return Av1Fault.NOT_KEY_FRAME;
    const type = readBits(reader, 2);
    const shown = readFlag(reader);
    if (type !== KEY_FRAME || !shown) return Av1Fault.NOT_KEY_FRAME;
    if (d.decoderModelInfo && !d.equalPictureInterval) readBits(reader, d.presentationTimeBits);
  }
  d.disableCdfUpdate = readFlag(reader);
  d.allowScreenContentTools =
    d.forceScreenContentTools === SELECT ? readFlag(reader) : d.forceScreenContentTools > 0;
  if (d.allowScreenContentTools && d.forceIntegerMv === SELECT) readBit(reader);
  readBits(reader, d.frameIdBits);
  const overridden = !d.reducedHeader && readFlag(reader);
  readBits(reader, d.orderHintBits);
  if (d.decoderModelInfo && readFlag(reader)) skipRemovalTimes(d, reader);
  const fault = readFrameSize(d, reader, overridden);
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

/** buffer_removal_time of the operating points that this frame belongs to. */
function skipRemovalTimes(d: Decoder, reader: BitReader): void {
  for (let i = 0; i < d.operatingPoints; i++) {
    const entry = d.operatingPointTable + ((<usize>i) << 2);
    const idc = <i32>load<u16>(entry);
    const inLayers = ((idc >> d.temporalId) & 1) !== 0 && ((idc >> (d.spatialId + 8)) & 1) !== 0;
    if (load<u16>(entry, 2) && (idc === 0 || inLayers)) readBits(reader, d.bufferRemovalTimeBits);
  }
}

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
  d.frameWidth = (d.upscaledWidth * 8 + (d.superresDenom >> 1)) / d.superresDenom;
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
