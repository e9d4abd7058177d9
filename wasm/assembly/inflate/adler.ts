/** Largest prime below 65536 (RFC 1950 section 8.2). */
const BASE: u32 = 65521;

/**
 * Blocks of 16 bytes between reductions: 5552 bytes is the most that keeps 32-bit sums from overflowing (RFC
 * 1950, zlib's NMAX).
 */
const BLOCKS: u32 = 347;

const weights = memory.data<u8>([16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 16);

/** Continues the Adler-32 `sum` (1 to start) over `length` bytes at `at` (RFC 1950 section 8.2). */
export function adler32(sum: u32, at: usize, length: usize): u32 {
  let a: u32 = sum & 0xffff;
  let b: u32 = sum >>> 16;
  const falling = v128.load(weights);
  const lowWeights = i16x8.extend_low_i8x16_u(falling);
  const highWeights = i16x8.extend_high_i8x16_u(falling);
  while (length >= 16) {
    const blocks = min(BLOCKS, <u32>(length >> 4));
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    for (let i: u32 = 0; i < blocks; i++) {
      const bytes = v128.load(at);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighted = i32x4.add(
        weighted,
        i32x4.add(
          i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), lowWeights),
          i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), highWeights),
        ),
      );
      at += 16;
    }
    length -= blocks << 4;
    b = (b + a * (blocks << 4) + total(before) * 16 + total(weighted)) % BASE;
    a = (a + total(sums)) % BASE;
  }
  while (length > 0) {
    a += load<u8>(at++);
    b += a;
    length--;
  }
  return ((b % BASE) << 16) | (a % BASE);
}

function total(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}
