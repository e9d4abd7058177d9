/**
 * Inverse DCTs that give 4 × 4 or 2 × 2 samples per block, averages of its 64: the IJG's jidctred.c (13-bit
 * constants, two fractional bits between the passes), so that a shrunk image equals libjpeg-turbo's.
 */
/** Pairs of multipliers, in all four 32-bit lanes. */
// biome-ignore format: a multiplier pair a line
const PAIRS: usize = memory.data<i16>(
  [
    15137, -6270, 15137, -6270, 15137, -6270, 15137, -6270,     // 4 × 4, even: in2 × 1.848, in6 × −0.765
    20995, 7373, 20995, 7373, 20995, 7373, 20995, 7373,         // outer: in1 × 2.563, in3 × 0.900
    -4926, -4176, -4926, -4176, -4926, -4176, -4926, -4176,     // in5 × −0.601, in7 × −0.510
    8697, -17799, 8697, -17799, 8697, -17799, 8697, -17799,     // inner: in1 × 1.062, in3 × −2.173
    11893, -1730, 11893, -1730, 11893, -1730, 11893, -1730,     // in5 × 1.452, in7 × −0.211
    29692, -10426, 29692, -10426, 29692, -10426, 29692, -10426, // 2 × 2: in1 × 3.625, in3 × −1.273
    6967, -5906, 6967, -5906, 6967, -5906, 6967, -5906,         // in5 × 0.850, in7 × −0.721
  ],
  16,
);

/** Rows of the first pass: 4 × 8 i16. */
const WORK: usize = memory.data(64, 16);
/** Four columns of four i32. */
const COLUMNS: usize = memory.data(64, 16);

// @inline
function dot(values: v128, pair: usize): v128 {
  return i32x4.dot_i16x8_s(values, v128.load(PAIRS + pair * 16));
}

