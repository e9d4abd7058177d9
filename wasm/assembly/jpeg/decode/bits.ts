/**
 * Entropy-coded bits (T.81 F.2.2.5). Stuffed zero bytes are dropped a chunk at a time into a buffer of
 * big-endian words, so that the decoding loops take 32 bits with one load and never look at a marker.
 */

import { alloc, allocated } from '../../memory';
import * as JpegFault from './faults';
import { BitReader } from './state';

/**
 * Bytes one block may take before the next look at `limit`: 64 symbols of at most 16 + 15 bits, plus one
 * correction bit for each coefficient, rounded up. An interleaved DC scan's whole MCU (10 × 31 bits) is less.
 */
const GUARD: i32 = 320;

/** Reads past the end of a segment are harmless up to here, and are found out before the next block. */
const SLACK: i32 = 16;

/** Fill bytes that may stand before a marker inside a scan: more would keep others waiting. */
const MOST_FILL: usize = 1 << 20;

/** Bytes of one reader's buffer beside its capacity. */
const MARGIN: i32 = GUARD + 64;

/** Byte order of four words reversed: WASM has no byte swap. */
const SWAP: usize = memory.data<u8>([3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12], 16);
const ALL_ONES: usize = memory.data<u8>(
  [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255],
  16,
);

/**
 * Bytes un-stuffed at a time, where there is one scan and where there are many: larger is a little faster,
 * each scan has its own.
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
  reader.buffer = at + allocated(offsetof<BitReader>());
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
 * Goes on at a checkpoint.
 * @param source where its chunk began, @param bits how many bits of un-stuffed data after that
 */
export function restartBitsAt(reader: BitReader, source: usize, bits: i32): void {
  reader.source = source;
  startSegment(reader);
  replenish(reader);
  let words = <usize>(bits >> 5);
  while (!reader.ended && reader.buffer + words * 4 > reader.limit) {
    reader.pos = reader.limit & ~3;
    words -= (reader.pos - reader.buffer) >> 2;
    replenish(reader);
  }
  reader.pos = reader.buffer + words * 4;
  const used = bits & 31;
  if (used) {
    reader.acc = ((<u64>load<u32>(reader.pos)) << 32) << (<u64>used);
    reader.bits = 32 - used;
    reader.pos += 4;
  }
}

/** Where in the file the un-stuffed byte stands that is `count` bytes before the byte at `source`. */
function walkBack(source: usize, count: i32): usize {
  while (count > 0) {
    // A zero after FF is stuffing: the two are one byte.
    source -= load<u8>(source - 1) === 0 && load<u8>(source - 2) === 0xff ? 2 : 1;
    count--;
  }
  return source;
}

function startSegment(reader: BitReader): void {
  reader.pos = reader.buffer;
  reader.limit = 0;
  reader.swappedEnd = reader.buffer;
  reader.rawEnd = reader.buffer;
  reader.ended = false;
  reader.chunkSource = reader.source;
  reader.chunkLead = 0;
  reader.acc = 0;
  reader.bits = 0;
}

/** Copies entropy-coded bytes to [out, end) without their stuffing until that is full or a marker comes. */
function unstuff(reader: BitReader, out: usize, end: usize): usize {
  const sourceEnd = reader.sourceEnd;
  let source = reader.source;
  const ones = v128.load(ALL_ONES);
  while (out < end) {
    if (source + 16 <= sourceEnd) {
      const bytes = v128.load(source);
      v128.store(out, bytes);
      const mask = i8x16.bitmask(i8x16.eq(bytes, ones));
      if (!mask) {
        source += 16;
        out += 16;
        continue;
      }
      const clean = ctz(mask);
      source += clean;
      out += clean;
    } else if (source < sourceEnd && load<u8>(source) !== 0xff) {
      store<u8>(out++, load<u8>(source++));
      continue;
    } else if (source >= sourceEnd) {
      reader.ended = true;
      break;
    }
    // At an FF: any number of them and a zero are one data byte FF (as libjpeg reads it); else it is a
    // marker.
    let after = source + 1;
    const most = min(sourceEnd, after + MOST_FILL);
    while (after < most && load<u8>(after) === 0xff) after++;
    if (after >= sourceEnd || load<u8>(after) !== 0) {
      reader.ended = true;
      break;
    }
    if (after > source + 1) reader.irregular = true;
    store<u8>(out++, 0xff);
    source = after + 1;
  }
  reader.source = source;
  return out;
}

/**
 * Gets more bytes when `pos` has passed `limit`.
 * @returns false when the segment's data were used up before: more was read than there is
 */
export function replenish(reader: BitReader): bool {
  if (reader.ended) {
    reader.fault = JpegFault.ENTROPY_ENDED;
    return false;
  }
  const buffer = reader.buffer;
  const kept = reader.rawEnd - reader.pos;
  if (reader.tracked) {
    reader.chunkLead = (reader.bits + 7) >> 3;
    reader.chunkSource = walkBack(reader.source, <i32>kept + reader.chunkLead);
  }
  memory.copy(buffer, reader.pos, kept);
  let swapped = buffer + (reader.swappedEnd - reader.pos);
  reader.pos = buffer;
  const rawEnd = unstuff(reader, buffer + kept, buffer + reader.capacity);
  reader.rawEnd = rawEnd;
  if (reader.ended) {
    store<u64>(rawEnd, 0);
    store<u64>(rawEnd + 8, 0);
  }
  const swap = v128.load(SWAP);
  const wholeWords = reader.ended ? (rawEnd + 3) & ~3 : rawEnd & ~3;
  while (swapped + 16 <= wholeWords) {
    v128.store(swapped, i8x16.swizzle(v128.load(swapped), swap));
    swapped += 16;
  }
  while (swapped < wholeWords) {
    store<u32>(swapped, bswap<u32>(load<u32>(swapped)));
    swapped += 4;
  }
  reader.swappedEnd = swapped;
  reader.limit = reader.ended ? swapped + SLACK : swapped - GUARD;
  return true;
}

/**
 * Bits of the segment not used yet; negative when more was taken than there was. Only meaningful at a
 * segment's end.
 */
export function bitsLeft(reader: BitReader): i32 {
  return ((<i32>(reader.rawEnd - reader.pos)) << 3) + reader.bits;
}

/**
 * Ends a segment: all of it must have been used but for the padding of the last byte.
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

/** Ends an interval and passes the marker RSTn that must follow (T.81 E.2.4). @param which n, 0 to 7 */
export function passRestart(reader: BitReader, which: i32): bool {
  if (!finishSegment(reader, 0)) return false;
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
