/**
 * The JPEG decoder's exports: open and walk (read the headers), reserve (memory for one scale), start (begin
 * reading a band of columns), next (the rows that the next MCU row completes). Host side:
 * src/core/jpeg/decode.ts.
 */

import { alloc } from '../../memory';
import { createBitReader, startBits } from './bits';
import { finishCheckpoints, reserveCheckpoints, startCheckpoints } from './checkpoints';
import {
  BLOCKS_AT_ONCE,
  COLOUR_CMYK,
  COLOUR_GREY,
  COLOUR_INVERTED_CMYK,
  COLOUR_INVERTED_YCCK,
  COLOUR_RGB,
  COLOUR_YCBCR,
  ROW_UNFINISHED,
  SPACE_BY_MARKERS,
  SPACE_RGB,
} from './constants';
import * as JpegFault from './faults';
import { scaleFrame } from './frame';
import { clearCoefficients, decodeManyScansRow, reserveCoefficients } from './many_scans';
import { walkMarkers } from './markers';
import { allocatePlanes, carryRows, emitRows, padRows, readyRows, startPlanes } from './planes';
import { decodeSingleScanRow } from './single_scan';
import { reserveSkips } from './skip';
import { componentAt, createDecoder, Decoder, fail, predictionAt, Scan } from './state';
import { BLOCK_BYTES } from './zigzag';

/**
 * Opens the file at [at, at + length). Its headers are read afterwards, by jpegDecodeWalk.
 * @param space what three or four components mean: a SPACE of constants.ts
 * @returns the decoder; 0 when there is no memory for it
 */
export function jpegDecodeOpen(at: usize, length: usize, space: i32): usize {
  const decoder = createDecoder();
  if (decoder == null) return 0;
  decoder.input = at;
  decoder.inputEnd = at + length;
  decoder.walkedTo = at;
  decoder.space = space;
  return changetype<usize>(decoder);
}

/**
 * Reads headers, for a few milliseconds at most.
 * @returns whether there is more to read; when false, ask jpegDecodeFault whether it succeeded
 */
export function jpegDecodeWalk(decoderAt: usize): bool {
  const decoder = changetype<Decoder>(decoderAt);
  if (walkMarkers(decoder)) return true;
  if (decoder.fault === JpegFault.NONE && everyComponentCoded(decoder)) {
    decoder.colour = colourOf(decoder, decoder.space);
  }
  return false;
}

function everyComponentCoded(decoder: Decoder): bool {
  for (let i = 0; i < decoder.componentCount; i++) {
    if (load<i8>(componentAt(decoder, i).known) < 0) return fail(decoder, JpegFault.MISSING_COMPONENT, i + 1);
  }
  return true;
}

/**
 * Colour space by the markers, as libjpeg decides it (jdapimin.c, default_decompress_parms). Adobe stores
 * CMYK inverted, and so do programs that leave its marker out: browsers, libvips and Pillow show such files
 * as Adobe's. Inside a TIFF the file's tags say what the components are, whatever markers its data have, and
 * CMYK is stored as TIFF 6.0 section 16 defines it (libtiff, tif_jpeg.c, JPEGPreDecode).
 */
function colourOf(decoder: Decoder, space: i32): i32 {
  if (decoder.componentCount === 1) return COLOUR_GREY;
  if (decoder.componentCount === 4) {
    if (space !== SPACE_BY_MARKERS) return COLOUR_CMYK;
    const isYcck = decoder.sawAdobe && decoder.adobeTransform !== 0;
    return isYcck ? COLOUR_INVERTED_YCCK : COLOUR_INVERTED_CMYK;
  }
  if (space !== SPACE_BY_MARKERS) return space === SPACE_RGB ? COLOUR_RGB : COLOUR_YCBCR;
  if (decoder.sawJfif) return COLOUR_YCBCR;
  if (decoder.sawAdobe) return decoder.adobeTransform === 0 ? COLOUR_RGB : COLOUR_YCBCR;
  const spellsRgb =
    componentAt(decoder, 0).id === 0x52 &&
    componentAt(decoder, 1).id === 0x47 &&
    componentAt(decoder, 2).id === 0x42;
  return spellsRgb ? COLOUR_RGB : COLOUR_YCBCR;
}

