/**
 * Entropy-coded pixels of which only green varies, one byte each: alpha planes (WebP lossless bitstream
 * specification, section 6.2.3). There is no colour cache.
 */

import { LITERALS } from '../common/alphabets';
import { distanceOf } from '../common/reference';
import { BitReader, overrun, readBits, refill, wideLimit } from './bits';
import { copyPixels } from './copy';
import * as LosslessFault from './faults';
import { lookUp } from './huffman';
import { EntropyImage, groupAt } from './image';

/** Like `readRow`, with one byte per pixel. */
export function readGreenRow(image: EntropyImage, reader: BitReader): i32 {
  const row = image.rowAt;
  const rowEnd = row + image.width;
  const blockMask: i32 = image.blocks ? (1 << image.blockBits) - 1 : 0xffff;
  let out = row;
  if (image.copyLeft > 0) out = copyPixels(image, out, rowEnd, image.copyDistance, image.copyLeft);

  while (out < rowEnd) {
    const x = <i32>(out - row);
    const group = groupAt(image, x);
    const blockEnd = min(rowEnd, row + ((x | blockMask) + 1));
    const green = group.green;
    const greenMask = group.greenMask;
    const wide = wideLimit(reader);
    let bits = reader.bits;
    let count = reader.count;
    let next = reader.next;
    let symbol: u32 = 0;
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
      const entry = lookUp(green, greenMask, bits);
      bits >>= entry & 15;
      count -= entry & 15;
      symbol = entry >> 4;
      if (symbol >= <u32>LITERALS) break;
      store<u8>(out++, <u8>symbol);
    }
    reader.bits = bits;
    reader.count = count;
    reader.next = next;
    if (symbol < <u32>LITERALS) continue;

    const length = prefixed(reader, symbol - LITERALS);
    if (reader.count < 15) refill(reader);
    const entry = lookUp(group.distance, group.distanceMask, reader.bits);
    reader.bits >>= entry & 15;
    reader.count -= entry & 15;
    const distance = <u32>distanceOf(prefixed(reader, entry >> 4), image.width);
    const done = image.done + <u32>(out - row);
    if (distance > done || length > <u32>(image.width * image.height) - done) {
      return overrun(reader) ? LosslessFault.TRUNCATED : LosslessFault.BAD_REFERENCE;
    }
    out = copyPixels(image, out, rowEnd, distance, length);
  }
  return overrun(reader) ? LosslessFault.TRUNCATED : LosslessFault.NONE;
}

/** The value of a prefix and the extra bits after it (section 5.2.2). */
function prefixed(reader: BitReader, prefix: u32): u32 {
  if (prefix < 4) return prefix + 1;
  const extra = (prefix - 2) >> 1;
  return ((2 + (prefix & 1)) << extra) + readBits(reader, extra) + 1;
}
