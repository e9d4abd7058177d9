/**
 * Entropy-coded bits (T.81 F.2.2.5). Stuffed zero bytes are removed, a chunk at a time, into a buffer that is
 * filled from its end downwards. So a little-endian load has the bits in their order, and the decoding loops
 * never look for markers.
 */

import { alloc, allocated } from '../../memory';
import * as JpegFault from './faults';
import { BitReader } from './state';

/**
 * Bytes that one block may take before `limit` is checked again: 64 symbols of at most 16 + 15 bits, plus one
 * correction bit per coefficient, rounded up. A whole MCU of an interleaved DC scan (10 × 31 bits) takes
 * less.
 */
const GUARD: i32 = 320;

/**
 * Bytes that may be read past the end of a segment: they are zero, and the overrun is found before the next
 * block.
 */
const SLACK: i32 = 16;

/** The most fill bytes before a marker inside a scan: passing over more would keep other jobs waiting. */
const MOST_FILL: usize = 1 << 20;

/** Bytes of a reader's buffer in addition to its capacity. */
const MARGIN: i32 = GUARD + 64;

/** Reverses a vector's bytes: WASM has no byte swap. */
const REVERSE: usize = memory.data<u8>([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], 16);
const ALL_ONES: usize = memory.data<u8>(
  [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255],
  16,
);

/**
 * Bytes un-stuffed at a time, with one scan and with several. Larger is a little faster, but every scan has
 * its own buffer.
 */
const SINGLE_CAPACITY: i32 = 8192;
const MANY_CAPACITY: i32 = 1024;

/** Bytes of one scan's reader. */
export function bitReaderBytes(singleScan: bool): usize {
  return allocated(offsetof<BitReader>()) + (singleScan ? SINGLE_CAPACITY : MANY_CAPACITY) + MARGIN;
}

/** @returns null without memory */
export function createBitReader(singleScan: bool): BitReader | null {
  const at = alloc(bitReaderBytes(singleScan));
  if (!at) return null;
  const reader = changetype<BitReader>(at);
  reader.capacity = singleScan ? SINGLE_CAPACITY : MANY_CAPACITY;
  reader.top = at + bitReaderBytes(singleScan);
  return reader;
}

/** Points the reader at the data [from, to): the bytes after SOS up to the marker that ends the scan. */
export function startBits(reader: BitReader, from: usize, to: usize): void {
  reader.source = from;
  reader.sourceEnd = to;
  reader.fault = JpegFault.NONE;
  reader.irregular = false;
  startSegment(reader);
}

/**
 * Continues at a checkpoint.
 * @param source where its chunk began
 * @param bits offset from there, in bits of un-stuffed data
 */
export function restartBitsAt(reader: BitReader, source: usize, bits: i32): void {
  reader.source = source;
  startSegment(reader);
  replenish(reader);
  let bytes = <usize>(bits >> 3);
  while (!reader.ended && reader.pos - bytes < reader.limit) {
    bytes -= reader.pos - reader.limit;
    reader.pos = reader.limit;
    replenish(reader);
  }
  reader.pos -= bytes;
  const used = bits & 7;
  if (used) {
    reader.acc = (<u64>load<u8>(--reader.pos)) << (<u64>(56 + used));
    reader.bits = 8 - used;
  }
}

/** Place in the file of the un-stuffed byte that lies `count` bytes before the byte at `source`. */
function walkBack(source: usize, count: i32): usize {
  while (count > 0) {
    // A zero after FF is stuffing: the two are one byte.
    source -= load<u8>(source - 1) === 0 && load<u8>(source - 2) === 0xff ? 2 : 1;
    count--;
  }
  return source;
}

function startSegment(reader: BitReader): void {
  reader.pos = reader.top;
  reader.limit = usize.MAX_VALUE;
  reader.rawEnd = reader.top;
  reader.ended = false;
  reader.chunkSource = reader.source;
  reader.chunkLead = 0;
  reader.acc = 0;
  reader.bits = 0;
}

/**
 * Copies entropy-coded bytes without their stuffing, from `out` down to `end`, until that is reached or a
 * marker comes.
 * @returns the address of the last byte written
 */
