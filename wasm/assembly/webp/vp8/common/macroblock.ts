/** What a key frame's macroblock consists of, and what its neighbours need to know about it (RFC 6386). */

/**
 * Blocks of 4 × 4 coefficients per macroblock: 16 luma, 4 of each chroma component, and the luma DCs (Y2).
 */
export const BLOCKS: usize = 25;
export const Y2_BLOCK: usize = 24;
export const BLOCK_BYTES: usize = 32;

/**
 * The record kept of a macroblock for its neighbours: one per column for the row below, and one more for the
 * macroblock to the right. For each row or column of blocks at that edge it has the mode and whether the
 * block had coefficients; and how the macroblock is filtered. Byte offsets.
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
  /** Luma only: each 4 × 4 block has its own mode. */
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

/** Types of blocks; each has its own probabilities (section 13.3). */
export const enum BlockType {
  /** Luma whose DC is in Y2. */
  LumaWithoutDc = 0,
  Y2 = 1,
  Chroma = 2,
  Luma = 3,
}
