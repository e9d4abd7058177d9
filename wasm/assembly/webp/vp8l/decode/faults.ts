/** Why a VP8L or ALPH stream was refused. src/core/webp/lossless_faults.ts has the messages for callers. */
export const NONE = 0;
export const OUT_OF_MEMORY = 1;
export const BAD_SIGNATURE = 2;
export const BAD_VERSION = 3;
export const REPEATED_TRANSFORM = 4;
export const BAD_CACHE_SIZE = 5;
export const BAD_CODE = 6;
export const TRUNCATED = 7;
export const BAD_REFERENCE = 8;
export const TOO_MUCH_MEMORY = 9;
export const TOO_MANY_CODES = 10;
export const BAD_ALPHA_HEADER = 11;
