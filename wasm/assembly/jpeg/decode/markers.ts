/**
 * Walks over a file's markers (T.81 Annex B): checks every segment and notes every scan before a sample is
 * decoded.
 */
import { bigEndian16 } from './big_endian';
import * as JpegFault from './faults';
import { layOutFrame, readFrame } from './frame';
import { addScan } from './scans';
import { Decoder, fail } from './state';

const ALL_ONES: usize = memory.data<u8>(
  [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255],
  16,
);

/**
 * Bytes and markers that one call walks over: a file may consist of little else, and other jobs wait
 * meanwhile.
 */
const BYTES_AT_ONCE: usize = 1 << 24;
const MARKERS_AT_ONCE: i32 = 1 << 18;
/** How many skipped markers take as long as one segment, which is parsed. */
const SEGMENT_MARKERS: i32 = 8;
/** Bytes that one call examines one by one. */
const PASSED_AT_ONCE: usize = 1 << 20;

/** How many more markers may be passed before the walk pauses, and the byte where it pauses. */
let markersLeft: i32 = 0;
let stop: usize = 0;

/**
 * Finds the marker that ends entropy-coded data; stuffed zeros, restarts and fill bytes are skipped.
 * @returns its address, or `end` if there is none; if `markersLeft` is 0 or less, where the walk paused
 */
function entropyEnd(at: usize, end: usize): usize {
  const ones = v128.load(ALL_ONES);
  while (at < end) {
    if (markersLeft <= 0) return at;
    if (at + 16 <= end) {
      const mask = i8x16.bitmask(i8x16.eq(v128.load(at), ones));
      if (!mask) {
        at += 16;
        if (at >= stop) markersLeft = 0;
        continue;
      }
      at += ctz(mask);
    } else if (load<u8>(at) !== 0xff) {
      at++;
      continue;
    }
    let after = at + 1;
    while (after < end && load<u8>(after) === 0xff) after++;
    if (after >= end) return end;
    const marker = <i32>load<u8>(after);
    if (marker !== 0 && (marker & 0xf8) !== 0xd0) return at;
    markersLeft -= 1 + <i32>((after - at) >> 2);
    at = after + 1;
  }
  return end;
}

/**
 * Continues the walk, one part per call. At the end, the frame is laid out and every scan knows where its
 * data are.
 * @returns whether there is more; false also on a fault
 */
export function walkMarkers(decoder: Decoder): bool {
  const end = decoder.inputEnd;
  let at = decoder.walkedTo;
  markersLeft = MARKERS_AT_ONCE;
  stop = at + BYTES_AT_ONCE;
  if (at === decoder.input) {
    if (end - at < 4 || load<u8>(at) !== 0xff || load<u8>(at, 1) !== 0xd8)
      return fail(decoder, JpegFault.NO_SOI);
    at += 2;
  }
  while (at < end || decoder.scanBody !== 0) {
    if (decoder.scanBody !== 0) {
      const dataEnd = entropyEnd(at, end);
      if (markersLeft <= 0) return goesOn(decoder, dataEnd);
      if (!findHeight(decoder, dataEnd)) return false;
      if (!addScan(decoder, decoder.scanBody, decoder.scanData, dataEnd)) return false;
      decoder.scanBody = 0;
      at = dataEnd;
      continue;
    }
    // Fill bytes before a marker are legal (B.1.1.2). Other bytes there are skipped, as every decoder does.
    const marked = at;
    while (at < end && load<u8>(at) !== 0xff && at - marked < PASSED_AT_ONCE) at++;
    if (at < end && load<u8>(at) !== 0xff) return goesOn(decoder, at);
    while (at < end && load<u8>(at) === 0xff && at - marked < PASSED_AT_ONCE) at++;
    if (at >= end) break;
    if (load<u8>(at) === 0xff || --markersLeft <= 0) return goesOn(decoder, at - 1);
    const marker = <i32>load<u8>(at++);
    if (marker === 0 || marker === 0x01 || (marker & 0xf8) === 0xd0) continue;
    if (marker === 0xd9) {
      decoder.sawEoi = true;
      break;
    }
    if (marker < 0xc0 || marker === 0xd8 || (marker >= 0xf0 && marker <= 0xfd)) {
      return fail(decoder, JpegFault.UNKNOWN_MARKER, marker);
    }
    if (end - at < 2) break;
    let length = <usize>bigEndian16(at);
    // A length includes its own two bytes. A smaller one is read as "empty" if the segment is not used
    // anyway.
    if (length < 2 && isSkipped(marker)) length = 2;
    if (length < 2 || length > end - at) return fail(decoder, JpegFault.SEGMENT_OVERRUN, marker);
    const body = at + 2;
    at += length;
    markersLeft -= SEGMENT_MARKERS;
    if (marker === 0xda) {
      decoder.scanBody = body;
      decoder.scanData = at;
    } else if (!readSegment(decoder, marker, body, at)) {
      return false;
    }
  }
  if (decoder.firstScan == null) fail(decoder, JpegFault.NO_SCAN);
  return false;
}

