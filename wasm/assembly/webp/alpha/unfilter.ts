/** Alpha's inverse filters (RFC 9649 section 2.7.1.2): add the prediction, modulo 256. */
import { AlphaFilter } from './state';

/**
 * Undoes the filter of row `y` of `width` bytes in place. `above` is the previous row, for y > 0. Reads and
 * writes up to 15 bytes past the rows' ends.
 */
export function unfilterRow(filter: i32, y: i32, width: i32, row: usize, above: usize): void {
  if (filter === AlphaFilter.None) return;
  // With every filter, the first row is predicted from the left, and the first column from above.
  if (y === 0) {
    byLeft(row, width, 0);
  } else if (filter === AlphaFilter.Horizontal) {
    byLeft(row, width, load<u8>(above));
  } else if (filter === AlphaFilter.Vertical) {
    for (const end = row + width; row < end; row += 16, above += 16) {
      v128.store(row, i8x16.add(v128.load(row), v128.load(above)));
    }
  } else {
    byGradient(row, width, above);
  }
}

function byLeft(row: usize, width: i32, left: u32): void {
  for (const end = row + width; row < end; row++) {
    left += load<u8>(row);
    store<u8>(row, <u8>left);
  }
}

/** Left + above - above left, clamped. */
function byGradient(row: usize, width: i32, above: usize): void {
  let left = <i32>load<u8>(above);
  let corner = left;
  for (const end = row + width; row < end; row++, above++) {
    const over = <i32>load<u8>(above);
    left = (min(255, max(0, left + over - corner)) + load<u8>(row)) & 255;
    store<u8>(row, <u8>left);
    corner = over;
  }
}
