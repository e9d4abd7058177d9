/**
 * The transforms of the columns of a block (section 7.13.3) and their addition to the prediction (7.12.3).
 */
import { identityColumns } from './identity';
import { columnKind, Kind, log2Height, log2Width, transform } from './kinds';
import { outputs, transformed, transformedStride } from './rows';

/**
 * Transforms the columns of `transformed` and adds them to the samples at `dst`.
 * @param most highest value between the stages of a column (colClampRange), in all lanes
 */
export function transformColumns<L>(
  dst: usize,
  stride: usize,
  txSize: i32,
  txType: i32,
  lastRow: i32,
  bitDepth: i32,
  most: v128,
): void {
  const lanes: i32 = 16 / <i32>sizeof<L>();
  const log2W = log2Width(txSize);
  const log2H = log2Height(txSize);
  const kind = columnKind(txType);
  const spacing = transformedStride<L>(log2W);
  const mostSample: i32 = (1 << bitDepth) - 1;
  const highest = i16x8.splat(<i16>mostSample);
  // Upside down the last row gets the first output.
  let first = dst;
  let step = stride;
  if (kind === Kind.FlipAdst) {
    first += stride * ((1 << log2H) - 1);
    step = -stride;
  }
  let from = transformed;
  for (let column = 0; column < 1 << log2W; column += lanes) {
    if (kind === Kind.Identity) identityColumns<L>(from, spacing, outputs, log2H);
    else transform<L>(kind, log2H, from, spacing, outputs, lastRow + 1, most);
    addOutputs<L>(first, step, 1 << log2H, log2W === 2, highest);
    from += 16;
    first += (<usize>lanes) << 1;
  }
}

/** Adds Round2(·, 4) of `outputs` to columns of samples: as many as there are lanes, or 4. */
// @inline
function addOutputs<L>(dst: usize, step: usize, height: i32, isNarrow: bool, highest: v128): void {
  const end = outputs + ((<usize>height) << 4);
  for (let at = outputs; at < end; at += 16, dst += step) {
    if (sizeof<L>() === 2) {
      const residual = i16x8.shr_s(i16x8.add_sat_s(v128.load(at), i16x8.splat(8)), 4);
      if (isNarrow) v128.store64_lane(dst, clipped(v128.load64_zero(dst), residual, highest), 0);
      else v128.store(dst, clipped(v128.load(dst), residual, highest));
    } else {
      const residual = i32x4.shr_s(i32x4.add(v128.load(at), i32x4.splat(8)), 4);
      const samples = i32x4.add(v128.load16x4_u(dst), residual);
      v128.store64_lane(dst, i16x8.min_u(i16x8.narrow_i32x4_u(samples, samples), highest), 0);
    }
  }
}

/** Samples of 8 bits and residuals of 12. */
// @inline
function clipped(samples: v128, residual: v128, highest: v128): v128 {
  return i16x8.max_s(i16x8.min_s(i16x8.add(samples, residual), highest), i16x8.splat(0));
}
