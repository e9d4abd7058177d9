/** Huffman decoding of sequential blocks (T.81 F.2.2): baseline and extended, 8 bits a sample. */

import { refillBytes, refilled, replenish } from './bits';
import * as JpegFault from './faults';
import { extend, LOOKUP_SHIFT, longCode } from './huffman';
import { SKIP_SHIFT } from './skip';
import { BitReader } from './state';
import { ZIGZAG } from './zigzag';

/** What decodeBlock returns when the data make no sense; the reader's fault says what. */
export const NO_BLOCK: i32 = 0;

/**
 * Decodes one block into `block` (BLOCK_BYTES, zeroed), in natural order, not dequantised.
 * @param prediction address of the component's DC prediction, an i32
 * @param last place in zigzag order of the last coefficient that is needed; one behind it may be there, too
 * @param skip table for passing over the others (skip.ts); unused where `last` is 63
 * @returns how many coefficients in zigzag order may be other than zero, 1 to 64; NO_BLOCK on a fault
 */
export function decodeBlock(
  reader: BitReader,
  block: usize,
  dc: usize,
  ac: usize,
  prediction: usize,
  last: i32,
  skip: usize,
): i32 {
  if (reader.pos < reader.limit && !replenish(reader)) return NO_BLOCK;
  let pos = reader.pos;
  let acc = reader.acc;
  let bits = reader.bits;

  acc = refilled(acc, bits, pos);
  pos -= refillBytes(bits);
  bits |= 56;
  let entry = load<u32>(dc + <usize>((acc >> LOOKUP_SHIFT) << 2));
  let difference: i32 = 0;
  if (entry & 63) {
    acc <<= <u64>entry;
    bits -= entry & 63;
    difference = <i32>entry >> 16;
  } else {
    if (!(entry >> 20)) entry = longCode(dc, <i32>(acc >> 48));
    if (!entry) {
      badCode(reader);
      return NO_BLOCK;
    }
    const length = entry >> 20;
    const size = (entry >> 16) & 15;
    acc <<= <u64>length;
    if (size) {
      difference = extend(<i32>(acc >> <u64>(64 - size)), size);
      acc <<= <u64>size;
    }
    bits -= length + size;
  }
  const value = load<i32>(prediction) + difference;
  store<i32>(prediction, value);
  store<i16>(block, <i16>value);

  let k: i32 = 1;
  while (k <= last) {
    acc = refilled(acc, bits, pos);
    pos -= refillBytes(bits);
    bits |= 56;
    // Three answered symbols take at most 30 bits, a longer one 31.
    entry = load<u32>(ac + <usize>((acc >> LOOKUP_SHIFT) << 2));
    if (entry & 63) {
      acc <<= <u64>entry;
      bits -= entry & 63;
      k += (entry >> 8) & 255;
      store<i16>(block + load<u8>(ZIGZAG + k), <i16>(<i32>entry >> 16));
      if (++k > last) break;
      entry = load<u32>(ac + <usize>((acc >> LOOKUP_SHIFT) << 2));
      if (entry & 63) {
        acc <<= <u64>entry;
        bits -= entry & 63;
        k += (entry >> 8) & 255;
        store<i16>(block + load<u8>(ZIGZAG + k), <i16>(<i32>entry >> 16));
        if (++k > last) break;
        entry = load<u32>(ac + <usize>((acc >> LOOKUP_SHIFT) << 2));
        if (entry & 63) {
          acc <<= <u64>entry;
          bits -= entry & 63;
          k += (entry >> 8) & 255;
          store<i16>(block + load<u8>(ZIGZAG + k), <i16>(<i32>entry >> 16));
          if (++k > last) break;
          continue;
        }
      }
      acc = refilled(acc, bits, pos);
      pos -= refillBytes(bits);
      bits |= 56;
    }
    if (!(entry >> 20)) entry = longCode(ac, <i32>(acc >> 48));
    if (!entry) {
      badCode(reader);
      return NO_BLOCK;
    }
    const length = entry >> 20;
    const size = (entry >> 16) & 15;
    acc <<= <u64>length;
    k += (entry >> 8) & 255;
    if (size) {
      store<i16>(block + load<u8>(ZIGZAG + k), <i16>extend(<i32>(acc >> <u64>(64 - size)), size));
      acc <<= <u64>size;
    }
    bits -= length + size;
    if (++k > last) break;
  }
  const kept = k;
  while (k <= 63) {
    acc = refilled(acc, bits, pos);
    pos -= refillBytes(bits);
    bits |= 56;
    // Two answers take at most 52 bits.
    let symbols = <u32>load<u16>(skip + <usize>((acc >> SKIP_SHIFT) << 1));
    let next = k + <i32>(symbols >> 6);
    if (next <= 63) {
      acc <<= <u64>symbols;
      bits -= symbols & 63;
      k = next;
      symbols = <u32>load<u16>(skip + <usize>((acc >> SKIP_SHIFT) << 1));
      next = k + <i32>(symbols >> 6);
      if (next <= 63) {
        acc <<= <u64>symbols;
        bits -= symbols & 63;
        k = next;
        continue;
      }
    }
    if (isWithin(next)) {
      acc <<= <u64>symbols;
      bits -= symbols & 63;
      k = next;
      break;
    }
    // One symbol: the table does not answer, or for some of the next block, too.
    acc = refilled(acc, bits, pos);
    pos -= refillBytes(bits);
    bits |= 56;
    entry = load<u32>(ac + <usize>((acc >> LOOKUP_SHIFT) << 2));
    let length = entry & 63;
    if (!length) {
      if (!(entry >> 20)) entry = longCode(ac, <i32>(acc >> 48));
      if (!entry) {
        badCode(reader);
        return NO_BLOCK;
      }
      length = (entry >> 20) + ((entry >> 16) & 15);
    }
    acc <<= <u64>length;
    bits -= length;
    k += ((entry >> 8) & 255) + 1;
  }
  reader.pos = pos;
  reader.acc = acc;
  reader.bits = bits;
  // 64: the last coefficient was written; 129 and more: an end of block; between: a run past the end.
  if (k !== 64 && k <= 128) {
    badCode(reader);
    return NO_BLOCK;
  }
  return kept > 128 ? kept - 129 : kept;
}

/** Whether what leaves a block is of this block alone: its last coefficient, or its end. */
// @inline
function isWithin(next: i32): bool {
  return next === 64 || (next > 128 && next <= 129 + 63);
}

/**
 * Past the end of a segment any code may turn up: then the data ended. @returns false, for the caller to pass
 * on
 */
export function badCode(reader: BitReader): bool {
  reader.fault =
    reader.ended && reader.pos < reader.rawEnd ? JpegFault.ENTROPY_ENDED : JpegFault.ENTROPY_CODE;
  return false;
}
