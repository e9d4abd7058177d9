/** Reads the bits of headers (sections 4.10 and 8.1). Past the end all bits are 0, and `ended` is set. */

@unmanaged
export class BitReader {
  /** The byte that holds the next bit, and how many of its bits were read. */
  at: usize;
  end: usize;
  bit: i32;
  ended: bool;
}

export function startBits(reader: BitReader, at: usize, end: usize): void {
  reader.at = at;
  reader.end = end;
  reader.bit = 0;
  reader.ended = false;
}

/** f(n). @param count 0 to 32 */
export function readBits(reader: BitReader, count: i32): u32 {
  let value: u32 = 0;
  for (let i = 0; i < count; i++) value = (value << 1) | <u32>readBit(reader);
  return value;
}

/** f(1) */
export function readBit(reader: BitReader): i32 {
  if (reader.at >= reader.end) {
    reader.ended = true;
    return 0;
  }
  const bit = (load<u8>(reader.at) >> (7 - <u8>reader.bit)) & 1;
  reader.bit++;
  if (reader.bit === 8) {
    reader.bit = 0;
    reader.at++;
  }
  return <i32>bit;
}

// @inline
export function readFlag(reader: BitReader): bool {
  return readBit(reader) !== 0;
}

/** su(n). @param count of bits, the sign's among them, 1 to 31 */
export function readSigned(reader: BitReader, count: i32): i32 {
  const value = <i32>readBits(reader, count);
  return value & (1 << (count - 1)) ? value - (1 << count) : value;
}

/** ns(n): a value below `limit`. @param limit at least 1 */
export function readBelow(reader: BitReader, limit: i32): i32 {
  const bits = 32 - clz(limit);
  const short = (1 << bits) - limit;
  const value = <i32>readBits(reader, bits - 1);
  if (value < short) return value;
  return (value << 1) - short + readBit(reader);
}

/** uvlc(); its value is never needed. */
export function skipUvlc(reader: BitReader): void {
  let zeros = 0;
  while (!readFlag(reader) && !reader.ended) zeros++;
  if (zeros < 32) readBits(reader, zeros);
}

/** Skips to the next whole byte. */
export function alignBits(reader: BitReader): void {
  if (reader.bit === 0) return;
  reader.bit = 0;
  reader.at++;
}
