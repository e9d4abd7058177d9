/** Numbers that the output of AV1 pictures and its host (src/core/av1/output.ts) share. */

/** Samples that upsampling keeps free before a row of its own, so that the row has a left neighbour. */
export const ROW_LEAD = 8;
/** f32 of a colour matrix: for red, green, blue what Y, U, V are multiplied with and what is added. */
export const MATRIX_VALUES = 12;
