/** The inverse transform of blocks with nothing but a DC: all samples get the same residual. */
import { log2Height, log2Width, rowShift } from './kinds';

/** √½ in 12 fractional bits. */
const ROOT_HALF: i32 = 2896;

/** Adds what DCT_DCT makes of `dc` to a block; parameters as those of `inverseTransform`. */
export function addDc(dc: i32, dst: usize, stride: usize, txSize: i32, bitDepth: i32): void {
  const log2W = log2Width(txSize);
  const log2H = log2Height(txSize);
  const shift = rowShift(txSize);
  const inRow = abs(log2W - log2H) === 1 ? scaled(dc) : dc;
  const between = clamped((scaled(inRow) + ((1 << shift) >> 1)) >> shift, max(bitDepth + 6, 16));
  const difference: i32 = (scaled(between) + 8) >> 4;
  const residual = i16x8.splat(<i16>difference);
  const mostSample: i32 = (1 << bitDepth) - 1;
  const highest = i16x8.splat(<i16>mostSample);
  const end = dst + (stride << log2H);
  if (log2W === 2) {
    for (; dst < end; dst += stride) {
      v128.store64_lane(dst, clipped(v128.load64_zero(dst), residual, highest), 0);
    }
    return;
  }
  const rowBytes: usize = (<usize>2) << log2W;
  for (; dst < end; dst += stride) {
    for (let at = dst; at < dst + rowBytes; at += 16) {
      v128.store(at, clipped(v128.load(at), residual, highest));
    }
  }
}

// @inline
function scaled(x: i32): i32 {
  return (x * ROOT_HALF + 2048) >> 12;
}

// @inline
function clamped(x: i32, bits: i32): i32 {
  const most = (1 << (bits - 1)) - 1;
  return max(-most - 1, min(most, x));
}

/** Samples of up to 12 bits plus residuals of up to 14. */
// @inline
function clipped(samples: v128, residual: v128, highest: v128): v128 {
  return i16x8.max_s(i16x8.min_s(i16x8.add(samples, residual), highest), i16x8.splat(0));
}
