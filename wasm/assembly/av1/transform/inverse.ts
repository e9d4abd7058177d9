/** The two-dimensional inverse transform (section 7.13.3) and its addition to the prediction (7.12.3). */
import { transformColumns } from './columns';
import { addDc } from './dc';
import { log2Width } from './kinds';
import { transformRows } from './rows';
import { inverseWalshHadamard } from './walsh_hadamard';

/**
 * Up to this sum of the coefficients' magnitudes, no value on the way to the residual needs more than 16
 * bits. In DCT and ADST, no coefficient adds more than its own magnitude to any value, in rows or columns;
 * the rest up to 32,767 is for rounding. Identities multiply by up to 4 in columns, and by √2 in rows after
 * their shift.
 */
const SMALL: i32 = 32000;
const SMALL_WITH_IDENTITY: i32 = 5000;
/** IDTX: this type and those after it have an identity. */
const FIRST_WITH_IDENTITY: i32 = 9;

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
  } else if (bitDepth === 8 || isSmall(coefficients, txSize, txType, lastRow, lastColumn)) {
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

/** Whether the coefficients of a deeper picture can be transformed in 16 bits, with the same result. */
function isSmall(coefficients: usize, txSize: i32, txType: i32, lastRow: i32, lastColumn: i32): bool {
  const stride: usize = min((<usize>4) << log2Width(txSize), 128);
  const bytes = (<usize>lastColumn + 1) << 2;
  let sums = i32x4.splat(0);
  for (let row = 0; row <= lastRow; row++, coefficients += stride) {
    for (let at: usize = 0; at < bytes; at += 16) {
      sums = i32x4.add(sums, i32x4.abs(v128.load(coefficients + at)));
    }
  }
  const pairs = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1));
  const sum = i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
  return sum <= (txType < FIRST_WITH_IDENTITY ? SMALL : SMALL_WITH_IDENTITY);
}
