/** The decoder's state beside what filters share with it (frame.ts): headers, tiles, the current block. */
import { Frame } from './frame';
import { IntraBlock } from './predict/intra_block';
import { SymbolReader } from './symbol';

/** Arrays of contexts: a byte for each column of 4 × 4 blocks above, or row to the left. */
export const enum Context {
  /** Of Y, U, V: the coefficients' sum up to 63, and above it 1 for a negative DC, 2 for a positive one. */
  CoefficientsY = 0,
  CoefficientsU = 1,
  CoefficientsV = 2,
  /** log2 of the block's width (above) or height (left) in 4 × 4 blocks. */
  Partition = 3,
  /** YMode; and UVMode, for each column or row of chroma. */
  Mode = 4,
  UvMode = 5,
  Skip = 6,
  /** Width (above) or height (left) of the transform block, in samples. */
  Transform = 7,
  /** Width or height of a block that intra block copy made, in samples; 0 of other blocks. */
  Copied = 8,
  /** Colours of the palette of Y, and of U and V. */
  PaletteY = 9,
  PaletteUv = 10,
}
export const CONTEXTS: usize = 11;
/** Bytes of a left array: 32 rows of 4 × 4, and what a write of a whole block may go beyond. */
export const LEFT_BYTES: usize = 64;
/** Bytes of the colours of a neighbour's palettes: Y and U, 8 u16 each, for each 4 × 4 block. */
export const PALETTE_BYTES: usize = 32;
/** Rows of the flags of decoded blocks: the one above, 32, and the one below. */
export const DECODED_ROWS: usize = 34;
/** Bytes of what is kept of a block for finding motion vectors: row and column i16, MiSize, flags. */
export const VECTOR_BYTES: usize = 8;
/** Rows of 4 × 4 above a superblock row that finding vectors may look at. */
export const VECTOR_ROWS_ABOVE = 8;

/** A tile column while one of its tiles is decoded. */
@unmanaged
export class Tile extends SymbolReader {
  /** The first byte of the tile's data. */
  start: usize;
  /** Its distributions, laid out as cdf/offsets.ts says. */
  cdf: usize;
  /** Borders in 4 × 4 blocks. */
  miColStart: i32;
  miColEnd: i32;
  miRowStart: i32;
  miRowEnd: i32;
  /** CONTEXTS arrays of LEFT_BYTES. */
  left: usize;
  /** PALETTE_BYTES for each row of 4 × 4 blocks. */
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
  /** Bytes that opening took, but for the table of tiles. */
  openBytes: usize;

  // Sequence header.
  reducedHeader: bool;
  decoderModelInfo: bool;
  equalPictureInterval: bool;
  bufferRemovalTimeBits: i32;
  presentationTimeBits: i32;
  operatingPoints: i32;
  operatingPointIdc: i32;
  /** For each operating point two u16: its idc, and whether it has decoder model parameters. */
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
  /** Chroma's subsampling, 1 and 1 where there is none. */
  subX: i32;
  subY: i32;

  // Frame header.
  /** A frame coded before is shown: existingSlot says which. */
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
  /** Borders of tiles in superblocks, i32: one more than there are tiles. */
  tileColumnStarts: usize;
  tileRowStarts: usize;
  tileColumns: i32;
  tileRows: i32;
  tileColumnsLog2: i32;
  tileRowsLog2: i32;
  tileSizeBytes: i32;
  /** For each tile two u32: where its data are, and how many. */
  tileTable: usize;
  tilesFound: i32;

  // What all tiles share while decoding.
  /** The tile columns, `tileBytes` each. */
  tiles: usize;
  /** The tile row being decoded. */
  tileRow: i32;
  /**
   * Where decoding of a superblock row stopped: the tile (−1: at no row), its column of 4 × 4 blocks
   * (−1: its beginning); and superblocks that may be decoded before the next stop.
   */
  nextTile: i32;
  nextColumn: i32;
  superblocksLeft: i32;
  /** Coded bytes that were read since the host has asked. */
  codedBytes: i32;
  /** Columns of superblocks that a reading decodes: the first, and the one behind the last. */
  firstColumn: i32;
  endColumn: i32;
  /** Columns of superblocks where tiles have checkpoints and will have them: see columns.ts. And how many. */
  checkpointColumns: usize;
  checkpoints: i32;
  /** For each checkpoint a record of each superblock row: see columns.ts. */
  checkpointRecords: usize;
  /** CONTEXTS arrays of `aboveStride` bytes. */
  above: usize;
  aboveStride: usize;
  /** PALETTE_BYTES for each column of 4 × 4 blocks. */
  abovePalettes: usize;
  /** u8 for each 4 × 4: segment_id, of the superblock row and, before it, of the row above. */
  segments: usize;
  /** VECTOR_BYTES for each 4 × 4: VECTOR_ROWS_ABOVE rows, then the superblock row. */
  vectors: usize;
  /** Rows of the two above have so many entries. */
  mapStride: i32;
  /** For each plane DECODED_ROWS u64: bit x + 1 of row y + 1: is (x, y) of the superblock decoded? */
  decoded: usize;
  /** Steps (u16 of DC and AC) of each plane for each segment, for `stepsOf` of `qindex`. */
  steps: usize;
  stepsQIndex: i32;
  /** For each segment 4 u8: loop filter levels without delta LF. */
  levels: usize;

  // Memory of the block being decoded.
  /** i32 of 32 × 32, zero between blocks. */
  coefficients: usize;
  /** u16 of (32 + 4) × (32 + 4), zero between blocks: see coefficients.ts. */
  magnitudes: usize;
  /** u32 for each coefficient that is not 0. */
  found: usize;
  /** Colours of Y, U, V: 8 u16 each. */
  palette: usize;
  /** Colour indices of Y, and of U and V: 64 × 64 u8 each. */
  colourMapY: usize;
  colourMapUv: usize;
  /** u8 for each 4 × 4 of the block's luma: TxType; 32 in a row. */
  txTypes: usize;
  /** u8 for each 4 × 4 of the block: InterTxSizes; 32 in a row. */
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
  /** `coeffs`: TxType and extent of the block read last. */
  planeTxType: i32;
  lastRow: i32;
  lastColumn: i32;
}

/** Address of a context's byte above column `miCol`. */
// @inline
export function aboveAt(d: Decoder, context: Context, column: i32): usize {
  return d.above + <usize>context * d.aboveStride + <usize>column;
}

/** Address of a context's byte left of a row. @param row within the superblock */
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
