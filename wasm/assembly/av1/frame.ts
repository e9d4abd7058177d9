/**
 * What all parts of the AV1 decoder share: the still picture's headers, its planes as a window of rows, and
 * what filters need to know about each block. Samples have 16 bits whatever the bit depth. Names follow the
 * AV1 Bitstream & Decoding Process Specification (sections 5.5, 5.9, 6.8), in camel case.
 */

/** Segments, and the features of a segment that a key frame can use (section 6.8.13). */
export const MAX_SEGMENTS = 8;
export const SEG_FEATURES = 8;
/** Rows and columns of 4 × 4 luma samples: the unit of all positions named `mi`. */
export const MI_BYTES: usize = 8;
/** Bytes of a restoration unit's record; see `Frame.restorationUnits`. */
export const UNIT_BYTES: usize = 8;

/** What is kept for each 4 × 4 luma block of a superblock row, as byte offsets (MI_BYTES in all). */
export const enum Mi {
  /** Loop filter levels (section 7.14.4): luma's vertical and horizontal edges, and both chroma planes. */
  LevelVertical = 0,
  LevelHorizontal = 1,
  LevelU = 2,
  LevelV = 3,
  /** TxSize (section 6.10.16) of the transform block that covers it: of luma, and of chroma. */
  TxSize = 4,
  UvTxSize = 5,
  /** 1 if the block has no coefficients (`skip`): CDEF leaves out 8 × 8 blocks that consist of such. */
  Skip = 6,
  /** MiSize (section 6.10.4) of the block. */
  MiSize = 7,
}

/** FrameRestorationType after remapping (section 6.10.15), also the first byte of a unit's record. */
export const enum Restoration {
  None = 0,
  Wiener = 1,
  SelfGuided = 2,
  Switchable = 3,
}

/** A plane as a window of rows. */
@unmanaged
export class Plane {
  /** Address of the first sample of the superblock row being decoded. */
  current: usize;
  /**
   * Address of the sample above that one, before any filter: predictions at the top of a superblock row read
   * this row. It is readable from 16 samples before its start to 160 samples past its width.
   */
  above: usize;
  /** Bytes from one row to the next. Rows can be written up to the next multiple of 128 luma samples. */
  stride: usize;
  /** Size of the coded picture in samples, before superres. */
  width: i32;
  height: i32;
  /** 1 where the plane has half the columns or rows of luma. */
  subX: i32;
  subY: i32;
  /** Finished rows, `Frame.finishedRows` of them scaled to the plane: address, and bytes from row to row. */
  finished: usize;
  finishedStride: usize;
  /** Samples per finished row, after superres. */
  finishedWidth: i32;
}

/** The picture being decoded. Pointers are to arrays of the type given; layout.ts reserves them. */
@unmanaged
export class Frame {
  /** An error of faults.ts, 0 if none. */
  fault: i32;

  // Sequence header (section 5.5).
  seqProfile: i32;
  use128x128: bool;
  enableFilterIntra: bool;
  enableIntraEdgeFilter: bool;
  bitDepth: i32;
  monochrome: bool;
  colorPrimaries: i32;
  transferCharacteristics: i32;
  matrixCoefficients: i32;
  fullRange: bool;
  chromaSamplePosition: i32;
  planeCount: i32;

  // Frame header (section 5.9).
  /** The coded size, the size after superres, and the coded size in 4 × 4 blocks (of whole 8 × 8). */
  frameWidth: i32;
  frameHeight: i32;
  upscaledWidth: i32;
  superresDenom: i32;
  miCols: i32;
  miRows: i32;
  /** 16 or 32: 4 × 4 blocks along a superblock. */
  superblockMi: i32;
  superblockColumns: i32;
  superblockRows: i32;
  disableCdfUpdate: bool;
  allowScreenContentTools: bool;
  allowIntrabc: bool;
  reducedTxSet: bool;
  txModeSelect: bool;
  codedLossless: bool;
  allLossless: bool;

