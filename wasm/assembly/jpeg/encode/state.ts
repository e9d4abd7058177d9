/** The encoder's state: one plain struct in linear memory per job. Nothing is reserved after begin. */

/** MCUs that are tokenised at once; their space is checked beforehand. */
export const SEGMENT_MCUS: i32 = 32;
/** The most bytes that a block's tokens take: 3 for DC, 3 for each AC coefficient, 1 for the end. */
export const BLOCK_TOKEN_BYTES: usize = 196;
/** Blocks of the largest MCU (4:2:0). */
export const MCU_BLOCKS: usize = 6;

/** Bytes of one class of coefficients' statistics: see tokens.ts. */
export const STATISTICS_BYTES: usize = 4096;

@unmanaged
export class Encoder {
  width: i32;
  height: i32;
  /** A SAMPLING of constants.ts. */
  sampling: i32;
  mcusWide: i32;
  /** Pixel rows and columns of an MCU: 8 or 16. */
  mcuSize: i32;
  /** Luma blocks that hold pixels; the MCUs may hold more (T.81 A.2.4). */
  blocksWide: i32;
  blocksHigh: i32;

  /** One MCU row of samples of each component: the encoder's own, or the caller's. */
  luma: usize;
  lumaStride: i32;
  blue: usize;
  red: usize;
  chromaStride: i32;
  /** Two rows of full-width chroma per component, if it is to be halved: rows 0 and 1 of Cb, then of Cr. */
  pair: usize;
  /** Rows taken of the current MCU row, and the number of MCU rows before it. */
  bandRow: i32;
  bandIndex: i32;

  /** Quantisation: see quantise.ts. Luma, then chroma. */
  quantLuma: usize;
  quantChroma: usize;
  /**
   * Prices of levels, luma then chroma (prices.ts); MCUs so far; and the number of MCUs at which they are
   * renewed.
   */
  prices: usize;
  mcusSeen: i32;
  mcusPriced: i32;
  predictionLuma: i32;
  predictionBlue: i32;
  predictionRed: i32;
  /** Statistics of tokens, luma then chroma. */
  statistics: usize;

  /**
   * Quads of pixels with sharp differences in chroma; how many are accepted before 4:4:4 is asked for; and
   * the difference that counts as sharp.
   */
  sharpQuads: i32;
  sharpLimit: i32;
  sharpEdge: i32;

  /** Tables are made and the header is written: from now on tokens become bits at once. */
  writing: bool;
  /** Tokens not yet written. When the next segment's might not fit, the tables are made from those so far. */
  tokens: usize;
  /** Tokens before this address have been written. */
  tokensAt: usize;
  tokensEnd: usize;
  tokensLimit: usize;
  /** Tokens of one segment, once they are written immediately. */
  segment: usize;
  /** Output not yet given to the host: where it begins and where it ends. */
  output: usize;
  out: usize;

  /** Codes of tokens (bits.ts): DC luma, AC luma, DC chroma, AC chroma. */
  codes: usize;
  /** Ring of 64-bit words on their way to the output. */
  ring: usize;
  ringAt: usize;
  acc: u64;
  free: i32;
  /** The end-of-block code still to be written before the next block. */
  pendingCode: u64;
  pendingBits: i32;
  /** A STATUS of constants.ts. */
  status: i32;
}
