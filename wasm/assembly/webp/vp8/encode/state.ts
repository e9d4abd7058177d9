/**
 * The state of the encoder for VP8 key frames. Memory is laid out by layout.ts; nothing is reserved later.
 */

export const SEGMENTS: i32 = 4;

/** The boolean entropy encoder of one partition (RFC 6386 section 7); see bool_writer.ts. */
@unmanaged
export class BoolWriter {
  /** The interval's lower end: `count` bits to move out, 8 more below them, and a carry above. */
  low: u64;
  /** The interval's size, 128 to 255. */
  range: i32;
  count: i32;
  /**
   * The last byte that is not 255 and that a carry may still change, −1 for none; and the number of 255s
   * after it.
   */
  pending: i32;
  run: i32;
  start: usize;
  at: usize;
  end: usize;
  /** True: full pieces are handed to the host. False: bytes that do not fit are counted, but not written. */
  streamed: bool;
}

/** Purpose of a reading of the pixels. */
export const enum Reading {
  /** Reads every `step`-th macroblock row to decide what the frame header says. */
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
  /** Every `step`-th macroblock row is sampled. */
  step: i32;
  /** The macroblock row being filled, and the number of pixel rows in it. */
  row: i32;
  rowsFilled: i32;

  /**
   * One macroblock row of samples: 16 rows of luma; 8 rows of chroma, with 8 samples of U and 8 of V
   * alternately.
   */
  luma: usize;
  chroma: usize;
  stride: usize;
  /** Alpha of its pixels, 16 per macroblock in each row; 0 if all are opaque. */
  alpha: usize;
  /** Colours of an even row's pixels, summed in pairs: see colour.ts. */
  pairs: usize;
  /** The row of samples above those, as in the picture. */
  sourceLumaAbove: usize;
  sourceChromaAbove: usize;
  /** The same row as a decoder sees it; between sampled rows its errors (sampled_errors.ts). */
  lumaAbove: usize;
  chromaAbove: usize;
  /** A record per column, as in the decoder, and the record of the macroblock to the left. */
  records: usize;
  left: usize;
  /** Errors of chroma DCs, for the macroblocks below: see chroma_errors.ts. */
  chromaErrors: usize;

  /** Susceptibilities of the row's macroblocks: see analysis.ts. */
  susceptibilities: usize;
  /** Segments: see segments.ts. */
  segments: usize;
  segmentCount: i32;
  /**
   * Number of macroblocks with each susceptibility (256 u32), and each susceptibility's segment (256 bytes).
   */
  histogram: usize;
  segmentOf: usize;
  /** Sum of the chroma activities of sampled macroblocks that have enough of it, and their number. */
  chromaSum: u32;
  analysed: u32;
  /** How much is masked in the picture: see error_weights.ts. */
  leastMasking: f64;
  maskingSum: f64;
  maskingCount: f64;
  meanMasking: f64;
  /**
   * Number of macroblocks whose tokens were counted, of those among them without any, and of those in each
   * segment.
   */
  sampled: u32;
  empty: u32;
  inSegment: usize;
  chromaDcDelta: i32;
  chromaAcDelta: i32;

  /** Ends of blocks in macroblocks without levels: see skipping.ts. */
  emptyEnds: usize;
  /** Counts of coefficient tokens, probabilities, and prices based on them. */
  statistics: usize;
  probabilities: usize;
  prices: usize;

  skipping: bool;
  skipProbability: i32;
  /** Probabilities of the segment tree. */
  segmentProbabilities: u32;

  /** The frame's header and first partition; and the piece of coefficients to hand over. */
  frame: usize;
  piece: usize;
  modes: BoolWriter;
  tokens: BoolWriter;
  /** Factor for the price of a mode's bits: above 1 if the first partition might become too long. */
  pressure: f64;
  /** Bits in the first partition after the last macroblock row, and macroblocks still to come. */
  headerBits: i64;
  blocksLeft: i64;

  /** The current macroblock. */
  segment: i32;
  lumaMode: i32;
  chromaMode: i32;
}
