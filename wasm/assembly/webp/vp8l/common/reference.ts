/** Backward references (WebP lossless bitstream specification, section 5.2.2). */

/** The number of distance codes for nearby places; a larger code, less this, is a distance in pixels. */
const NEARBY: i32 = 120;
/** The largest distance: prefix 39 with all its extra bits set. */
export const MAX_DISTANCE: i32 = (1 << 20) - NEARBY;

/** Columns to the left, and rows up, of the first distance codes ("Distance Mapping"). */
const nearby = memory.data<i8>([
  0, 1, 1, 0, 1, 1, -1, 1, 0, 2, 2, 0, 1, 2, -1, 2, 2, 1, -2, 1, 2, 2, -2, 2, 0, 3, 3, 0, 1, 3, -1, 3, 3, 1,
  -3, 1, 2, 3, -2, 3, 3, 2, -3, 2, 0, 4, 4, 0, 1, 4, -1, 4, 4, 1, -4, 1, 3, 3, -3, 3, 2, 4, -2, 4, 4, 2, -4,
  2, 0, 5, 3, 4, -3, 4, 4, 3, -4, 3, 5, 0, 1, 5, -1, 5, 5, 1, -5, 1, 2, 5, -2, 5, 5, 2, -5, 2, 4, 4, -4, 4, 3,
  5, -3, 5, 5, 3, -5, 3, 0, 6, 6, 0, 1, 6, -1, 6, 6, 1, -6, 1, 2, 6, -2, 6, 6, 2, -6, 2, 4, 5, -4, 5, 5, 4,
  -5, 4, 3, 6, -3, 6, 6, 3, -6, 3, 0, 7, 7, 0, 1, 7, -1, 7, 5, 5, -5, 5, 7, 1, -7, 1, 4, 6, -4, 6, 6, 4, -6,
  4, 2, 7, -2, 7, 7, 2, -7, 2, 3, 7, -3, 7, 7, 3, -7, 3, 5, 6, -5, 6, 6, 5, -6, 5, 8, 0, 4, 7, -4, 7, 7, 4,
  -7, 4, 8, 1, 8, 2, 6, 6, -6, 6, 8, 3, 5, 7, -5, 7, 7, 5, -7, 5, 8, 4, 6, 7, -6, 7, 7, 6, -7, 6, 8, 5, 7, 7,
  -7, 7, 8, 6, 8, 7,
]);

/** How many pixels back distance code `code` (1 and up) points in an image of `width` pixels. */
export function distanceOf(code: i32, width: i32): i32 {
  if (code > NEARBY) return code - NEARBY;
  const at = nearby + ((code - 1) << 1);
  return max(1, <i32>load<i8>(at) + <i32>load<i8>(at, 1) * width);
}
