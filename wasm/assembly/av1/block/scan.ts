/**
 * Scan orders (section 9.2): default ones go along diagonals. Those of a square turn at each end, those of
 * other shapes always begin at the same side.
 */

/** Transform sizes of up to 32 × 32: log2 of width and height. */
const SHAPES: usize = memory.data<u8>([
  2, 2, 3, 3, 4, 4, 5, 5, 2, 3, 3, 2, 3, 4, 4, 3, 4, 5, 5, 4, 2, 4, 4, 2, 3, 5, 5, 3,
]);
const SHAPE_COUNT: usize = 14;
/** Most rows and columns of types that are transformed along one axis only. */
const LARGEST_ONE_AXIS: usize = 4;

/** u16 positions of all scans: first the default ones. */
const positions: usize = memory.data(2 * (3344 + 2 * 848), 16);
/** Where the scans of a shape are: width log2 × 4 + height log2 − 10 as the index. */
const defaultScans: usize = memory.data(16 * 4, 8);
const columnScans: usize = memory.data(16 * 4, 8);
const rowScans: usize = memory.data(16 * 4, 8);
let made: bool = false;

// @inline
function entry(table: usize, log2W: usize, log2H: usize): usize {
  return table + ((((log2W - 2) << 2) + log2H - 2) << 2);
}

/** Makes the tables, once an instance. */
export function makeScans(): void {
  if (made) return;
  made = true;
  let at = positions;
  for (let i: usize = 0; i < SHAPE_COUNT; i++) {
    const log2W = <usize>load<u8>(SHAPES + (i << 1));
    const log2H = <usize>load<u8>(SHAPES + (i << 1), 1);
    store<u32>(entry(defaultScans, log2W, log2H), <u32>at);
    at = diagonals(at, 1 << (<i32>log2W), 1 << (<i32>log2H));
    if (max(log2W, log2H) > LARGEST_ONE_AXIS) continue;
    store<u32>(entry(rowScans, log2W, log2H), <u32>at);
    const count: u32 = 1 << (<u32>log2W + <u32>log2H);
    for (let c: u32 = 0; c < count; c++, at += 2) store<u16>(at, <u16>c);
    store<u32>(entry(columnScans, log2W, log2H), <u32>at);
    const mask: u32 = (1 << (<u32>log2H)) - 1;
    for (let c: u32 = 0; c < count; c++, at += 2) {
      store<u16>(at, <u16>(((c & mask) << (<u32>log2W)) + (c >> <u32>log2H)));
    }
  }
}

function diagonals(at: usize, width: i32, height: i32): usize {
  for (let sum = 0; sum < width + height - 1; sum++) {
    const top = max(0, sum - width + 1);
    const bottom = min(height - 1, sum);
    const down = width === height ? (sum & 1) === 1 : width < height;
    for (let i = 0; i <= bottom - top; i++, at += 2) {
      const row = down ? top + i : bottom - i;
      store<u16>(at, <u16>(row * width + sum - row));
    }
  }
  return at;
}

/** The default scan. @param log2W 2 to 5, as is `log2H` */
// @inline
export function defaultScan(log2W: i32, log2H: i32): usize {
  return <usize>load<u32>(entry(defaultScans, <usize>log2W, <usize>log2H));
}

/** Row after row. @param log2W 2 to 4, as is `log2H` */
// @inline
export function rowScan(log2W: i32, log2H: i32): usize {
  return <usize>load<u32>(entry(rowScans, <usize>log2W, <usize>log2H));
}

/** Column after column, likewise. */
// @inline
export function columnScan(log2W: i32, log2H: i32): usize {
  return <usize>load<u32>(entry(columnScans, <usize>log2W, <usize>log2H));
}
