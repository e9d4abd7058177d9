/** The inverse Walsh–Hadamard transform of lossless 4 × 4 blocks (section 7.13.2.10). */

const work: usize = memory.data(16 * 4, 16);

/** Adds the residual to `dst` and clears the coefficients; parameters as those of `inverseTransform`. */
export function inverseWalshHadamard(coefficients: usize, dst: usize, stride: usize, bitDepth: i32): void {
  const most = (1 << (max(bitDepth + 6, 16) - 1)) - 1;
  for (let i: usize = 0; i < 4; i++) {
    const row = coefficients + (i << 4);
    walshHadamard(row, 4, 2, work + (i << 4), most);
    v128.store(row, i32x4.splat(0));
  }
  const highest = (1 << bitDepth) - 1;
  for (let j: usize = 0; j < 4; j++) {
    const column = work + (j << 2);
    walshHadamard(column, 16, 0, column, i32.MAX_VALUE);
    for (let i: usize = 0; i < 4; i++) {
      const at = dst + i * stride + (j << 1);
      const sample = <i32>load<u16>(at) + load<i32>(column + (i << 4));
      store<u16>(at, <u16>max(0, min(highest, sample)));
    }
  }
}

/** Four values `spacing` bytes apart; the results are clamped to −most − 1 … most. */
// @inline
function walshHadamard(from: usize, spacing: usize, shift: i32, to: usize, most: i32): void {
  let a = load<i32>(from) >> shift;
  let c = load<i32>(from + spacing) >> shift;
  let d = load<i32>(from + spacing * 2) >> shift;
  let b = load<i32>(from + spacing * 3) >> shift;
  a += c;
  d -= b;
  const e = (a - d) >> 1;
  b = e - b;
  c = e - c;
  store<i32>(to, clamped(a - b, most));
  store<i32>(to + spacing, clamped(b, most));
  store<i32>(to + spacing * 2, clamped(c, most));
  store<i32>(to + spacing * 3, clamped(d + c, most));
}

// @inline
function clamped(x: i32, most: i32): i32 {
  return max(-most - 1, min(most, x));
}
