/** Why decoding stopped. src/core/webp/lossy_faults.ts has the messages for callers. */
export const NONE = 0;
export const OUT_OF_MEMORY = 1;
export const HEADER_CUT = 2;
export const NO_START_CODE = 3;
export const NOT_KEY_FRAME = 4;
export const VERSION = 5;
export const NOT_SHOWN = 6;
export const NO_PIXELS = 7;
export const FIRST_PARTITION_CUT = 8;
export const TOKEN_PARTITIONS_CUT = 9;
export const HEADER_ENDED = 10;
export const MODES_ENDED = 11;
export const TOKENS_ENDED = 12;