/** Leaves the rest of the file to the next call. */
function goesOn(decoder: Decoder, at: usize): bool {
  decoder.walkedTo = at;
  return true;
}

/** Segments that are not used: APPn, COM, and DNL when the height is known. */
function isSkipped(marker: i32): bool {
  return (marker & 0xf0) === 0xe0 || marker === 0xfe || marker === 0xdc;
}

function readSegment(decoder: Decoder, marker: i32, at: usize, end: usize): bool {
  switch (marker) {
    case 0xc4:
      return readHuffmanTables(decoder, at, end);
    case 0xdb:
      return readQuantTables(decoder, at, end);
    case 0xdd:
      if (end - at !== 2) return fail(decoder, JpegFault.BAD_DRI);
      decoder.restartInterval = bigEndian16(at);
      return true;
    case 0xe0:
      // "JFIF\0" (T.871 section 10.1)
      if (
        decoder.firstScan == null &&
        end - at >= 12 &&
        load<u32>(at) === 0x4649464a &&
        load<u8>(at, 4) === 0
      ) {
        decoder.sawJfif = true;
      }
      return true;
    case 0xee:
      // "Adobe", version, two flags, transform (Adobe TN 5116, section 18)
      if (
        decoder.firstScan == null &&
        end - at >= 12 &&
        load<u32>(at) === 0x626f6441 &&
        load<u8>(at, 4) === 0x65
      ) {
        decoder.sawAdobe = true;
        decoder.adobeTransform = load<u8>(at, 11);
      }
      return true;
    case 0xcc:
      return fail(decoder, JpegFault.ARITHMETIC, marker);
    case 0xde:
    case 0xdf:
      return fail(decoder, JpegFault.HIERARCHICAL, marker);
    case 0xc8:
      return fail(decoder, JpegFault.UNKNOWN_MARKER, marker);
  }
  if (marker >= 0xc0 && marker <= 0xcf) {
    // The height may be 0 here: then DNL gives it after the first scan.
    if (!readFrame(decoder, marker, at, end)) return false;
    if (decoder.height > 0) layOutFrame(decoder);
  }
  return true;
}

/** A frame of 0 lines has its height in a DNL segment right after the first scan (T.81 B.2.5). */
function findHeight(decoder: Decoder, at: usize): bool {
  if (decoder.componentCount === 0) return fail(decoder, JpegFault.BAD_FRAME);
  if (decoder.height > 0) return true;
  const end = decoder.inputEnd;
  while (at < end && load<u8>(at) === 0xff) at++;
  if (end - at < 5 || load<u8>(at) !== 0xdc || bigEndian16(at + 1) !== 4)
    return fail(decoder, JpegFault.MISSING_LINES);
  decoder.height = bigEndian16(at + 3);
  if (decoder.height === 0) return fail(decoder, JpegFault.MISSING_LINES);
  layOutFrame(decoder);
  return true;
}

/**
 * Notes the address of each table in a DHT segment (B.2.4.2). A scan uses the latest definitions before it.
 */
function readHuffmanTables(decoder: Decoder, at: usize, end: usize): bool {
  while (at < end) {
    if (end - at < 17) return fail(decoder, JpegFault.BAD_HUFFMAN_TABLE);
    const selector = <i32>load<u8>(at++);
    let count: usize = 0;
    for (let i: usize = 0; i < 16; i++) count += load<u8>(at + i);
    if (selector > 0x1f || (selector & 15) > 3 || count > 256 || count > end - at - 16) {
      return fail(decoder, JpegFault.BAD_HUFFMAN_TABLE);
    }
    const slot = <usize>((selector >> 4) * 4 + (selector & 15));
    store<usize>(decoder.huffmanAt + slot * sizeof<usize>(), at);
    at += 16 + count;
  }
  return true;
}

/** Notes the address of each table in a DQT segment, at its Pq/Tq byte (B.2.4.1). */
function readQuantTables(decoder: Decoder, at: usize, end: usize): bool {
  while (at < end) {
    const selector = <i32>load<u8>(at);
    const bytes: usize = selector >> 4 ? 128 : 64;
    if (selector >> 4 > 1 || (selector & 15) > 3 || end - at < 1 + bytes) {
      return fail(decoder, JpegFault.BAD_QUANT_TABLE);
    }
    store<usize>(decoder.quantAt + <usize>(selector & 15) * sizeof<usize>(), at);
    at += 1 + bytes;
  }
  return true;
}
