/** What the sizes and types of transforms mean for rows and columns. */
import { adst4, adst8, adst16 } from './adst';
import { dct4, dct8, dct16 } from './dct';
import { dct32 } from './dct32';
import { dct64 } from './dct64';

/** Log2 of width and height by TxSize (section 6.10.16), and Transform_Row_Shift (7.13.3). */
const SIZES: usize = memory.data<u8>([
  2, 2, 0, 3, 3, 1, 4, 4, 2, 5, 5, 2, 6, 6, 2, 2, 3, 0, 3, 2, 0, 3, 4, 1, 4, 3, 1, 4, 5, 1, 5, 4, 1, 5, 6, 1,
  6, 5, 1, 2, 4, 1, 4, 2, 1, 3, 5, 2, 5, 3, 2, 4, 6, 2, 6, 4, 2,
]);

// @inline
export function log2Width(txSize: i32): i32 {
  return load<u8>(SIZES + <usize>txSize * 3);
}

// @inline
export function log2Height(txSize: i32): i32 {
  return load<u8>(SIZES + <usize>txSize * 3, 1);
}

// @inline
export function rowShift(txSize: i32): i32 {
  return load<u8>(SIZES + <usize>txSize * 3, 2);
}

/** The one-dimensional transform of a row or column. */
export const enum Kind {
  Dct = 0,
  Adst = 1,
  /** The same, its output reversed. */
  FlipAdst = 2,
  Identity = 3,
}

/** Kinds of column and row by PlaneTxType, numbered DCT_DCT, ADST_DCT, … H_FLIPADST (section 6.10.19). */
const KINDS: usize = memory.data<u8>([
  0, 0, 1, 0, 0, 1, 1, 1, 2, 0, 0, 2, 2, 2, 1, 2, 2, 1, 3, 3, 0, 3, 3, 0, 1, 3, 3, 1, 2, 3, 3, 2,
]);

// @inline
export function columnKind(txType: i32): Kind {
  return load<u8>(KINDS + ((<usize>txType) << 1));
}

// @inline
export function rowKind(txType: i32): Kind {
  return load<u8>(KINDS + ((<usize>txType) << 1), 1);
}

/**
 * DCT or ADST, as dct.ts describes.
 * @param log2 of the values: 2 to 6, of ADST 2 to 4
 */
export function transform<L>(
  kind: Kind,
  log2: i32,
  from: usize,
  spacing: usize,
  to: usize,
  count: i32,
  most: v128,
): void {
  if (kind === Kind.Dct) {
    if (log2 === 2) dct4<L>(from, spacing, to, count, most);
    else if (log2 === 3) dct8<L>(from, spacing, to, count, most);
    else if (log2 === 4) dct16<L>(from, spacing, to, count, most);
    else if (log2 === 5) dct32<L>(from, spacing, to, count, most);
    else dct64<L>(from, spacing, to, count, most);
  } else if (log2 === 2) adst4<L>(from, spacing, to);
  else if (log2 === 3) adst8<L>(from, spacing, to, most);
  else adst16<L>(from, spacing, to, most);
}
