/** Numbers that inflate and its host (src/core/deflate/inflate.ts) share: why a run stopped. */

export const RUN_FULL = 0;
export const RUN_NEEDS_INPUT = 1;
export const RUN_END = 2;
export const RUN_CORRUPT = 3;