/** The first fault met, 0 if none. */
export function jpegDecodeFault(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).fault;
}

/** What the fault is about: a marker, a count, a component. */
export function jpegDecodeFaultDetail(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).faultDetail;
}

/** Width as stored. */
export function jpegDecodeWidth(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).width;
}

/** Height as stored in the frame header or in a DNL segment. */
export function jpegDecodeHeight(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).height;
}

/** Components of the frame: 1, 3 or 4. */
export function jpegDecodeComponents(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).componentCount;
}

/** First pixel row (as stored) of the MCU row decoded last; error messages name it. */
export function jpegDecodeRowReached(decoderAt: usize): i32 {
  const decoder = changetype<Decoder>(decoderAt);
  if (decoder.fault === JpegFault.MISSING_EOI) return decoder.height;
  return max(0, decoder.mcuRow) * 8 * decoder.vMax;
}

/** What the samples are: a COLOUR of constants.ts. */
export function jpegDecodeColour(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).colour;
}

/** Sampling factors of a component: horizontal × 16 + vertical. */
export function jpegDecodeSampling(decoderAt: usize, index: i32): i32 {
  const component = componentAt(changetype<Decoder>(decoderAt), index);
  return (component.h << 4) | component.v;
}

/** Samples along one side of a component's block, at the reserved scale. */
export function jpegDecodeBlockSize(decoderAt: usize, index: i32): i32 {
  return componentAt(changetype<Decoder>(decoderAt), index).size;
}

/**
 * A component's samples after jpegDecodeRow: from the band's first MCU on, vertical factor × block size rows.
 */
export function jpegDecodePlane(decoderAt: usize, index: i32): usize {
  return componentAt(changetype<Decoder>(decoderAt), index).plane;
}

/** Bytes from one row of a component's samples to the next. */
export function jpegDecodePlaneStride(decoderAt: usize, index: i32): i32 {
  return componentAt(changetype<Decoder>(decoderAt), index).planeStride;
}

/**
 * Reserves all memory for reading at this scale.
 * @param size samples along a block's side: 8, or 4, 2 or 1 to shrink; with `keepsLow` also 5 and 3
 * @param keepsLow shrunk blocks keep their low frequencies, instead of averages of their samples
 * @param componentsOnly as in scaleFrame
 * @param checkpoints record checkpoints where possible, so that later bands of columns or rows are found
 * directly
 * @returns false when there is no memory
 */
export function jpegDecodeReserve(
  decoderAt: usize,
  size: i32,
  keepsLow: bool,
  componentsOnly: bool,
  checkpoints: bool,
): bool {
  const decoder = changetype<Decoder>(decoderAt);
  scaleFrame(decoder, size, keepsLow, componentsOnly);
  decoder.block = alloc(BLOCK_BYTES);
  if (!decoder.block) return false;
  memory.fill(decoder.block, 0, BLOCK_BYTES);
  let scan = decoder.firstScan;
  while (scan) {
    const reader = createBitReader(decoder.singleScan);
    if (reader == null) return false;
    scan.reader = reader;
    scan = scan.next;
  }
  if (decoder.singleScan && !reserveSkips(decoder, decoder.firstScan!)) return false;
  if (!decoder.singleScan && !reserveCoefficients(decoder)) return false;
  if (checkpoints && !reserveCheckpoints(decoder)) return false;
  return allocatePlanes(decoder);
}

/** Width at the reserved scale. */
export function jpegDecodeOutputWidth(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).outputWidth;
}

/** Height at the reserved scale. */
export function jpegDecodeOutputHeight(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).outputHeight;
}

/** Whether the following reads return CMYK instead of RGBA. Only affects files with four components. */
export function jpegDecodeKeepCmyk(decoderAt: usize, keeps: bool): void {
  const decoder = changetype<Decoder>(decoderAt);
  decoder.keepsCmyk = keeps && decoder.componentCount === 4;
}

