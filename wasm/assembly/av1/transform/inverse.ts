/** The two-dimensional inverse transform (section 7.13.3) and its addition to the prediction (7.12.3). */
import { transformColumns } from './columns';
import { addDc } from './dc';
import { transformRows } from './rows';
import { inverseWalshHadamard } from './walsh_hadamard';

/**
 * Adds the residual of one transform block to `dst` and clips to the depth.
 * @param coefficients i32, dequantised and clipped to bitDepth + 8 bits, row after row of min(width, 32), 16
 * byte aligned; zeroed again on return, as all of min(width, 32) × min(height, 32) has to be beyond the
 * extent
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
): void {
  if (lossless) {
    inverseWalshHadamard(coefficients, dst, stride, bitDepth);
  } else if (txType === 0 && (lastRow | lastColumn) === 0) {
    addDc(load<i32>(coefficients), dst, stride, txSize, bitDepth);
    store<i32>(coefficients, 0);
  } else if (bitDepth === 8) {
    const unused = i32x4.splat(0);
    transformRows<i16>(coefficients, txSize, txType, lastRow, lastColumn, unused, unused);
    transformColumns<i16>(dst, stride, txSize, txType, lastRow, bitDepth, unused);
  } else {
    const mostInRow = i32x4.splat((1 << (bitDepth + 7)) - 1);
    const mostInColumn = i32x4.splat((1 << (max(bitDepth + 6, 16) - 1)) - 1);
    transformRows<i32>(coefficients, txSize, txType, lastRow, lastColumn, mostInRow, mostInColumn);
    transformColumns<i32>(dst, stride, txSize, txType, lastRow, bitDepth, mostInColumn);
  }
}
