/** The state of a VP8 key frame's decoder. Its memory is laid out by layout.ts. */
import * as Vp8Fault from './faults';

export const MAX_PARTITIONS: usize = 8;
export const SEGMENTS: usize = 4;

/** The boolean entropy decoder of one partition (RFC 6386 section 7); see bool_reader.ts. */
@unmanaged
export class BoolReader {
  /** Bits read ahead, left-aligned. Those below the known ones are zero, or already right. */
  value: u64;
  /** Next byte to read ahead, and the partition's end. */
  position: usize;
  end: usize;
  /** 1 to 255. It is shifted up to 128 or more when the next bit is read. */
  range: i32;
  /** Number of known bits of `value`, minus the 8 that are needed to decode a bit. */
  bits: i32;
  /** A bit was read that the partition does not have, or the partition is empty. */
  ended: bool;
}

@unmanaged
export class Decoder {
  input: usize;
  inputEnd: usize;
  fault: i32;
  width: i32;
  height: i32;
  /** In macroblocks. */
  columns: i32;
  rows: i32;

  /** The first partition after the frame header: as it is when a read starts, and as it is now. */
  modesStart: BoolReader;
  modes: BoolReader;
  /** MAX_PARTITIONS readers, then the start and end of as many partitions in the file. */
  tokens: usize;
  partitions: usize;
  partitionCount: i32;

  segmented: bool;
  segmentMap: bool;
  segmentsAbsolute: bool;
  /** Three probabilities of the segment tree. */
  segmentProbabilities: usize;
  /** For each segment, i32: quantiser index and loop filter level, absolute or added to the frame's. */
  segmentQuantisers: usize;
  segmentLevels: usize;

  filtered: bool;
  filterSimple: bool;
  filterLevel: i32;
  sharpness: i32;
  /** Added to the filter level of intra macroblocks, and of those with subblock modes. */
  levelDeltaIntra: i32;
  levelDeltaSubblocks: i32;
  /** A FilterStrength for each segment, without and with subblock modes. */
  strengths: usize;

  /** For each segment the Quantiser that quantisers.ts lays out. */
  quantisers: usize;
  /** By block type, coefficient, context and node: see coefficients.ts. */
  probabilities: usize;
  /** Whether macroblocks say that they have no coefficients, and how probable it is that one has. */
  skipping: bool;
  skipProbability: i32;

  /** The macroblock being decoded: BLOCKS of coefficients, zeroed, and a byte of Extent for each. */
  coefficients: usize;
  extents: usize;
  segment: i32;
  skipped: bool;
  lumaMode: i32;
  chromaMode: i32;
  /** 16 subblock modes. */
  subblockModes: usize;

  /** A record for each column, and the one to the left. */
  records: usize;
  left: usize;
  /**
   * The lowest row of the macroblocks above before it was filtered, and a little to both sides: luma, and
   * chroma in the planes' order.
   */
  lumaAbove: usize;
  chromaAbove: usize;
  /** See planes.ts. */
  luma: usize;
  chroma: usize;
  stride: usize;
  /** 24 rows of 16 bytes: columns that are filtered. */
  transposed: usize;

  /** RGBA rows. */
  strip: usize;
  stripRows: i32;
  stripY: i32;
  /** The macroblock row decoded last, −1 before the first. */
  row: i32;
  /** Pixel rows that can be made and have not been. */
  readyFrom: i32;
  readyTo: i32;
  /** Pixel rows above this one are not made. */
  firstRow: i32;
}

/** Notes the first fault. @returns false, for the caller to pass on */
export function fail(decoder: Decoder, fault: i32): bool {
  if (decoder.fault === Vp8Fault.NONE) decoder.fault = fault;
  return false;
}
