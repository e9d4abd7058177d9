/** Mirroring rows of words. */

/** Four pixels, last to first. */
// @inline
function reversed(pixels: v128): v128 {
  return v128.shuffle<i32>(pixels, pixels, 3, 2, 1, 0);
}

/** The pixels of one row from last to first, in place. */
// @inline
function mirrorRow(left: usize, columns: i32): void {
  let right = left + ((<usize>columns) << 2);
  for (; left + 32 <= right; left += 16) {
    right -= 16;
    const first = v128.load(left);
    v128.store(left, reversed(v128.load(right)));
    v128.store(right, reversed(first));
  }
  for (; left + 8 <= right; left += 4) {
    right -= 4;
    const first = load<u32>(left);
    store<u32>(left, load<u32>(right));
    store<u32>(right, first);
  }
}

/** Mirrors `rows` rows of `columns` pixels, in place: the last column becomes the first. */
export function mirrorRows(at: usize, columns: i32, rows: i32): void {
  const stride = (<usize>columns) << 2;
  for (let row = 0; row < rows; row++) mirrorRow(at + <usize>row * stride, columns);
}

/** Copies a row of `columns` pixels. @param mirror from last to first */
export function flipRow(from: usize, columns: i32, to: usize, mirror: bool): void {
  memory.copy(to, from, (<usize>columns) << 2);
  if (mirror) mirrorRow(to, columns);
}
