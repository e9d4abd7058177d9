/**
 * What nobody sees takes few bits and does not ring into what is seen: samples where alpha is 0 become the
 * mean of those around them that are seen, by blocks of 8 × 8 pixels; blocks that nobody sees become what the
 * block to their left was.
 */
import { Encoder } from './state';

const EDGE: usize = 8;
/** Chroma samples of a block. */
const CHROMA_EDGE: usize = 4;
const MIDDLE: u32 = 128;

/** Of the block to the left. */
let lastLuma: u32 = MIDDLE;
let lastU: u32 = MIDDLE;
let lastV: u32 = MIDDLE;

/** The macroblock row that is about to be encoded, all of its rows filled. */
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
      // Eight samples of U, then eight of V, for each 16 pixels.
      const chroma = encoder.chroma + (y >> 1) * stride + (x & ~15) + ((x & 8) >> 1);
      lastU = fillChroma(chroma, stride, alpha, end, lastU);
      lastV = fillChroma(chroma + 8, stride, alpha, end, lastV);
    }
  }
}

/** Whether no alpha of the block is 0. */
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

/** Whether none of a chroma sample's four pixels is seen. */
// @inline
function isHidden(alpha: usize, stride: usize): bool {
  return (load<u16>(alpha) | load<u16>(alpha + stride)) === 0;
}

/** @returns the samples' mean, or `last` where there are none */
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
