/**
 * Numbers that all parts of the core and their host (src/core/sizes.ts, memory_pool.ts) share, and the
 * options of the compiler (scripts/core/compile.mjs).
 */

/** Every allocation begins on a multiple of so many bytes, so that no v128 load crosses a cache line. */
export const ALIGNMENT = 16;
/** A page of linear memory (WebAssembly specification, "Memory Instances"). */
export const PAGE_BYTES = 65536;
/** Pages that every core begins with, for its static data: the compiler refuses fewer than these take. */
export const INITIAL_PAGES = 3;
/** Bytes that kernels may read or write beyond a row: every buffer of rows has so many more. */
export const ROW_SLACK = 64;
