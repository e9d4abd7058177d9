/** Why decoding stopped. src/core/av1_faults.ts has the sentences. */
export const NONE = 0;
export const OUT_OF_MEMORY = 1;
