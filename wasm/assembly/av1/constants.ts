/** Numbers that the AV1 decoder and its host (src/core/av1/picture.ts) share. */

/** In place of a number of rows: decoding stopped on its way to them, so that others can have their turn. */
export const ROW_UNFINISHED = 1048576;
/** Luma samples of the superblocks that are decoded before such a stop: some 3 ms of lossless ones. */
export const SAMPLES_AT_ONCE = 16384;
