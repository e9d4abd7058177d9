/** The two-dimensional inverse transform (section 7.13.3) and its addition to the prediction (7.12.3). */

/**
 * Adds the residual of one transform block to `dst` and clips to the depth.
 * @param coefficients i32, dequantised and clipped to bitDepth + 8 bits, row after row of min(width, 32), 16
 * byte aligned; zeroed again on return, as all of min(width, 32) × min(height, 32) has to be beyond the extent
 * @param stride bytes from a row of samples to the next
 * @param txSize TxSize, section 6.10.16
 * @param txType PlaneTxType, section 6.10.19; one that the size may have. 0 with `lossless`
 * @param lastRow last row that has a coefficient other than 0
 * @param lastColumn last such column
 * @param lossless Walsh–Hadamard; txSize is 0
 */
export function inverseTransform(
  coefficients: usize,
  dst: usize,
  stride: usize,
  txSize: i32,
  txType: i32,
  lastRow: i32,
  lastColumn: i32,
  bitDepth: i32,
  lossless: bool,
): void {}
