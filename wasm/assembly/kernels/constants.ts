/** Numbers that the kernels and their host (src/core/resizer.ts, kernels.ts) share. */

/** A resize weight of 1; weights are i16, since a Lanczos weight is less than 2, at a border, too. */
export const WEIGHT_ONE = 16384;
/** Bytes of one block's sums: red, green, blue and alpha as f64. */
export const BLOCK_SUM_BYTES = 32;
