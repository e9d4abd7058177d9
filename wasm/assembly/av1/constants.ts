/** Numbers that the AV1 decoder and its host (src/core/av1/picture.ts) share. */

/**
 * Returned in place of a number of rows: decoding paused before they were ready, so that other jobs get a
 * turn.
 */
export const ROW_UNFINISHED = 1048576;
/** Luma samples decoded before such a pause: about 3 ms of lossless ones. */
export const SAMPLES_AT_ONCE = 16384;
