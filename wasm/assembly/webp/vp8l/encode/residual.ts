/**
 * Rows of alpha less what predicts them (WebP lossless bitstream specification, section 4.1; green is all
 * that counts). ALPH's filters predict as modes 1 and 12 do, borders included.
 *
 * All rows can be read and written SLACK bytes past their ends, and read one byte before.
 */

const lowBits = memory.data<u8>([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 16);

/** The modes that there are. */
export const MODES: i32 = 14;
export const MODE_LEFT: i32 = 1;
export const MODE_GRADIENT: i32 = 12;

// @inline
function mean(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), v128.load(lowBits)));
}

// @inline
function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

/** What mode `mode` predicts for the 16 bytes at `row`, whose upper neighbours are at `above`. */
export function predicted(mode: i32, row: usize, above: usize): v128 {
  const left = v128.load(row - 1);
  const over = v128.load(above);
  switch (mode) {
    case 0:
      return i32x4.splat(0);
    case 1:
      return left;
    case 2:
      return over;
    case 3:
      return v128.load(above, 1);
    case 4:
      return v128.load(above - 1);
    case 5:
      return mean(mean(left, v128.load(above, 1)), over);
    case 6:
      return mean(left, v128.load(above - 1));
    case 7:
      return mean(left, over);
    case 8:
      return mean(v128.load(above - 1), over);
    case 9:
      return mean(over, v128.load(above, 1));
    case 10:
      return mean(mean(left, v128.load(above - 1)), mean(over, v128.load(above, 1)));
    case 11: {
      const corner = v128.load(above - 1);
      return v128.bitselect(left, over, i8x16.lt_u(difference(over, corner), difference(left, corner)));
    }
    case 12: {
      // One of the two differences is 0.
      const corner = v128.load(above - 1);
      return i8x16.sub_sat_u(
        i8x16.add_sat_u(left, i8x16.sub_sat_u(over, corner)),
        i8x16.sub_sat_u(corner, over),
      );
    }
    default: {
      const corner = v128.load(above - 1);
      const middle = mean(left, over);
      const more = i8x16.shr_u(i8x16.sub_sat_u(middle, corner), 1);
      const less = i8x16.shr_u(i8x16.sub_sat_u(corner, middle), 1);
      return i8x16.sub_sat_u(i8x16.add_sat_u(middle, more), less);
    }
  }
}

/**
 * Residuals of row `y` of `width` bytes.
 * @param modes a mode a block of 2^bits pixels; 0 for `mode` everywhere
 * @param above the row before, for y > 0; gets one byte more
 */
export function residualRow(
  modes: usize,
  bits: u32,
  mode: i32,
  y: i32,
  width: i32,
  row: usize,
  above: usize,
  to: usize,
): void {
  if (y === 0) {
    residuals(MODE_LEFT, row, row, to, width);
    store<u8>(to, load<u8>(row));
    return;
  }
  store<u8>(above + width, load<u8>(row));
  if (modes === 0) {
    residuals(mode, row, above, to, width);
  } else {
    for (let x = 0; x < width; x += 1 << bits) {
      const own = <i32>load<u8>(modes + (x >> bits));
      residuals(own, row + x, above + x, to + x, min(1 << bits, width - x));
    }
  }
  store<u8>(to, load<u8>(row) - load<u8>(above));
}

function residuals(mode: i32, row: usize, above: usize, to: usize, count: i32): void {
  for (const end = row + count; row < end; row += 16, above += 16, to += 16) {
    v128.store(to, i8x16.sub(v128.load(row), predicted(mode, row, above)));
  }
}
