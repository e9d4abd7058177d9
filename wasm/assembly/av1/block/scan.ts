/**
 * Scan orders (section 9.2). Default scans go along diagonals: in squares they turn at each end, in other
 * shapes they always begin at the same side. The other scans go along rows or columns.
 */

/** This many entries of `magnitudes` beyond each row, and rows below the last one, are 0. */
export const MAGNITUDE_MARGIN = 4;

/** Transform sizes of up to 32 × 32: log2 of width and height. */
const SHAPES: usize = memory.data<u8>([
  2, 2, 3, 3, 4, 4, 5, 5, 2, 3, 3, 2, 3, 4, 4, 3, 4, 5, 5, 4, 2, 4, 4, 2, 3, 5, 5, 3,
]);
const SHAPE_COUNT: usize = 14;

/** Coeff_Base_Ctx_Offset by row and column up to 4, 8 per row: for squares, wide and high blocks. */
const BASE_OFFSETS: usize = memory.data<u8>([
  0, 1, 6, 6, 21, 0, 0, 0, 1, 6, 6, 21, 21, 0, 0, 0, 6, 6, 21, 21, 21, 0, 0, 0, 6, 21, 21, 21, 21, 0, 0, 0,
  21, 21, 21, 21, 21, 0, 0, 0, 0, 16, 6, 6, 21, 0, 0, 0, 16, 16, 6, 21, 21, 0, 0, 0, 16, 16, 21, 21, 21, 0, 0,
  0, 16, 16, 21, 21, 21, 0, 0, 0, 16, 16, 21, 21, 21, 0, 0, 0, 0, 11, 11, 11, 11, 0, 0, 0, 11, 11, 11, 11, 11,
  0, 0, 0, 6, 6, 21, 21, 21, 0, 0, 0, 6, 21, 21, 21, 21, 0, 0, 0, 21, 21, 21, 21, 21, 0, 0, 0,
]);
const BASE_OFFSETS_BYTES: u32 = 40;

/** The u32 steps of all default scans. */
const steps: usize = memory.data(3344 * 4, 16);
/** Address of each shape's scan; the index is width log2 × 4 + height log2 − 10. */
const defaultScans: usize = memory.data(16 * 4, 8);
let made: bool = false;

// @inline
function entry(log2W: usize, log2H: usize): usize {
  return defaultScans + ((((log2W - 2) << 2) + log2H - 2) << 2);
}

/** Makes the tables, once per instance. */
export function makeScans(): void {
  if (made) return;
  made = true;
  let next = steps;
  for (let i: usize = 0; i < SHAPE_COUNT; i++) {
    const log2W = <usize>load<u8>(SHAPES + (i << 1));
    const log2H = <usize>load<u8>(SHAPES + (i << 1), 1);
    store<u32>(entry(log2W, log2H), <u32>next);
    next = diagonals(next, 1 << (<i32>log2W), 1 << (<i32>log2H));
  }
}

function diagonals(at: usize, width: i32, height: i32): usize {
  for (let sum = 0; sum < width + height - 1; sum++) {
    const top = max(0, sum - width + 1);
    const bottom = min(height - 1, sum);
    const down = width === height ? (sum & 1) === 1 : width < height;
    for (let i = 0; i <= bottom - top; i++, at += 4) {
      const row = down ? top + i : bottom - i;
      store<u32>(at, stepTo(row, sum - row, width));
    }
  }
  return at;
}

/**
 * A step of a default scan: the position (10 bits); the place of its magnitude (11); whether coeff_br uses
 * the contexts of positions beyond the first two rows and columns (1); and the `BASE_OFFSETS` for squares,
 * wide and high blocks (3 each), which are 1 plus multiples of 5. For DC they are never used.
 */
function stepTo(row: i32, column: i32, width: i32): u32 {
  const position = row * width + column;
  let step = <u32>(position | ((position + row * MAGNITUDE_MARGIN) << 10));
  if (max(row, column) > 1) step |= 1 << 21;
  for (let shape: u32 = 0; shape < 3; shape++) {
    const at = <usize>(shape * BASE_OFFSETS_BYTES + (min(row, 4) << 3) + min(column, 4));
    step |= (<u32>load<u8>(BASE_OFFSETS + at) / 5) << baseShift(shape);
  }
  return step;
}

/** The shift that `baseOffsetOf` takes, by shape: 0 for squares, 1 for wide, 2 for high blocks. */
// @inline
export function baseShift(shape: u32): u32 {
  return 22 + 3 * shape;
}

// @inline
export function positionOf(step: u32): u32 {
  return step & 0x3ff;
}

/** Offset of the step's magnitude, in bytes. */
// @inline
export function magnitudeOf(step: u32): usize {
  return <usize>((step >> 9) & 0xffe);
}

// @inline
export function baseOffsetOf(step: u32, shift: u32): u32 {
  return ((step >> shift) & 7) * 5 + 1;
}

// @inline
export function rangeOffsetOf(step: u32): u32 {
  return ((step >> 21) & 1) * 7 + 7;
}

/** Steps of the default scan. @param log2W 2 to 5, as is `log2H` */
// @inline
export function defaultScan(log2W: i32, log2H: i32): usize {
  return <usize>load<u32>(entry(<usize>log2W, <usize>log2H));
}
