/**
 * Planes with few levels: numbers the levels, and packs several into a symbol (section 4.4 of the
 * specification).
 */
import { Levels } from './state';

/** The most levels for which several pixels share a symbol. */
export const MAX_LEVELS: i32 = 16;
/** No level has this number. */
export const NONE: u8 = 0xff;

/** Whether the next 16 bytes are all equal. */
// @inline
function alike16(at: usize): bool {
  return i8x16.all_true(i8x16.eq(v128.load(at), v128.load8_splat(at)));
}

/** Numbers each level of a row, in order of appearance. @returns false if there are too many levels */
export function numberLevels(levels: Levels, row: usize, width: i32): bool {
  const numbers = levels.numbers;
  const end = row + width;
  while (row < end) {
    const level = load<u8>(row);
    row += row + 16 <= end && alike16(row) ? 16 : 1;
    if (load<u8>(numbers + level) !== NONE) continue;
    if (levels.count === MAX_LEVELS) return false;
    store<u8>(numbers + level, <u8>levels.count);
    store<u8>(levels.values + levels.count, level);
    levels.count++;
  }
  return true;
}

/** Packs 2^packing pixels into a symbol, the leftmost in the lowest bits. May write 8 bytes past the end. */
export function packRow(levels: Levels, packing: u32, row: usize, width: i32, to: usize): void {
  const numbers = levels.numbers;
  const bits: u32 = 8 >> packing;
  // The symbol whose pixels all have number 1.
  const ones: u64 = <u64>(0xff / ((1 << bits) - 1)) * 0x0101_0101_0101_0101;
  const end = row + width;
  while (row < end) {
    if (row + 16 <= end && alike16(row)) {
      store<u64>(to, ones * load<u8>(numbers + load<u8>(row)));
      row += 16;
      to += 16 >> packing;
      continue;
    }
    // As many as make whole symbols wherever pixels are alike next.
    const pieceEnd = min(end, row + 16);
    while (row < pieceEnd) {
      let symbol: u32 = 0;
      for (let shift: u32 = 0; shift < 8 && row < end; shift += bits) {
        symbol |= (<u32>load<u8>(numbers + load<u8>(row++))) << shift;
      }
      store<u8>(to++, <u8>symbol);
    }
  }
}
