/** Huffman decoding of sequential blocks (T.81 F.2.2): baseline and extended, 8 bits a sample. */

import { refillBytes, refilled, replenish } from './bits';
import * as JpegFault from './faults';
import { extend, LOOKUP_SHIFT, longCode } from './huffman';
import { SKIP_SHIFT } from './skip';
import { BitReader } from './state';
import { ZIGZAG } from './zigzag';

/** Returned by decodeBlock when the data are invalid; the reader's fault says why. */
export const NO_BLOCK: i32 = 0;

/**
 * Decodes one block into `block` (BLOCK_BYTES, zeroed), in natural order, not dequantised.
 * @param prediction address of the component's DC prediction, an i32
 * @param last zigzag place of the last coefficient needed; one more after it may be written
 * @param skip table for skipping the rest (skip.ts); unused if `last` is 63
 * @returns how many coefficients, in zigzag order, may be non-zero: 1 to 64; NO_BLOCK on a fault
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
    // Three symbols answered by the table take at most 30 bits, a longer one 31.
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
    // Two entries take at most 52 bits.
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
    // One symbol on its own: the table has no answer, or its answer reaches into the next block.
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
  // k is 64 after the last coefficient, 129 or more after an end of block; between them, a run passed the
  // end.
  if (k !== 64 && k <= 128) {
    badCode(reader);
    return NO_BLOCK;
  }
  return kept > 128 ? kept - 129 : kept;
}

/**
 * Whether an entry that leaves the block only covers symbols of this block: up to its last coefficient or its
 * end of block.
 */
// @inline
function isWithin(next: i32): bool {
  return next === 64 || (next > 128 && next <= 129 + 63);
}

/**
 * Sets the fault. Past the end of a segment any code may turn up: then the fault is that the data ended.
 * @returns false, for the caller to pass on
 */
export function badCode(reader: BitReader): bool {
  reader.fault =
    reader.ended && reader.pos < reader.rawEnd ? JpegFault.ENTROPY_ENDED : JpegFault.ENTROPY_CODE;
  return false;
}