  baseQIndex: i32;
  deltaQYDc: i32;
  deltaQUDc: i32;
  deltaQUAc: i32;
  deltaQVDc: i32;
  deltaQVAc: i32;
  usingQmatrix: bool;
  /** Levels 0 to 15 of Y, U, V. */
  qmY: i32;
  qmU: i32;
  qmV: i32;
  deltaQPresent: bool;
  deltaQRes: i32;
  deltaLfPresent: bool;
  deltaLfRes: i32;
  deltaLfMulti: bool;

  segmentationEnabled: bool;
  segIdPreSkip: bool;
  lastActiveSegId: i32;
  /** For each feature of each segment: whether it is on (u8), and its value (i16). */
  featureEnabled: usize;
  featureData: usize;
  /** For each segment: LosslessArray (u8) and qidx (i32). */
  segmentLossless: usize;
  segmentQIndex: usize;

  /** loop_filter_level 0 to 3: luma vertical, luma horizontal, U, V. */
  loopFilterLevel: StaticQuad;
  loopFilterSharpness: i32;
  loopFilterDeltaEnabled: bool;
  /** loop_filter_ref_deltas[INTRA_FRAME]; mode deltas do not affect intra blocks. */
  loopFilterIntraDelta: i32;

  enableCdef: bool;
  cdefDamping: i32;
  cdefBits: i32;
  /** 8 u8 each. Secondary strengths are stored as applied: 3 has become 4 (section 6.10.14). */
  cdefYPrimary: usize;
  cdefYSecondary: usize;
  cdefUvPrimary: usize;
  cdefUvSecondary: usize;

  usesRestoration: bool;
  /**
   * For each plane: its Restoration, its unit's size in samples (LoopRestorationSize), units across and down.
   */
  restorationType: StaticQuad;
  restorationSize: StaticQuad;
  unitColumns: StaticQuad;
  unitRows: StaticQuad;
  /**
   * For each plane, UNIT_BYTES per unit, row after row: its Restoration, then as i8 the three coefficients of
   * the vertical filter and the three of the horizontal one (Wiener), or lr_sgr_set and both LrSgrXqd.
   */
  restorationUnits: StaticQuad;

  /**
   * Columns of the coded picture to filter, in luma samples: whole superblocks, or up to the picture's end.
   */
  filteredFrom: i32;
  filteredEnd: i32;
  /** Columns asked for, in luma samples of the output. Elsewhere, finished rows have undefined content. */
  wantedFrom: i32;
  wantedEnd: i32;
  /** A read of all columns has kept what reads of some columns need from the others (columns.ts). */
  surveyed: bool;

  /** A FilmGrain (grain/params.ts), 0 if the picture has none. */
  filmGrain: usize;
  /** The filters' state (filter/state.ts), set by reserveWindow. */
  filters: usize;

  // Planes and blocks.
  /** The planes Y, U, V. */
  y: Plane;
  u: Plane;
  v: Plane;
  /**
   * MI_BYTES per 4 × 4 block of the superblock row being decoded, row after row of `miStride` blocks; see Mi.
   */
  mi: usize;
  miStride: i32;
  /** i8 per 64 × 64 luma samples of that superblock row, row after row of cdefStride: −1 for none. */
  cdefIndex: usize;
  cdefStride: i32;

  /** The superblock row decoded last, −1 before the first. */
  superblockRow: i32;
  /** Finished luma rows not yet taken: the first, and how many. */
  finishedY: i32;
  finishedRows: i32;
}

/** Four i32, one per plane or edge. */
@unmanaged
export class StaticQuad {
  a: i32;
  b: i32;
  c: i32;
  d: i32;
}

/** @param index 0 to 3 */
// @inline
export function quadAt(quad: StaticQuad, index: i32): i32 {
  return load<i32>(changetype<usize>(quad) + ((<usize>index) << 2));
}

// @inline
export function setQuad(quad: StaticQuad, index: i32, value: i32): void {
  store<i32>(changetype<usize>(quad) + ((<usize>index) << 2), value);
}

/** @param index 0 to 2 */
// @inline
export function planeAt(frame: Frame, index: i32): Plane {
  return index === 0 ? frame.y : index === 1 ? frame.u : frame.v;
}
