/** Coefficient tokens (RFC 6386 section 13): the tree, extra bits, bands. */

export const BANDS: i32 = 8;
export const CONTEXTS: i32 = 3;
/** Nodes of all bands and contexts of one block type. */
export const TYPE_NODES: usize = 264;
export const BAND_NODES: usize = 33;
export const CONTEXT_NODES: usize = 11;
export const ALL_NODES: usize = 1056;

/** Section 13.3: the band of each coefficient, and of one past the last. */
export const BAND_OF: usize = memory.data<u8>([0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0]);

/** The smallest value of each large token: two, three, four and the six categories. */
export const LARGE_VALUES: usize = memory.data<u16>([2, 3, 4, 5, 7, 11, 19, 35, 67, 2048]);
/** For each large token, the bits from node 3 on: node << 1 | bit, ended by 0. */
export const LARGE_PATHS: usize = memory.data<u8>([
  6, 8, 0, 0, 6, 9, 10, 0, 6, 9, 11, 0, 7, 12, 14, 0, 7, 12, 15, 0, 7, 13, 16, 18, 7, 13, 16, 19, 7, 13, 17,
  20, 7, 13, 17, 21,
]);
export const LARGE_PATH_BYTES: usize = 4;
/**
 * Probabilities of their extra bits, highest bit first, twelve bytes per token, ended by 0 (section 13.2).
 */
export const EXTRA_PROBABILITIES: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  159, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 165, 145, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 173, 148, 140, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0, 0, 180, 157, 141, 134, 130, 0, 0, 0, 0, 0, 0, 0, 254,
  254, 243, 230, 196, 177, 153, 140, 133, 130, 129, 0,
]);
export const EXTRA_BYTES: usize = 12;
/** Number of extra bits of each large token. */
export const EXTRA_BITS: usize = memory.data<u8>([0, 0, 0, 1, 2, 3, 4, 5, 11]);

/** Index of the large token for a value of 2 or more. */
// @inline
export function largeTokenOf(value: i32): i32 {
  if (value < 5) return value - 2;
  if (value < 7) return 3;
  if (value < 11) return 4;
  if (value < 19) return 5;
  if (value < 35) return 6;
  return value < 67 ? 7 : 8;
}

/**
 * Index of the first node of a band and context: of probabilities, or any other table with an entry per node.
 */
// @inline
export function nodesOf(type: i32, band: i32, context: i32): usize {
  return <usize>type * TYPE_NODES + <usize>band * BAND_NODES + <usize>context * CONTEXT_NODES;
}
