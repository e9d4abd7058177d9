/** Numbers that the decoder and its host (src/core/jpeg/decode.ts) share. */

/** Colour model of the samples (a decoder's `colour`). "Inverted" stores full ink as 0, as Adobe does. */
export const COLOUR_GREY = 0;
export const COLOUR_RGB = 1;
export const COLOUR_YCBCR = 2;
export const COLOUR_CMYK = 3;
export const COLOUR_INVERTED_CMYK = 4;
export const COLOUR_INVERTED_YCCK = 5;

/** What three or four components mean: decided by the file's markers, or told by its container. */
export const SPACE_BY_MARKERS = 0;
export const SPACE_YCBCR = 1;
export const SPACE_RGB = 2;

/** ITU-T T.81 Table B.2: at most 4 components in a scan; this decoder reads no frame with more. */
export const MAX_COMPONENTS = 4;
/**
 * More scans than any encoder writes (a full script of single bit planes has under 100 for three components).
 */
export const MAX_SCANS = 256;

/**
 * Returned in place of a number of rows: decoding paused before they were ready, so that other jobs get a
 * turn.
 */
export const ROW_UNFINISHED = 65536;
/** Blocks decoded before such a pause: about 10 ms of the slowest kind. */
export const BLOCKS_AT_ONCE = 4096;
