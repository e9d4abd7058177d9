/**
 * The decoder's state that filters do not need: headers, tiles, the current block. What they share is in
 * frame.ts.
 */
import { Frame } from './frame';
import { IntraBlock } from './predict/intra_block';
import { SymbolReader } from './symbol';

/** Arrays of contexts: one byte per column of 4 × 4 blocks above, or per row of them to the left. */
export const enum Context {
  /**
   * For Y, U and V: the sum of the coefficients, at most 63; plus 64 if DC is negative, 128 if it is
   * positive.
   */
  CoefficientsY = 0,
  CoefficientsU = 1,
  CoefficientsV = 2,
  /** log2 of the block's width (above) or height (left) in 4 × 4 blocks. */
  Partition = 3,
  /** YMode; then UVMode, per column or row of chroma. */
  Mode = 4,
  UvMode = 5,
  Skip = 6,
  /** Width (above) or height (left) of the transform block, in samples. */
  Transform = 7,
  /** Width or height, in samples, of a block made by intra block copy; 0 for other blocks. */
  Copied = 8,
  /** Number of palette colours of Y; and of U and V. */
  PaletteY = 9,
  PaletteUv = 10,
}
export const CONTEXTS: usize = 11;
/** Bytes of a left array: 32 rows of 4 × 4 blocks, plus room for writing a whole block's width. */
export const LEFT_BYTES: usize = 64;
/** Bytes of a neighbour's palettes: 8 u16 of Y and 8 of U, for each 4 × 4 block. */
export const PALETTE_BYTES: usize = 32;
/** Rows of the flags that tell which blocks are decoded: one above, 32 of the superblock, one below. */
export const DECODED_ROWS: usize = 34;
/** Bytes kept per 4 × 4 block for finding motion vectors: row and column as i16, MiSize, state. */
export const VECTOR_BYTES: usize = 8;
/** Rows of 4 × 4 blocks above a superblock row that the search for motion vectors may use. */
export const VECTOR_ROWS_ABOVE = 8;

/** A tile column, while one of its tiles is being decoded. */
@unmanaged
export class Tile extends SymbolReader {
  /** The first byte of the tile's data. */
  start: usize;
  /** Its symbol distributions (CDFs), laid out as in cdf/offsets.ts. */
  cdf: usize;
  /** Borders in 4 × 4 blocks. */
  miColStart: i32;
  miColEnd: i32;
  miRowStart: i32;
  miRowEnd: i32;
  /** CONTEXTS arrays of LEFT_BYTES. */
  left: usize;
  /** PALETTE_BYTES per row of 4 × 4 blocks. */
  leftPalettes: usize;
  currentQIndex: i32;
  /** DeltaLF, 4 i32. */
  deltaLf: usize;
  /** For each of three planes: RefLrWiener as 2 × 3 i8, and RefSgrXqd as 2 i8. */
  restoration: usize;
}

/** Bytes of a plane's references in `Tile.restoration`. */
export const RESTORATION_BYTES: usize = 8;

@unmanaged
export class Decoder extends Frame {
  /** Bytes reserved by opening, without the table of tiles. */
  openBytes: usize;

  // Sequence header.
  reducedHeader: bool;
  decoderModelInfo: bool;
  equalPictureInterval: bool;
  bufferRemovalTimeBits: i32;
  presentationTimeBits: i32;
  operatingPoints: i32;
  operatingPointIdc: i32;
  /** Two u16 per operating point: its idc, and whether it has decoder model parameters. */
  operatingPointTable: usize;
  frameWidthBits: i32;
  frameHeightBits: i32;
  maxFrameWidth: i32;
  maxFrameHeight: i32;
  frameIdBits: i32;
  forceScreenContentTools: i32;
  forceIntegerMv: i32;
  orderHintBits: i32;
  enableSuperres: bool;
  enableRestoration: bool;
  separateUvDeltaQ: bool;
  filmGrainParamsPresent: bool;
  /** Chroma subsampling; both 1 if there is no chroma. */
  subX: i32;
  subY: i32;

  // Frame header.
  /** An earlier frame is shown: existingSlot says which. */
  showExistingFrame: bool;
  existingSlot: i32;
  frameType: i32;
  shown: bool;
  showable: bool;
  errorResilient: bool;
  sizeOverridden: bool;
  refreshFrameFlags: i32;
  temporalId: i32;
  spatialId: i32;
  filmGrainMemory: usize;
  /** Tile borders in superblocks, i32: one more than there are tiles. */
  tileColumnStarts: usize;
  tileRowStarts: usize;
  tileColumns: i32;
  tileRows: i32;
  tileColumnsLog2: i32;
  tileRowsLog2: i32;
  tileSizeBytes: i32;
  /** Two u32 per tile: address and size of its data. */
  tileTable: usize;
  tilesFound: i32;

