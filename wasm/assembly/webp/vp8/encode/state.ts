/** What the encoder of VP8 key frames holds. Memory is laid out by layout.ts; nothing is reserved later. */

export const SEGMENTS: i32 = 4;

/** The boolean entropy encoder of one partition (RFC 6386 section 7); see bool_writer.ts. */
@unmanaged
export class BoolWriter {
  /** The interval's lower end: `count` bits, below 8 more and a carry. */
  low: u64;
  /** The interval's size, 128 to 255. */
  range: i32;
  count: i32;
  /** The last byte that is no 255, which a carry may still change, −1 for none; and the 255s after it. */
  pending: i32;
  run: i32;
  start: usize;
  at: usize;
  end: usize;
  /** Full pieces are handed to the host; else what does not fit any more is counted, not written. */
  streamed: bool;
}

/** What the pixels are read for. */
export const enum Reading {
  /** Every so many macroblock rows: what the frame header says. */
  Sampling = 0,
  Writing = 1,
}

@unmanaged
export class Encoder {
  width: i32;
  height: i32;
  quality: i32;
  /** In macroblocks. */
  columns: i32;
  rows: i32;
  reading: i32;
  /** Every so many macroblock rows are sampled. */
  step: i32;
  /** The macroblock row being filled, and pixel rows in it. */
  row: i32;
  rowsFilled: i32;

  /** One macroblock row of samples: 16 rows of luma; 8 of chroma, 8 of U and 8 of V by turns. */
  luma: usize;
  chroma: usize;
  stride: usize;
  /** Alpha of its pixels, 16 a macroblock in each row; 0 where all are opaque. */
  alpha: usize;
  /** Colours of an even row's pixels, summed by pairs: see colour.ts. */
  pairs: usize;
  /** The row of samples above those: what the picture has there. */
  sourceLumaAbove: usize;
  sourceChromaAbove: usize;
  /** The same as a decoder sees it. */
  lumaAbove: usize;
  chromaAbove: usize;
  /** A record for each column, as the decoder has them, and the one to the left. */
  records: usize;
  left: usize;
  /** What chroma's DCs lack, for the macroblocks below: see chroma_errors.ts. */
  chromaErrors: usize;

  /** Of the macroblock row's macroblocks: see analysis.ts. */
  susceptibilities: usize;
  /** Segments: see segments.ts. */
  segments: usize;
  segmentCount: i32;
  /** Macroblocks by susceptibility (256 u32), and the segment of each (256 bytes). */
  histogram: usize;
  segmentOf: usize;
  /** Sum of the macroblocks' chroma susceptibilities, and how many there are. */
  chromaSum: u32;
  analysed: u32;
  /** Macroblocks whose tokens were counted, those of them without any, and those of each segment. */
  sampled: u32;
  empty: u32;
  inSegment: usize;
  chromaDcDelta: i32;
  chromaAcDelta: i32;

  /** Ends of blocks in macroblocks without levels: see skipping.ts. */
  emptyEnds: usize;
  /** Counts of coefficient tokens, probabilities, and prices by them. */
  statistics: usize;
  probabilities: usize;
  prices: usize;

  skipping: bool;
  skipProbability: i32;
  /** Probabilities of the segment tree. */
  segmentProbabilities: u32;

  /** The frame's header and first partition; and coefficients to be handed over. */
  frame: usize;
  piece: usize;
  modes: BoolWriter;
  tokens: BoolWriter;
  /** What a mode's bits cost, times so much: above 1 where the first partition might become too long. */
  pressure: f64;
  /** Bits in the first partition after the last macroblock row, and macroblocks to come. */
  headerBits: i64;
  blocksLeft: i64;

  /** The macroblock at hand. */
  segment: i32;
  lumaMode: i32;
  chromaMode: i32;
}
