/** Why decoding stopped. src/core/jpeg/faults.ts has the messages for callers. */

export const NONE = 0;
export const OUT_OF_MEMORY = 1;
export const NO_SOI = 2;
export const SEGMENT_OVERRUN = 3;
export const UNKNOWN_MARKER = 4;
export const BAD_FRAME = 5;
export const BAD_SCAN = 6;
export const BAD_HUFFMAN_TABLE = 7;
export const BAD_QUANT_TABLE = 8;
export const MISSING_QUANT_TABLE = 9;
export const NO_SCAN = 10;
export const MISSING_COMPONENT = 11;
export const MISSING_LINES = 12;
export const BAD_PROGRESSION = 13;
export const TOO_MANY_SCANS = 14;
export const ARITHMETIC = 15;
export const LOSSLESS = 16;
export const HIERARCHICAL = 17;
export const PRECISION = 18;
export const COMPONENT_COUNT = 19;
export const ENTROPY_ENDED = 20;
export const ENTROPY_CODE = 21;
export const ENTROPY_LEFT_OVER = 22;
export const RESTART_MISSING = 23;
export const MISSING_EOI = 24;
export const BAD_DRI = 25;
