/** Reads entropy-coded pixels of four channels (WebP lossless bitstream specification, section 6.2.3). */

import { LENGTH_PREFIXES, LITERALS } from '../common/alphabets';
import { distanceOf } from '../common/reference';
import { BitReader, overrun, refill, wideLimit } from './bits';
import { enterPixels } from './cache';
import { copyPixels } from './copy';
import * as LosslessFault from './faults';
import { lookUp } from './huffman';
import { EntropyImage, groupAt } from './image';

/** The first symbol that stands for a colour of the cache. */
const FIRST_CACHED: u32 = LITERALS + LENGTH_PREFIXES;
/** The most bits of a distance: a codeword and its extra bits. */
const DISTANCE_BITS: u32 = 15 + 18;

/**
 * Reads the next row to `image.rowAt`, as ARGB words. The caller must call `nextRow`.
 * @returns a LosslessFault
 */
export function readRow(image: EntropyImage, reader: BitReader): i32 {
  const row = image.rowAt;
  const rowEnd = row + ((<usize>image.width) << 2);
  const blockMask: i32 = image.blocks ? (1 << image.blockBits) - 1 : 0xffff;
  const cache = image.cache;
  const cacheBits = image.cacheBits;
  const wide = wideLimit(reader);
  let bits = reader.bits;
  let count = reader.count;
  let next = reader.next;
  let entered = row;
  let out = row;
  if (image.copyLeft > 0) out = copyPixels(image, out, rowEnd, image.copyDistance, image.copyLeft);

  while (out < rowEnd) {
    const x = <i32>((out - row) >> 2);
    const group = groupAt(image, x);
    const blockEnd = min(rowEnd, row + ((<usize>(x | blockMask) + 1) << 2));
    const green = group.green;
    const greenMask = group.greenMask;
    const red = group.red;
    const redMask = group.redMask;
    const blue = group.blue;
    const blueMask = group.blueMask;
    const alpha = group.alpha;
    const alphaMask = group.alphaMask;
    const greenOnly = group.greenOnly;
    const base = group.base;

    while (out < blockEnd) {
      if (next <= wide) {
        bits |= load<u64>(next) << count;
        next += (63 - count) >> 3;
        count |= 56;
      } else {
        reader.bits = bits;
        reader.count = count;
        reader.next = next;
        refill(reader);
        bits = reader.bits;
        count = reader.count;
        next = reader.next;
      }
      let entry = lookUp(green, greenMask, bits);
      bits >>= entry & 15;
      count -= entry & 15;
      const symbol = entry >> 4;
      if (symbol < <u32>LITERALS) {
        if (greenOnly) {
          store<u32>(out, base | (symbol << 8));
          out += 4;
          continue;
        }
        let pixel = symbol << 8;
        entry = lookUp(red, redMask, bits);
        bits >>= entry & 15;
        count -= entry & 15;
        pixel |= (entry >> 4) << 16;
        entry = lookUp(blue, blueMask, bits);
        bits >>= entry & 15;
        count -= entry & 15;
        pixel |= entry >> 4;
        if (count < 15) {
          // Rare: three codewords with more than 41 bits together.
          reader.bits = bits;
          reader.count = count;
          reader.next = next;
          refill(reader);
          bits = reader.bits;
          count = reader.count;
          next = reader.next;
        }
        entry = lookUp(alpha, alphaMask, bits);
        bits >>= entry & 15;
        count -= entry & 15;
        store<u32>(out, pixel | ((entry >> 4) << 24));
        out += 4;
      } else if (symbol >= FIRST_CACHED) {
        enterPixels(cache, cacheBits, entered, out);
        entered = out;
        store<u32>(out, load<u32>(cache + ((symbol - FIRST_CACHED) << 2)));
        out += 4;
      } else {
        let length = symbol - LITERALS + 1;
        if (length > 4) {
          const extra = (length - 3) >> 1;
          length = ((2 + ((length - 1) & 1)) << extra) + (<u32>bits & ((1 << extra) - 1)) + 1;
          bits >>= extra;
          count -= extra;
        }
        if (count < DISTANCE_BITS) {
          reader.bits = bits;
          reader.count = count;
          reader.next = next;
          refill(reader);
          bits = reader.bits;
          count = reader.count;
          next = reader.next;
        }
        entry = lookUp(group.distance, group.distanceMask, bits);
        bits >>= entry & 15;
        count -= entry & 15;
        let code = (entry >> 4) + 1;
        if (code > 4) {
          const extra = (code - 3) >> 1;
          code = ((2 + ((code - 1) & 1)) << extra) + (<u32>bits & ((1 << extra) - 1)) + 1;
          bits >>= extra;
          count -= extra;
        }
        const distance = <u32>distanceOf(code, image.width);
        const done = image.done + <u32>((out - row) >> 2);
        if (distance > done || length > <u32>(image.width * image.height) - done) {
          reader.count = count;
          reader.next = next;
          return overrun(reader) ? LosslessFault.TRUNCATED : LosslessFault.BAD_REFERENCE;
        }
        out = copyPixels(image, out, rowEnd, distance, length);
      }
    }
  }
  if (cacheBits > 0) enterPixels(cache, cacheBits, entered, rowEnd);
  reader.bits = bits;
  reader.count = count;
  reader.next = next;
  return overrun(reader) ? LosslessFault.TRUNCATED : LosslessFault.NONE;
}
