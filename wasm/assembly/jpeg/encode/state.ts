/** The encoder's state: one plain struct in linear memory a job. Nothing is reserved after it was begun. */

/** MCUs that are tokenised in one go: what space must be sure for beforehand. */
export const SEGMENT_MCUS: i32 = 32;
/** The most bytes that the tokens of a block take: 3 for DC, 3 for each AC coefficient, 1 for its end. */
export const BLOCK_TOKEN_BYTES: usize = 196;
/** Blocks of the largest MCU (4:2:0). */
export const MCU_BLOCKS: usize = 6;

/** Bytes of one class of coefficients' statistics: see tokens.ts. */
export const STATISTICS_BYTES: usize = 4096;

@unmanaged
export class Encoder {
  width: i32;
  height: i32;
  /** A LAYOUT of constants.ts. */
  sampling: i32;
  mcusWide: i32;
  /** Pixel rows and columns of an MCU: 8 or 16. */
  mcuSize: i32;
  /** Luma blocks that hold pixels; the MCUs may hold more (T.81 A.2.4). */
  blocksWide: i32;
  blocksHigh: i32;

  /** RGBA rows that lie elsewhere are put here, and so many fit. */
  /** One MCU row of samples of each component: the encoder's own, or the caller's. */
  luma: usize;
  lumaStride: i32;
  blue: usize;
  red: usize;
  chromaStride: i32;
  /** Two rows of full-width chroma a component, when it is halved: rows 0 and 1 of Cb, then of Cr. */
  pair: usize;
  /** Rows taken of the current MCU row, and MCU rows before it. */
  bandRow: i32;
  bandIndex: i32;

  /** Quantisation: see quantise.ts. Luma, then chroma. */
  quantLuma: usize;
  quantChroma: usize;
  /** What levels cost, luma then chroma: see prices.ts; MCUs so far, and how many when it is renewed. */
  prices: usize;
  mcusSeen: i32;
  mcusPriced: i32;
  predictionLuma: i32;
  predictionBlue: i32;
  predictionRed: i32;
  /** Statistics of tokens, luma then chroma. */
  statistics: usize;

  /** Quads of pixels whose chroma differs sharply, and how many are borne before 4:4:4 is asked for. */
  sharpQuads: i32;
  sharpLimit: i32;
  sharpEdge: i32;

  /** Tables are made and the header is written: tokens become bits at once. */
  writing: bool;
  /** Tokens not yet written: when the next segment's might not fit, the tables are made from those so far. */
  tokens: usize;
  /** What lies before it is written. */
  tokensAt: usize;
  tokensEnd: usize;
  tokensLimit: usize;
  /** Tokens of one segment, once they are written at once. */
  segment: usize;
  /** Output that the host has not been given yet: where it begins and ends. */
  output: usize;
  out: usize;

  /** Codes a token: see bits.ts. DC luma, AC luma, DC chroma, AC chroma. */
  codes: usize;
  /** Words of bits on their way to the output. */
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
