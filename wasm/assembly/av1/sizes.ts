/** Block and transform sizes (sections 6.10.4, 6.10.16 and 9.3), numbered as in the specification. */

export const enum Block {
  B4x4 = 0,
  B8x8 = 3,
  B16x16 = 6,
  B32x32 = 9,
  B64x64 = 12,
  B128x128 = 15,
}
export const enum Tx {
  T4x4 = 0,
  T32x32 = 3,
  T64x64 = 4,
  T16x32 = 9,
  T32x16 = 10,
}

/** log2 of a block's width in 4 × 4 blocks, and of its height. */
const WIDTH_LOG2: usize = memory.data<u8>([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 0, 2, 1, 3, 2, 4]);
const HEIGHT_LOG2: usize = memory.data<u8>([
  0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 2, 0, 3, 1, 4, 2,
]);
/** Max_Tx_Size_Rect */
const LARGEST_TX: usize = memory.data<u8>([
  0, 5, 6, 1, 7, 8, 2, 9, 10, 3, 11, 12, 4, 4, 4, 4, 13, 14, 15, 16, 17, 18,
]);
/** Max_Tx_Depth, section 5.11.15. */
const TX_DEPTH: usize = memory.data<u8>([0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 2, 2, 3, 3, 4, 4]);
/** The block size by log2 of width and height: index width × 6 + height. 255 if there is none. */
const SIZE_OF: usize = memory.data<u8>([
  0, 1, 16, 255, 255, 255, 2, 3, 4, 18, 255, 255, 17, 5, 6, 7, 20, 255, 255, 19, 8, 9, 10, 255, 255, 255, 21,
  11, 12, 13, 255, 255, 255, 255, 14, 15,
]);

// @inline
export function widthLog2(size: i32): i32 {
  return <i32>load<u8>(WIDTH_LOG2 + <usize>size);
}
// @inline
export function heightLog2(size: i32): i32 {
  return <i32>load<u8>(HEIGHT_LOG2 + <usize>size);
}
// @inline
export function largestTx(size: i32): i32 {
  return <i32>load<u8>(LARGEST_TX + <usize>size);
}
// @inline
export function txDepth(size: i32): i32 {
  return <i32>load<u8>(TX_DEPTH + <usize>size);
}
/** @returns the block size, 255 where there is none */
// @inline
export function sizeOf(widthLog2: i32, heightLog2: i32): i32 {
  return <i32>load<u8>(SIZE_OF + <usize>(widthLog2 * 6 + heightLog2));
}
/** get_plane_residual_size for chroma: the size of a subsampled block, at least 4 × 4. */
// @inline
export function chromaSize(size: i32, subX: i32, subY: i32): i32 {
  return sizeOf(max(0, widthLog2(size) - subX), max(0, heightLog2(size) - subY));
}

/** log2 of a transform block's width and height in samples. */
const TX_WIDTH_LOG2: usize = memory.data<u8>([2, 3, 4, 5, 6, 2, 3, 3, 4, 4, 5, 5, 6, 2, 4, 3, 5, 4, 6]);
const TX_HEIGHT_LOG2: usize = memory.data<u8>([2, 3, 4, 5, 6, 3, 2, 4, 3, 5, 4, 6, 5, 4, 2, 5, 3, 6, 4]);
/** Split_Tx_Size */
const SPLIT_TX: usize = memory.data<u8>([0, 0, 1, 2, 3, 0, 0, 1, 1, 2, 2, 3, 3, 5, 6, 7, 8, 9, 10]);

// @inline
export function txWidthLog2(tx: i32): i32 {
  return <i32>load<u8>(TX_WIDTH_LOG2 + <usize>tx);
}
// @inline
export function txHeightLog2(tx: i32): i32 {
  return <i32>load<u8>(TX_HEIGHT_LOG2 + <usize>tx);
}
// @inline
export function splitTx(tx: i32): i32 {
  return <i32>load<u8>(SPLIT_TX + <usize>tx);
}
/** find_tx_size. @param widthLog2 of 4 × 4 blocks, 0 to 4, as is `heightLog2` */
// @inline
export function txOf(widthLog2: i32, heightLog2: i32): i32 {
  return largestTx(sizeOf(widthLog2, heightLog2));
}
