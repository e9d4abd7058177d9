/** A 16-bit number as JPEG stores it (T.81 B.1.1.1), at any address. */
// @inline
export function bigEndian16(at: usize): i32 {
  return bswap<u16>(load<u16>(at));
}
