/**
 * An alpha plane while it is being read (the chunk ALPH, RFC 9649 section 2.7.1.2): a plain struct in linear
 * memory.
 */
import { Lossless } from '../vp8l/decode/state';

/** How a pixel's alpha is predicted: bits 2 and 3 of the chunk's first byte. */
export const enum AlphaFilter {
  None = 0,
  Horizontal = 1,
  Vertical = 2,
  Gradient = 3,
}

@unmanaged
export class AlphaPlane {
  width: i32;
  height: i32;
  filter: i32;
  /** The fault of a raw plane, or from before there is a decoder. */
  fault: i32;
  /** The decoder of a compressed plane; 0 for a raw one. */
  lossless: Lossless | null;
  /** Only green varies; it is kept in one byte per pixel. */
  narrow: bool;
  /** The bytes of a raw plane. */
  raw: usize;
  /** The row that comes next. */
  y: i32;
  /** The row decoded last; and the one before it, whose place the next row takes. */
  row: usize;
  other: usize;
}

/** Bytes that kernels may read and write past a row's end. */
export const ROW_SLACK: i32 = 32;
