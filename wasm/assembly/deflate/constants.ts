/** Numbers that deflate and its host (src/core/deflate.ts) share. */

/** What to look for: repetitions of the byte before; the nearest matches; the cheapest way of all. */
export const TUNING_RUNS = 0;
export const TUNING_QUICK = 1;
export const TUNING_CHEAPEST = 2;

/** Why a run stopped. */
export const RUN_NEEDS_INPUT = 0;
export const RUN_HAS_OUTPUT = 1;
