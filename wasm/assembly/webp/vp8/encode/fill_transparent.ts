/**
 * Makes invisible samples cheap, and keeps them from ringing into visible ones. In blocks of 8 × 8 pixels,
 * samples where alpha is 0 become the mean of the block's visible ones. A block that is all invisible becomes
 * what the block to its left was.
 */
import { Encoder } from './state';

const EDGE: usize = 8;
/** Chroma samples of a block. */
const CHROMA_EDGE: usize = 4;
const MIDDLE: u32 = 128;

/** Mean values of the block to the left. */
let lastLuma: u32 = MIDDLE;
let lastU: u32 = MIDDLE;
let lastV: u32 = MIDDLE;

/** Fills the macroblock row that is about to be encoded; all of its rows must be complete. */
export function fillTransparent(encoder: Encoder): void {
  const stride = encoder.stride;
  const end = (<usize>encoder.columns) << 4;
  for (let y: usize = 0; y < 16; y += EDGE) {
    lastLuma = MIDDLE;
    lastU = MIDDLE;
    lastV = MIDDLE;
    for (let x: usize = 0; x < end; x += EDGE) {
      const alpha = encoder.alpha + y * end + x;
      if (isSeen(alpha, end)) continue;
      fillLuma(encoder.luma + y * stride + x, stride, alpha, end);
      // Every 16 pixels have eight samples of U, then eight of V.
      const chroma = encoder.chroma + (y >> 1) * stride + (x & ~15) + ((x & 8) >> 1);
      lastU = fillChroma(chroma, stride, alpha, end, lastU);
      lastV = fillChroma(chroma + 8, stride, alpha, end, lastV);
    }
  }
}

/** Whether all pixels of the block are visible (alpha above 0). */
// @inline
function isSeen(alpha: usize, stride: usize): bool {
  let least = i64x2.splat(-1);
  for (let y: usize = 0; y < EDGE; y++, alpha += stride) {
    least = i8x16.min_u(least, v128.load64_splat(alpha));
  }
  return i8x16.all_true(least);
}

function fillLuma(luma: usize, stride: usize, alpha: usize, alphaStride: usize): void {
  let sum: u32 = 0;
  let count: u32 = 0;
  for (let y: usize = 0; y < EDGE; y++) {
    for (let x: usize = 0; x < EDGE; x++) {
      if (load<u8>(alpha + y * alphaStride + x) === 0) continue;
      sum += load<u8>(luma + y * stride + x);
      count++;
    }
  }
  if (count > 0) lastLuma = (sum + (count >> 1)) / count;
  for (let y: usize = 0; y < EDGE; y++) {
    for (let x: usize = 0; x < EDGE; x++) {
      if (load<u8>(alpha + y * alphaStride + x) === 0) store<u8>(luma + y * stride + x, lastLuma);
    }
  }
}

/** Whether none of a chroma sample's four pixels is visible. */
// @inline
function isHidden(alpha: usize, stride: usize): bool {
  return (load<u16>(alpha) | load<u16>(alpha + stride)) === 0;
}

/**
 * Fills the invisible samples of one chroma block.
 * @returns the mean of the visible samples, or `last` if there are none
 */
function fillChroma(chroma: usize, stride: usize, alpha: usize, alphaStride: usize, last: u32): u32 {
  let sum: u32 = 0;
  let count: u32 = 0;
  for (let y: usize = 0; y < CHROMA_EDGE; y++) {
    for (let x: usize = 0; x < CHROMA_EDGE; x++) {
      if (isHidden(alpha + 2 * y * alphaStride + 2 * x, alphaStride)) continue;
      sum += load<u8>(chroma + y * stride + x);
      count++;
    }
  }
  if (count > 0) last = (sum + (count >> 1)) / count;
  for (let y: usize = 0; y < CHROMA_EDGE; y++) {
    for (let x: usize = 0; x < CHROMA_EDGE; x++) {
      if (isHidden(alpha + 2 * y * alphaStride + 2 * x, alphaStride))
        store<u8>(chroma + y * stride + x, last);
    }
  }
  return last;
}
