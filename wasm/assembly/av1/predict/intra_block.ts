/**
 * What intra prediction needs to know about the transform block that it fills; see section 7.11.2 of the
 * specification.
 */

/** The prediction modes of key frames (YMode, section 6.10.14), numbered as the specification has them. */
export const enum Mode {
  Dc = 0,
  Vertical = 1,
  Horizontal = 2,
  D45 = 3,
  D135 = 4,
  D113 = 5,
  D157 = 6,
  D203 = 7,
  D67 = 8,
  Smooth = 9,
  SmoothV = 10,
  SmoothH = 11,
  Paeth = 12,
}

/** A block to be predicted; the caller fills it before each call of `predictIntra`. */
@unmanaged
export class IntraBlock {
  /** Address of the block's first sample; bytes from a row to the next one. */
  dst: usize;
  stride: usize;
  /**
   * Address of the sample above the block's first. With `haveAbove` `aboveCount` samples are valid from there
   * on, and with `haveLeft` too the one before it (the corner).
   */
  above: usize;
  /** 2 to 6 each; neither is more than 2 below the other. */
  log2W: i32;
  log2H: i32;
  /** A Mode. Chroma from luma is predicted as Dc first. */
  mode: i32;
  /** −3 to 3, of directional modes; 0 otherwise. */
  angleDelta: i32;
  /** filter_intra_mode 0 to 4, −1 where `use_filter_intra` is 0: then `mode` counts. */
  filterMode: i32;
  haveAbove: bool;
  haveLeft: bool;
  /**
   * Samples of the row above, from the block's first column on, that may be read: at least 1, at most twice
   * the width, up to the picture's last column of 8 × 8 blocks (aboveLimit − x + 1 of section 7.11.2). Those
   * after them repeat the last. Only with `haveAbove`.
   */
  aboveCount: i32;
  /** The same of the column to the left, at dst − 2, `stride` bytes apart. Only with `haveLeft`. */
  leftCount: i32;
  /** enable_intra_edge_filter. */
  edgeFilter: bool;
  /** get_filter_type (section 7.11.2.8): the block above or to the left has a smooth mode. */
  smoothNeighbour: bool;
  bitDepth: i32;
}