// @inline
function low(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @inline
function high(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// @inline
function row(block: usize, quant: usize, index: usize): v128 {
  return i16x8.mul(v128.load(block + index * 16), v128.load(quant + index * 16));
}

// @inline
function descale(value: v128, shift: i32): v128 {
  return i32x4.shr_s(i32x4.add(value, i32x4.splat(1 << (shift - 1))), shift);
}

// @inline
function clampByte(value: i32): i32 {
  value += 128;
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

/** Makes 4 × 4 samples. Coefficients of row 4 and column 4 are not used. */
export function idct4(block: usize, quant: usize, to: usize, stride: usize): void {
  const in0 = row(block, quant, 0);
  const in1 = row(block, quant, 1);
  const in2 = row(block, quant, 2);
  const in3 = row(block, quant, 3);
  const in5 = row(block, quant, 5);
  const in6 = row(block, quant, 6);
  const in7 = row(block, quant, 7);
  const base0 = i32x4.shl(i32x4.extend_low_i16x8_s(in0), 14);
  const base1 = i32x4.shl(i32x4.extend_high_i16x8_s(in0), 14);
  const even0 = dot(low(in2, in6), 0);
  const even1 = dot(high(in2, in6), 0);
  const odd13Low = low(in1, in3);
  const odd13High = high(in1, in3);
  const odd57Low = low(in5, in7);
  const odd57High = high(in5, in7);
  const outer0 = i32x4.add(dot(odd13Low, 1), dot(odd57Low, 2));
  const outer1 = i32x4.add(dot(odd13High, 1), dot(odd57High, 2));
  const inner0 = i32x4.add(dot(odd13Low, 3), dot(odd57Low, 4));
  const inner1 = i32x4.add(dot(odd13High, 3), dot(odd57High, 4));
  const a0 = i32x4.add(base0, even0);
  const a1 = i32x4.add(base1, even1);
  const b0 = i32x4.sub(base0, even0);
  const b1 = i32x4.sub(base1, even1);
  const rows0 = i16x8.narrow_i32x4_s(descale(i32x4.add(a0, outer0), 12), descale(i32x4.add(a1, outer1), 12));
  const rows1 = i16x8.narrow_i32x4_s(descale(i32x4.add(b0, inner0), 12), descale(i32x4.add(b1, inner1), 12));
  const rows2 = i16x8.narrow_i32x4_s(descale(i32x4.sub(b0, inner0), 12), descale(i32x4.sub(b1, inner1), 12));
  const rows3 = i16x8.narrow_i32x4_s(descale(i32x4.sub(a0, outer0), 12), descale(i32x4.sub(a1, outer1), 12));

  // Transposes four rows of eight to eight columns of four, two columns per vector: 01, 23, 45, 67.
  const t0 = low(rows0, rows2);
  const t1 = low(rows1, rows3);
  const t2 = high(rows0, rows2);
  const t3 = high(rows1, rows3);
  const columns01 = low(t0, t1);
  const columns23 = high(t0, t1);
  const columns45 = low(t2, t3);
  const columns67 = high(t2, t3);
  const base = i32x4.shl(i32x4.extend_low_i16x8_s(columns01), 14);
  const even = dot(low(columns23, v128.shuffle<i64>(columns67, columns67, 0, 0)), 0);
  const odd13 = v128.shuffle<i16>(columns01, columns23, 4, 12, 5, 13, 6, 14, 7, 15);
  const odd57 = v128.shuffle<i16>(columns45, columns67, 4, 12, 5, 13, 6, 14, 7, 15);
  const outer = i32x4.add(dot(odd13, 1), dot(odd57, 2));
  const inner = i32x4.add(dot(odd13, 3), dot(odd57, 4));
  const a = i32x4.add(base, even);
  const b = i32x4.sub(base, even);
  v128.store(COLUMNS, descale(i32x4.add(a, outer), 19));
  v128.store(COLUMNS + 16, descale(i32x4.add(b, inner), 19));
  v128.store(COLUMNS + 32, descale(i32x4.sub(b, inner), 19));
  v128.store(COLUMNS + 48, descale(i32x4.sub(a, outer), 19));
  for (let y: usize = 0; y < 4; y++) {
    for (let x: usize = 0; x < 4; x++) store<u8>(to + x, clampByte(load<i32>(COLUMNS + x * 16 + y * 4)));
    to += stride;
  }
}

/** Makes 2 × 2 samples, from row and column 0 and the odd ones. */
export function idct2(block: usize, quant: usize, to: usize, stride: usize): void {
  const in0 = row(block, quant, 0);
  const in1 = row(block, quant, 1);
  const in3 = row(block, quant, 3);
  const in5 = row(block, quant, 5);
  const in7 = row(block, quant, 7);
  const base0 = i32x4.shl(i32x4.extend_low_i16x8_s(in0), 15);
  const base1 = i32x4.shl(i32x4.extend_high_i16x8_s(in0), 15);
  const odd0 = i32x4.add(dot(low(in1, in3), 5), dot(low(in5, in7), 6));
  const odd1 = i32x4.add(dot(high(in1, in3), 5), dot(high(in5, in7), 6));
  v128.store(
    WORK,
    i16x8.narrow_i32x4_s(descale(i32x4.add(base0, odd0), 13), descale(i32x4.add(base1, odd1), 13)),
  );
  v128.store(
    WORK + 16,
    i16x8.narrow_i32x4_s(descale(i32x4.sub(base0, odd0), 13), descale(i32x4.sub(base1, odd1), 13)),
  );
  for (let y: usize = 0; y < 2; y++) {
    const at = WORK + y * 16;
    const base = (<i32>load<i16>(at)) << 15;
    const odd =
      <i32>load<i16>(at, 2) * 29692 -
      <i32>load<i16>(at, 6) * 10426 +
      <i32>load<i16>(at, 10) * 6967 -
      <i32>load<i16>(at, 14) * 5906;
    store<u8>(to, clampByte((base + odd + (1 << 19)) >> 20));
    store<u8>(to + 1, clampByte((base - odd + (1 << 19)) >> 20));
    to += stride;
  }
}
