/** Numbers that deflate and its host (src/core/deflate/deflate.ts) share. */

/** How to parse: only repetitions of the last byte; the cheapest path for filtered rows; for any bytes. */
export const TUNING_RUNS = 0;
export const TUNING_RESIDUALS = 1;
export const TUNING_CHEAPEST = 2;

/** Why a run stopped. */
export const RUN_NEEDS_INPUT = 0;
export const RUN_HAS_OUTPUT = 1;