/** Starts to read the columns [x, x + width) from the top. Ends any other read of this decoder. */
export function jpegDecodeStart(decoderAt: usize, x: i32, width: i32): void {
  const decoder = changetype<Decoder>(decoderAt);
  decoder.bandX = x;
  decoder.bandWidth = width;
  // The triangle filters read one subsampled sample, which is two pixels, on either side.
  decoder.firstMcu = max(0, x - 2) / decoder.mcuColumns;
  decoder.endMcu = min(decoder.mcusWide, (x + width + 1) / decoder.mcuColumns + 1);
  decoder.mcuRow = -1;
  decoder.nextScan = null;
  decoder.isPassed = false;
  decoder.readyFrom = 0;
  decoder.readyTo = 0;
  memory.fill(decoder.block, 0, BLOCK_BYTES);
  if (!decoder.singleScan) clearCoefficients(decoder);
  startCheckpoints(decoder);
  startPlanes(decoder);
  let scan = decoder.firstScan;
  while (scan) {
    startScan(scan);
    scan = scan.next;
  }
}

/**
 * After jpegDecodeStart: skips to row `y` if checkpoints were recorded, else stays at row 0. The rows made
 * next begin at `y` or a little before it.
 */
export function jpegDecodeSkipTo(decoderAt: usize, y: i32): void {
  const decoder = changetype<Decoder>(decoderAt);
  // The triangle filters read one row up, so the MCU row before is decoded too, but makes no pixels.
  const before = y / decoder.mcuRows - 1;
  if (!decoder.recorded || before < 1) return;
  decoder.mcuRow = before - 1;
  decoder.isPassed = true;
}

function startScan(scan: Scan): void {
  startBits(scan.reader, scan.dataStart, scan.dataEnd);
  scan.restartsLeft = scan.restartInterval;
  scan.nextRestart = 0;
  scan.eobRun = 0;
  for (let place = 0; place < 4; place++) store<i32>(predictionAt(scan, place), 0);
}

/**
 * Decodes the next MCU row into the planes, or a part of it.
 * @returns 1 when the row is complete; ROW_UNFINISHED if it takes another call; 0 at the image's end; −1 on a
 * fault
 */
export function jpegDecodeRow(decoderAt: usize): i32 {
  const decoder = changetype<Decoder>(decoderAt);
  if (decoder.fault !== JpegFault.NONE) return -1;
  if (decoder.nextScan == null) {
    if (decoder.mcuRow + 1 >= decoder.mcusHigh) {
      if (decoder.sawEoi) return 0;
      fail(decoder, JpegFault.MISSING_EOI);
      return -1;
    }
    if (decoder.mcuRow >= 0) carryRows(decoder);
    decoder.mcuRow++;
    decoder.nextScan = decoder.firstScan;
    decoder.nextPlace = 0;
  }
  decoder.blocksLeft = BLOCKS_AT_ONCE;
  if (decoder.singleScan ? !decodeSingleScanRow(decoder, decoder.firstScan!) : !decodeManyScansRow(decoder))
    return -1;
  if (decoder.nextScan != null) return ROW_UNFINISHED;
  if (decoder.mcuRow === decoder.mcusHigh - 1) finishCheckpoints(decoder);
  padRows(decoder);
  readyRows(decoder);
  return 1;
}

/**
 * Makes the next pixel rows, from the planes or after decoding another MCU row.
 * @returns the number of rows in the strip; ROW_UNFINISHED if that takes another call; 0 at the image's end;
 * −1 on a fault
 */
export function jpegDecodeNext(decoderAt: usize): i32 {
  const decoder = changetype<Decoder>(decoderAt);
  if (decoder.readyFrom === decoder.readyTo) {
    const more = jpegDecodeRow(decoderAt);
    if (more !== 1) return more;
    if (decoder.isPassed) {
      decoder.isPassed = false;
      decoder.readyFrom = decoder.readyTo;
      return ROW_UNFINISHED;
    }
  }
  return emitRows(decoder);
}

/** Bytes of the file that this read has consumed so far, summed over all scans. */
export function jpegDecodeTaken(decoderAt: usize): usize {
  let taken: usize = 0;
  let scan = changetype<Decoder>(decoderAt).firstScan;
  while (scan) {
    taken += scan.reader.source - scan.dataStart;
    scan = scan.next;
  }
  return taken;
}

/** The strip that jpegDecodeNext made: RGBA rows as wide as the band. */
export function jpegDecodeStrip(decoderAt: usize): usize {
  return changetype<Decoder>(decoderAt).strip;
}

/** The first row of that strip. */
export function jpegDecodeStripY(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).stripY;
}
