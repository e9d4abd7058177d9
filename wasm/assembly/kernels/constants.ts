/** Numbers that the kernels and their host (src/core/kernels/resizer.ts, kernels.ts) share. */

/** A resize weight of 1. Weights are i16, because a Lanczos weight is below 2 even at a border. */
export const WEIGHT_ONE = 16384;
/** Bytes of one block's sums: red, green, blue and alpha as f64. */
export const BLOCK_SUM_BYTES = 32;
