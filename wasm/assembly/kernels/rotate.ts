/** Rotation by 90°: rows of pixels, a word each, become columns. */

// @inline
function low32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}
// @inline
function high32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}
// @inline
function low64(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}
// @inline
function high64(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3);
}

/**
 * Columns are processed from top to bottom in blocks of this many: the rows they are written to, one per
 * column, then stay in the first-level cache.
 */
const BLOCK: i32 = 16;

/**
 * Moves pixel (x, y) of `columns` × `rows` pixels to row x, column y of the target.
 * @param to where pixel (0, 0) goes
 * @param rowStep bytes from one target row to the next column's: negative to go up
 * @param backwards columns of the target run from right to left
 */
export function rotatePixels(
  from: usize,
  columns: i32,
  rows: i32,
  to: usize,
  rowStep: i32,
  backwards: bool,
): void {
  const stride = (<usize>columns) << 2;
  const step = <usize>rowStep;
  for (let left = 0; left < columns; left += BLOCK) {
    const right = min(left + BLOCK, columns);
    let y = 0;
    for (; y + 4 <= rows; y += 4) {
      const source = from + <usize>y * stride;
      const target = backwards ? to - ((<usize>y) << 2) - 12 : to + ((<usize>y) << 2);
      let x = left;
      for (; x + 4 <= right; x += 4) {
        const at = source + ((<usize>x) << 2);
        let a = v128.load(at);
        let b = v128.load(at + stride);
        let c = v128.load(at + 2 * stride);
        let d = v128.load(at + 3 * stride);
        if (backwards) {
          let swap = a;
          a = d;
          d = swap;
          swap = b;
          b = c;
          c = swap;
        }
        const ab = low32(a, b);
        const cd = low32(c, d);
        const ab2 = high32(a, b);
        const cd2 = high32(c, d);
        let out = target + <usize>x * step;
        v128.store(out, low64(ab, cd));
        out += step;
        v128.store(out, high64(ab, cd));
        out += step;
        v128.store(out, low64(ab2, cd2));
        out += step;
        v128.store(out, high64(ab2, cd2));
      }
      for (; x < right; x++) rotateColumn(source, x, 4, stride, target, step, backwards);
    }
    if (y < rows) {
      const source = from + <usize>y * stride;
      const left4 = rows - y;
      const target = backwards
        ? to - ((<usize>y) << 2) - ((<usize>(left4 - 1)) << 2)
        : to + ((<usize>y) << 2);
      for (let x = left; x < right; x++) rotateColumn(source, x, left4, stride, target, step, backwards);
    }
  }
}

/** `rows` pixels of column x, one by one; `target` is the leftmost pixel they go to in target row 0. */
// @inline
function rotateColumn(
  source: usize,
  x: i32,
  rows: i32,
  stride: usize,
  target: usize,
  step: usize,
  backwards: bool,
): void {
  const out = target + <usize>x * step;
  for (let row = 0; row < rows; row++) {
    const pixel = load<u32>(source + <usize>row * stride + ((<usize>x) << 2));
    store<u32>(out + ((<usize>(backwards ? rows - 1 - row : row)) << 2), pixel);
  }
}
