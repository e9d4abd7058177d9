/**
 * The JPEG decoder's exports: open (headers), reserve (memory for one scale), start (a read of a band of
 * columns), next (the rows that one more MCU row completes). Host side: src/core/jpeg/decode.ts.
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
 * Opens the file at [at, at + length), whose headers jpegDecodeWalk then reads.
 * @param space a SPACE of constants.ts: what three or four components mean
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
 * Reads headers, up to a few milliseconds' worth.
 * @returns whether there are more; else jpegDecodeFault is to be asked
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
 * libjpeg's interpretation of the markers (jdapimin.c, default_decompress_parms). Adobe stores CMYK inverted,
 * and so do programs that leave the marker out: browsers, libvips and Pillow show such files as Adobe's.
 * Inside a TIFF, where the file's tags say what the components are, CMYK is as its section 16 has it.
 */
function colourOf(decoder: Decoder, space: i32): i32 {
  if (decoder.componentCount === 1) return COLOUR_GREY;
  if (decoder.componentCount === 4) {
    if (!decoder.sawAdobe) return space === SPACE_BY_MARKERS ? COLOUR_INVERTED_CMYK : COLOUR_CMYK;
    return decoder.adobeTransform === 0 ? COLOUR_INVERTED_CMYK : COLOUR_INVERTED_YCCK;
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

/** Height as stored, or as DNL gives it. */
export function jpegDecodeHeight(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).height;
}

/** Components of the frame: 1, 3 or 4. */
export function jpegDecodeComponents(decoderAt: usize): i32 {
  return changetype<Decoder>(decoderAt).componentCount;
}

/** The row, as stored, where the MCU row that was decoded last begins: what a fault's message names. */
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

/** Samples a block side of a component, at the reserved scale. */
export function jpegDecodeBlockSize(decoderAt: usize, index: i32): i32 {
  return componentAt(changetype<Decoder>(decoderAt), index).size;
}

/**
 * After jpegDecodeRow: a component's samples, from the band's first MCU on; vertical factor × 8 / scale rows.
 */
export function jpegDecodePlane(decoderAt: usize, index: i32): usize {
  return componentAt(changetype<Decoder>(decoderAt), index).plane;
}

/** Bytes from one row of a component's samples to the next. */
export function jpegDecodePlaneStride(decoderAt: usize, index: i32): i32 {
  return componentAt(changetype<Decoder>(decoderAt), index).planeStride;
}

/**
 * Reserves all that reading at this scale takes.
 * @param size samples a block side: 8, or 4, 2 or 1 to shrink; 5 and 3, too, where `keepsLow`
 * @param keepsLow what is shrunk keeps its low frequencies, in place of averages
 * @param componentsOnly as scaleFrame has it
 * @param checkpoints are recorded where they can be: later bands of columns or rows are then found directly
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

/** Whether the reads that follow give CMYK instead of RGBA; for files of four components. */
export function jpegDecodeKeepCmyk(decoderAt: usize, keeps: bool): void {
  const decoder = changetype<Decoder>(decoderAt);
  decoder.keepsCmyk = keeps && decoder.componentCount === 4;
}

/** Starts to read the columns [x, x + width), from the top; ends any other read of this decoder. */
export function jpegDecodeStart(decoderAt: usize, x: i32, width: i32): void {
  const decoder = changetype<Decoder>(decoderAt);
  decoder.bandX = x;
  decoder.bandWidth = width;
  // The triangle filters look one subsampled sample, two pixels, to either side.
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
 * After jpegDecodeStart: goes on to row `y` where checkpoints tell how. The rows that are made then begin at
 * `y` or a little before it; at row 0 where there are no checkpoints.
 */
export function jpegDecodeSkipTo(decoderAt: usize, y: i32): void {
  const decoder = changetype<Decoder>(decoderAt);
  // The triangle filters look one row up: the MCU row before is decoded, too, but no pixels are made of it.
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
 * Decodes one more MCU row into the planes, or a part of it.
 * @returns 1; ROW_UNFINISHED where the row takes another call; 0 at the image's end; −1 on a fault
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
 * Makes the next pixel rows, from the planes or from one more MCU row.
 * @returns how many rows stand in the strip; ROW_UNFINISHED where that takes another call; 0 at the image's
 * end; −1 on a fault
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

/** Bytes of the file that this reading has taken so far, of all scans. */
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
