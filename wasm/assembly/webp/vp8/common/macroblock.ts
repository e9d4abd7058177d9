/** What a macroblock of a key frame consists of, and what its neighbours need to know of it (RFC 6386). */

/** Blocks of 4 × 4 coefficients of a macroblock: 16 luma, 4 of each chroma, and the luma blocks' DCs (Y2). */
export const BLOCKS: usize = 25;
export const Y2_BLOCK: usize = 24;
export const BLOCK_BYTES: usize = 32;

/**
 * What is kept of a macroblock for the ones below it and, in one more of these, to the right: for each row or
 * column of blocks at its edge whether that block had coefficients, and its mode; and how it is filtered.
 * Offsets of bytes.
 */
export const RECORD_BYTES: usize = 16;
export const NONZERO_LUMA: usize = 0;
export const NONZERO_CHROMA: usize = 4;
export const NONZERO_Y2: usize = 8;
/** A FilterStrength (filter_strengths.ts). */
export const STRENGTH: usize = 9;
export const MODES: usize = 12;

/** The modes of 16 × 16 luma and of chroma (RFC 6386 section 8.2), numbered as the first four of the next. */
export const enum Mode {
  Dc = 0,
  TrueMotion = 1,
  Vertical = 2,
  Horizontal = 3,
  /** Luma only: each block of 4 × 4 has a mode of its own. */
  Subblocks = 4,
}

/** The modes of 4 × 4 luma, in the order of RFC 6386 section 8.2. */
export const enum SubblockMode {
  Dc = 0,
  TrueMotion = 1,
  Vertical = 2,
  Horizontal = 3,
  LeftDown = 4,
  RightDown = 5,
  VerticalRight = 6,
  VerticalLeft = 7,
  HorizontalDown = 8,
  HorizontalUp = 9,
}

/** Types of blocks, each with probabilities of its own (section 13.3). */
export const enum BlockType {
  /** Luma of which the DC is in Y2. */
  LumaWithoutDc = 0,
  Y2 = 1,
  Chroma = 2,
  Luma = 3,
}
