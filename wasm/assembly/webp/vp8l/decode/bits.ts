/**
 * Reads bits of a VP8L stream, lowest first (WebP lossless bitstream specification, section 2), from a 64-bit
 * buffer.
 */
@unmanaged
export class BitReader {
  /** Unused bits, lowest first. Those above `count` are already the ones that follow in the input. */
  bits: u64;
  count: u32;
  /** The next byte that `count` does not include; beyond `end` if zeros replaced missing input. */
  next: usize;
  end: usize;
}

export function startBits(reader: BitReader, at: usize, length: usize): void {
  reader.bits = 0;
  reader.count = 0;
  reader.next = at;
  reader.end = at + length;
}

/** The last address from which 8 bytes can be read at once. */
// @inline
export function wideLimit(reader: BitReader): usize {
  return reader.end - 8;
}

/** Fills up to 56 bits or more. Zeros replace missing input; `overrun` tells. */
export function refill(reader: BitReader): void {
  let next = reader.next;
  let count = reader.count;
  if (next <= wideLimit(reader)) {
    reader.bits |= load<u64>(next) << count;
    reader.next = next + ((63 - count) >> 3);
    reader.count = count | 56;
    return;
  }
  let bits = reader.bits;
  while (count < 56) {
    if (next < reader.end) bits |= (<u64>load<u8>(next)) << count;
    next++;
    count += 8;
  }
  reader.bits = bits;
  reader.next = next;
  reader.count = count;
}

/** The next `count` bits, at most 32. */
export function readBits(reader: BitReader, count: u32): u32 {
  if (reader.count < count) refill(reader);
  const value = <u32>(reader.bits & (((<u64>1) << count) - 1));
  reader.bits >>= count;
  reader.count -= count;
  return value;
}

/** Whether more bits were used than the input has. */
export function overrun(reader: BitReader): bool {
  return reader.next > reader.end && <u32>((reader.next - reader.end) << 3) > reader.count;
}