  // What all tiles share while decoding.
  /** The tile columns, `tileBytes` each. */
  tiles: usize;
  /** The tile row being decoded. */
  tileRow: i32;
  /**
   * Where decoding of a superblock row paused: the tile (−1: no row is open) and its column of 4 × 4 blocks
   * (−1: its beginning); and superblocks that may be decoded before the next pause.
   */
  nextTile: i32;
  nextColumn: i32;
  superblocksLeft: i32;
  /** Coded bytes read since the host last asked. */
  codedBytes: i32;
  /** Superblock columns that this read decodes: the first, and the one after the last. */
  firstColumn: i32;
  endColumn: i32;
  /**
   * Superblock columns where tiles have checkpoints, and where this read leaves them (columns.ts); and their
   * number.
   */
  checkpointColumns: usize;
  checkpoints: i32;
  /** For each checkpoint, one record per superblock row: see columns.ts. */
  checkpointRecords: usize;
  /** CONTEXTS arrays of `aboveStride` bytes. */
  above: usize;
  aboveStride: usize;
  /** PALETTE_BYTES per column of 4 × 4 blocks. */
  abovePalettes: usize;
  /** One u8 per 4 × 4 block: segment_id. The row above the superblock row comes first, then its own rows. */
  segments: usize;
  /** VECTOR_BYTES per 4 × 4 block: VECTOR_ROWS_ABOVE rows, then the superblock row. */
  vectors: usize;
  /** Entries per row of `segments` and `vectors`. */
  mapStride: i32;
  /**
   * For each plane, DECODED_ROWS u64: bit x + 1 of row y + 1 tells whether block (x, y) of the superblock is
   * decoded.
   */
  decoded: usize;
  /** Quantiser steps (u16 for DC and AC) of each plane for each segment, valid for `stepsQIndex`. */
  steps: usize;
  stepsQIndex: i32;
  /** Four u8 per segment: loop filter levels without delta LF. */
  levels: usize;

  // Memory of the block being decoded.
  /** i32 of 32 × 32, zero between blocks. */
  coefficients: usize;
  /** u16 of (32 + 4) × (32 + 4), zero between blocks: see coefficients.ts. */
  magnitudes: usize;
  /** One u32 per non-zero coefficient. */
  found: usize;
  /** Colours of Y, U, V: 8 u16 each. */
  palette: usize;
  /** Colour indices of Y; and of U and V: 64 × 64 u8 each. */
  colourMapY: usize;
  colourMapUv: usize;
  /** One u8 per 4 × 4 of the block's luma: TxType; 32 per row. */
  txTypes: usize;
  /** One u8 per 4 × 4 of the block: InterTxSizes; 32 per row. */
  interTxSizes: usize;
  /** Stack of motion vectors: 8 entries of row i32, column i32, weight i32. */
  stack: usize;
  intra: IntraBlock;

  // The block being decoded; names as in section 5.11.
  miRow: i32;
  miCol: i32;
  miSize: i32;
  /** 4 × 4 blocks across and down. */
  bw4: i32;
  bh4: i32;
  hasChroma: bool;
  availU: bool;
  availL: bool;
  availUChroma: bool;
  availLChroma: bool;
  readDeltas: bool;
  skip: bool;
  isInter: bool;
  segmentId: i32;
  lossless: bool;
  yMode: i32;
  angleDeltaY: i32;
  uvMode: i32;
  angleDeltaUv: i32;
  cflAlphaU: i32;
  cflAlphaV: i32;
  /** −1 without. */
  filterIntraMode: i32;
  paletteSizeY: i32;
  paletteSizeUv: i32;
  txSize: i32;
  /** Intra block copy's vector in samples. */
  mvRow: i32;
  mvCol: i32;
  maxLumaW: i32;
  maxLumaH: i32;
  /** The transform block read last by `coeffs`: TxType, and its last row and column with coefficients. */
  planeTxType: i32;
  lastRow: i32;
  lastColumn: i32;
}

/** Address of a context's byte above a column of 4 × 4 blocks. */
// @inline
export function aboveAt(d: Decoder, context: Context, column: i32): usize {
  return d.above + <usize>context * d.aboveStride + <usize>column;
}

/** Address of a context's byte to the left of a row. @param row of 4 × 4 blocks, within the superblock */
// @inline
export function leftAt(t: Tile, context: Context, row: i32): usize {
  return t.left + <usize>context * LEFT_BYTES + <usize>row;
}

/** Writes `value` to `count` bytes. @param count a power of two up to 32 */
// @inline
export function spread(at: usize, count: i32, value: i32): void {
  const bytes = <u64>(value & 0xff) * 0x0101010101010101;
  if (count === 1) store<u8>(at, <u8>bytes);
  else if (count === 2) store<u16>(at, <u16>bytes);
  else if (count === 4) store<u32>(at, <u32>bytes);
  else {
    store<u64>(at, bytes);
    if (count > 8) {
      store<u64>(at, bytes, 8);
      if (count > 16) {
        store<u64>(at, bytes, 16);
        store<u64>(at, bytes, 24);
      }
    }
  }
}
