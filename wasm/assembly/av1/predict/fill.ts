/** Writing of rows of a block: 4 samples, or whole vectors of 8. */

/** Gives all samples of a block the same value. */
export function fillBlock(dst: usize, stride: usize, log2W: i32, height: i32, value: i32): void {
  const values = i16x8.splat(<i16>value);
  const end = dst + stride * height;
  if (log2W === 2) {
    for (; dst < end; dst += stride) v128.store64_lane(dst, values, 0);
    return;
  }
  for (; dst < end; dst += stride) {
    for (let at = dst; at < dst + ((<usize>2) << log2W); at += 16) v128.store(at, values);
  }
}

/** Sets all rows of a block to the row at `row`, in whole vectors even if the block is narrow. */
export function fillColumns(dst: usize, stride: usize, log2W: i32, height: i32, row: usize): void {
  const end = dst + stride * height;
  if (log2W === 2) {
    const values = v128.load(row);
    for (; dst < end; dst += stride) v128.store64_lane(dst, values, 0);
    return;
  }
  for (; dst < end; dst += stride) {
    for (let at: usize = 0; at < (<usize>2) << log2W; at += 16) v128.store(dst + at, v128.load(row + at));
  }
}

/** Gives each row of a block one value, of u16 at `column`. */
export function fillRows(dst: usize, stride: usize, log2W: i32, height: i32, column: usize): void {
  for (let i = 0; i < height; i++) {
    fillBlock(dst, stride, log2W, 1, load<u16>(column));
    dst += stride;
    column += 2;
  }
}

/** Writes a vector, or its lower half where the block is 4 samples wide. */
// @inline
export function storeSamples(at: usize, samples: v128, isNarrow: bool): void {
  if (isNarrow) v128.store64_lane(at, samples, 0);
  else v128.store(at, samples);
}
