/**
 * Numbers that all parts of the core and their host (src/core/sizes.ts, memory_pool.ts) share, and the
 * options of the compiler (scripts/core/compile.mjs).
 */

/** Alignment of every allocation, in bytes, so that no v128 load crosses a cache line. */
export const ALIGNMENT = 16;
/** A page of linear memory (WebAssembly specification, "Memory Instances"). */
export const PAGE_BYTES = 65536;
/**
 * Pages that every core starts with, for its static data. The compiler rejects a number that is too small.
 */
export const INITIAL_PAGES = 3;
/** Bytes that kernels may read or write past the end of a row: every row buffer is this much longer. */
export const ROW_SLACK = 64;
