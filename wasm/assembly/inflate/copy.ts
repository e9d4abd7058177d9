/** For distances 0–15: which of the last `distance` bytes goes to each of the next 16 places. */
const patterns = memory.data(256, 16);
for (let distance: usize = 1; distance < 16; distance++) {
  for (let i: usize = 0; i < 16; i++) store<u8>(patterns + (distance << 4) + i, <u8>(i % distance));
}

/** The most bytes `copyMatch` writes past the match's end. */
export const COPY_OVERRUN = 32;

/**
 * Repeats `length` (3 to 258) bytes that lie `distance` before `to`, up to 16 at a time.
 * May write COPY_OVERRUN bytes too many, which the next output overwrites.
 */
// @inline
export function copyMatch(to: usize, distance: usize, length: usize): void {
  const end = to + length;
  if (distance >= 16) {
    let from = to - distance;
    do {
      v128.store(to, v128.load(from));
      to += 16;
      from += 16;
    } while (to < end);
  } else {
    // A short period: one 16-byte pattern, stored again and again in steps of whole periods.
    const pattern = i8x16.swizzle(v128.load(to - distance), v128.load(patterns + (distance << 4)));
    const step = 16 - (16 % <i32>distance);
    do {
      v128.store(to, pattern);
      to += step;
    } while (to < end);
  }
}
