/** Numbers that the encoder and its host (src/core/jpeg/encode.ts) share. */

/** Blocks of an MCU: grey, one; 4:4:4, one per component; 4:2:0, four of luma and two of chroma. */
export const SAMPLING_GREY = 0;
export const SAMPLING_FULL = 1;
export const SAMPLING_HALVED = 2;

/** Result of each call. */
export const STATUS_OK = 0;
/** The colours change too sharply for 4:2:0; see downsample.ts. */
export const STATUS_WANTS_FULL_CHROMA = 1;
