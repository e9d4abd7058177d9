/** An alpha plane on its way (the chunk ALPH, RFC 9649 section 2.7.1.2): a plain struct in linear memory. */
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
  /** Before there is a decoder, and of raw planes. */
  fault: i32;
  /** The decoder of a compressed plane; 0 of a raw one. */
  lossless: Lossless | null;
  /** Only green varies, and is kept in one byte a pixel. */
  narrow: bool;
  /** Of a raw plane: its bytes. */
  raw: usize;
  /** The row that comes next. */
  y: i32;
  /** The row that was decoded last; the one before it, which the next takes the place of. */
  row: usize;
  other: usize;
}

/** Kernels read and write so many bytes past a row's end. */
export const ROW_SLACK: i32 = 32;