function unstuff(reader: BitReader, out: usize, end: usize): usize {
  const sourceEnd = reader.sourceEnd;
  let source = reader.source;
  const ones = v128.load(ALL_ONES);
  const reverse = v128.load(REVERSE);
  while (out > end) {
    if (source + 16 <= sourceEnd) {
      const bytes = v128.load(source);
      v128.store(out - 16, i8x16.swizzle(bytes, reverse));
      const mask = i8x16.bitmask(i8x16.eq(bytes, ones));
      if (!mask) {
        source += 16;
        out -= 16;
        continue;
      }
      const clean = ctz(mask);
      source += clean;
      out -= clean;
    } else if (source < sourceEnd && load<u8>(source) !== 0xff) {
      store<u8>(--out, load<u8>(source++));
      continue;
    } else if (source >= sourceEnd) {
      reader.ended = true;
      break;
    }
    // An FF: any number of them followed by a zero is one data byte FF (as libjpeg reads it); else it is a
    // marker.
    let after = source + 1;
    const most = min(sourceEnd, after + MOST_FILL);
    while (after < most && load<u8>(after) === 0xff) after++;
    if (after >= sourceEnd || load<u8>(after) !== 0) {
      reader.ended = true;
      break;
    }
    if (after > source + 1) reader.irregular = true;
    store<u8>(--out, 0xff);
    source = after + 1;
  }
  reader.source = source;
  return out;
}

/**
 * Un-stuffs more bytes, when `pos` is below `limit`.
 * @returns false when the segment had already ended: more was read than there is
 */
export function replenish(reader: BitReader): bool {
  if (reader.ended) {
    reader.fault = JpegFault.ENTROPY_ENDED;
    return false;
  }
  const top = reader.top;
  const kept = reader.pos - reader.rawEnd;
  if (reader.tracked) {
    reader.chunkLead = (reader.bits + 7) >> 3;
    reader.chunkSource = walkBack(reader.source, <i32>kept + reader.chunkLead);
  }
  memory.copy(top - kept, reader.rawEnd, kept);
  reader.pos = top;
  const rawEnd = unstuff(reader, top - kept, top - reader.capacity);
  reader.rawEnd = rawEnd;
  if (reader.ended) v128.store(rawEnd - SLACK, i64x2.splat(0));
  reader.limit = reader.ended ? rawEnd - SLACK : rawEnd + GUARD;
  return true;
}

/**
 * At least 56 of the next bits, left-aligned. Those beyond the first `bits` are not counted yet, but are the
 * right ones.
 */
// @inline
export function refilled(acc: u64, bits: i32, pos: usize): u64 {
  return acc | (load<u64>(pos - 8) >> <u64>bits);
}

/** How many bytes to lower `pos` by after `refilled`, where the number of bits becomes `bits | 56`. */
// @inline
export function refillBytes(bits: i32): usize {
  return <usize>((63 - bits) >> 3);
}

/**
 * Unused bits of the segment; negative when more were read than there are. Only meaningful at a segment's
 * end.
 */
export function bitsLeft(reader: BitReader): i32 {
  return ((<i32>(reader.pos - reader.rawEnd)) << 3) + reader.bits;
}

/**
 * Ends a segment: all of it must have been used, except the padding of the last byte.
 * @param tolerance bytes that may be left over
 */
export function finishSegment(reader: BitReader, tolerance: i32): bool {
  if (!reader.ended) replenish(reader);
  const left = bitsLeft(reader);
  if (left < 0) {
    reader.fault = JpegFault.ENTROPY_ENDED;
    return false;
  }
  if (!reader.ended || left >> 3 > tolerance) {
    reader.fault = JpegFault.ENTROPY_LEFT_OVER;
    return false;
  }
  return true;
}

/**
 * Bytes that may be left over before a restart marker. libjpeg and browsers skip any number of them
 * (jdmarker.c, next_marker); data of an interval that broke off early leave more.
 */
const RESTART_TOLERANCE: i32 = 16;

/** Ends a restart interval and reads the marker RSTn that must follow (T.81 E.2.4). @param which n, 0 to 7 */
export function passRestart(reader: BitReader, which: i32): bool {
  if (!finishSegment(reader, RESTART_TOLERANCE)) return false;
  let at = reader.source;
  const most = min(reader.sourceEnd, at + MOST_FILL);
  while (at < most && load<u8>(at) === 0xff) at++;
  if (at >= reader.sourceEnd || at === reader.source || load<u8>(at) !== 0xd0 + which) {
    reader.fault = JpegFault.RESTART_MISSING;
    return false;
  }
  reader.source = at + 1;
  startSegment(reader);
  return true;
}
