/** The inverse ADST of 4, 8 and 16 values (sections 7.13.2.6 to 7.13.2.8); parameters as in dct.ts. */
import {
  difference,
  halfDifference,
  halfSum,
  negative,
  pairsHigh,
  pairsLow,
  scaledDown,
  sum,
  turn,
} from './lanes';

/** SINPI_1_9 to SINPI_4_9. */
const SINE1: i32 = 1321;
const SINE2: i32 = 2482;
const SINE3: i32 = 3344;
const SINE4: i32 = 3803;

export function adst4<L>(from: usize, spacing: usize, to: usize): void {
  const in0 = v128.load(from);
  const in1 = v128.load(from + spacing);
  const in2 = v128.load(from + spacing * 2);
  const in3 = v128.load(from + spacing * 3);
  v128.store(to, weighed<L>(in0, in1, in2, in3, SINE1, SINE3, SINE4, SINE2));
  v128.store(to, weighed<L>(in0, in1, in2, in3, SINE2, SINE3, -SINE1, -SINE4), 16);
  v128.store(to, weighed<L>(in0, in1, in2, in3, SINE3, 0, -SINE3, SINE3), 32);
  v128.store(to, weighed<L>(in0, in1, in2, in3, SINE4, -SINE3, SINE2, -SINE1), 48);
}

/** Round2(a · x + b · y + c · z + d · w, 12). */
// @inline
function weighed<L>(x: v128, y: v128, z: v128, w: v128, a: i32, b: i32, c: i32, d: i32): v128 {
  if (sizeof<L>() === 2) {
    const ab = i32x4.splat((a & 0xffff) | (b << 16));
    const cd = i32x4.splat((c & 0xffff) | (d << 16));
    const low = i32x4.add(i32x4.dot_i16x8_s(pairsLow(x, y), ab), i32x4.dot_i16x8_s(pairsLow(z, w), cd));
    const high = i32x4.add(i32x4.dot_i16x8_s(pairsHigh(x, y), ab), i32x4.dot_i16x8_s(pairsHigh(z, w), cd));
    return i16x8.narrow_i32x4_s(scaledDown(low), scaledDown(high));
  }
  const xy = i32x4.add(i32x4.mul(x, i32x4.splat(a)), i32x4.mul(y, i32x4.splat(b)));
  const zw = i32x4.add(i32x4.mul(z, i32x4.splat(c)), i32x4.mul(w, i32x4.splat(d)));
  return scaledDown(i32x4.add(xy, zw));
}

export function adst8<L>(from: usize, spacing: usize, to: usize, most: v128): void {
  const in0 = v128.load(from);
  const in1 = v128.load(from + spacing);
  const in2 = v128.load(from + spacing * 2);
  const in3 = v128.load(from + spacing * 3);
  const in4 = v128.load(from + spacing * 4);
  const in5 = v128.load(from + spacing * 5);
  const in6 = v128.load(from + spacing * 6);
  const in7 = v128.load(from + spacing * 7);
  const a0 = turn<L>(in7, in0, 4076, 401);
  const a1 = turn<L>(in7, in0, 401, -4076);
  const a2 = turn<L>(in5, in2, 3612, 1931);
  const a3 = turn<L>(in5, in2, 1931, -3612);
  const a4 = turn<L>(in3, in4, 2598, 3166);
  const a5 = turn<L>(in3, in4, 3166, -2598);
  const a6 = turn<L>(in1, in6, 1189, 3920);
  const a7 = turn<L>(in1, in6, 3920, -1189);
  const b0 = sum<L>(a0, a4, most);
  const b4 = difference<L>(a0, a4, most);
  const b1 = sum<L>(a1, a5, most);
  const b5 = difference<L>(a1, a5, most);
  const b2 = sum<L>(a2, a6, most);
  const b6 = difference<L>(a2, a6, most);
  const b3 = sum<L>(a3, a7, most);
  const b7 = difference<L>(a3, a7, most);
  const c4 = turn<L>(b4, b5, 3784, 1567);
  const c5 = turn<L>(b4, b5, 1567, -3784);
  const c7 = turn<L>(b7, b6, 1567, 3784);
  const c6 = turn<L>(b7, b6, 3784, -1567);
  const c0 = sum<L>(b0, b2, most);
  const c2 = difference<L>(b0, b2, most);
  const d4 = sum<L>(c4, c6, most);
  const d6 = difference<L>(c4, c6, most);
  const c1 = sum<L>(b1, b3, most);
  const c3 = difference<L>(b1, b3, most);
  const d5 = sum<L>(c5, c7, most);
  const d7 = difference<L>(c5, c7, most);
  const d2 = halfSum<L>(c2, c3);
  const d3 = halfDifference<L>(c2, c3);
  const e6 = halfSum<L>(d6, d7);
  const e7 = halfDifference<L>(d6, d7);
  v128.store(to, c0);
  v128.store(to, negative<L>(d4), 16);
  v128.store(to, e6, 32);
  v128.store(to, negative<L>(d2), 48);
  v128.store(to, d3, 64);
  v128.store(to, negative<L>(e7), 80);
  v128.store(to, d5, 96);
  v128.store(to, negative<L>(c1), 112);
}

export function adst16<L>(from: usize, spacing: usize, to: usize, most: v128): void {
  const in0 = v128.load(from);
  const in1 = v128.load(from + spacing);
  const in2 = v128.load(from + spacing * 2);
  const in3 = v128.load(from + spacing * 3);
  const in4 = v128.load(from + spacing * 4);
  const in5 = v128.load(from + spacing * 5);
  const in6 = v128.load(from + spacing * 6);
  const in7 = v128.load(from + spacing * 7);
  const in8 = v128.load(from + spacing * 8);
  const in9 = v128.load(from + spacing * 9);
  const in10 = v128.load(from + spacing * 10);
  const in11 = v128.load(from + spacing * 11);
  const in12 = v128.load(from + spacing * 12);
  const in13 = v128.load(from + spacing * 13);
  const in14 = v128.load(from + spacing * 14);
  const in15 = v128.load(from + spacing * 15);
  const a0 = turn<L>(in15, in0, 4091, 201);
  const a1 = turn<L>(in15, in0, 201, -4091);
  const a2 = turn<L>(in13, in2, 3973, 995);
  const a3 = turn<L>(in13, in2, 995, -3973);
  const a4 = turn<L>(in11, in4, 3703, 1751);
  const a5 = turn<L>(in11, in4, 1751, -3703);
  const a6 = turn<L>(in9, in6, 3290, 2440);
  const a7 = turn<L>(in9, in6, 2440, -3290);
  const a8 = turn<L>(in7, in8, 2751, 3035);
  const a9 = turn<L>(in7, in8, 3035, -2751);
  const a10 = turn<L>(in5, in10, 2106, 3513);
  const a11 = turn<L>(in5, in10, 3513, -2106);
  const a12 = turn<L>(in3, in12, 1380, 3857);
  const a13 = turn<L>(in3, in12, 3857, -1380);
  const a14 = turn<L>(in1, in14, 601, 4052);
  const a15 = turn<L>(in1, in14, 4052, -601);
  const b0 = sum<L>(a0, a8, most);
  const b8 = difference<L>(a0, a8, most);
  const b1 = sum<L>(a1, a9, most);
  const b9 = difference<L>(a1, a9, most);
  const b2 = sum<L>(a2, a10, most);
  const b10 = difference<L>(a2, a10, most);
  const b3 = sum<L>(a3, a11, most);
  const b11 = difference<L>(a3, a11, most);
  const b4 = sum<L>(a4, a12, most);
  const b12 = difference<L>(a4, a12, most);
  const b5 = sum<L>(a5, a13, most);
  const b13 = difference<L>(a5, a13, most);
  const b6 = sum<L>(a6, a14, most);
  const b14 = difference<L>(a6, a14, most);
  const b7 = sum<L>(a7, a15, most);
  const b15 = difference<L>(a7, a15, most);
  const c8 = turn<L>(b8, b9, 4017, 799);
  const c9 = turn<L>(b8, b9, 799, -4017);
  const c13 = turn<L>(b13, b12, 799, 4017);
  const c12 = turn<L>(b13, b12, 4017, -799);
  const c10 = turn<L>(b10, b11, 2276, 3406);
  const c11 = turn<L>(b10, b11, 3406, -2276);
  const c15 = turn<L>(b15, b14, 3406, 2276);
  const c14 = turn<L>(b15, b14, 2276, -3406);
  const c0 = sum<L>(b0, b4, most);
  const c4 = difference<L>(b0, b4, most);
  const d8 = sum<L>(c8, c12, most);
  const d12 = difference<L>(c8, c12, most);
  const c1 = sum<L>(b1, b5, most);
  const c5 = difference<L>(b1, b5, most);
  const d9 = sum<L>(c9, c13, most);
  const d13 = difference<L>(c9, c13, most);
  const c2 = sum<L>(b2, b6, most);
  const c6 = difference<L>(b2, b6, most);
  const d10 = sum<L>(c10, c14, most);
  const d14 = difference<L>(c10, c14, most);
  const c3 = sum<L>(b3, b7, most);
  const c7 = difference<L>(b3, b7, most);
  const d11 = sum<L>(c11, c15, most);
  const d15 = difference<L>(c11, c15, most);
  const d4 = turn<L>(c4, c5, 3784, 1567);
  const d5 = turn<L>(c4, c5, 1567, -3784);
  const e12 = turn<L>(d12, d13, 3784, 1567);
  const e13 = turn<L>(d12, d13, 1567, -3784);
  const d7 = turn<L>(c7, c6, 1567, 3784);
  const d6 = turn<L>(c7, c6, 3784, -1567);
  const e15 = turn<L>(d15, d14, 1567, 3784);
  const e14 = turn<L>(d15, d14, 3784, -1567);
  const d0 = sum<L>(c0, c2, most);
  const d2 = difference<L>(c0, c2, most);
  const e4 = sum<L>(d4, d6, most);
  const e6 = difference<L>(d4, d6, most);
  const e8 = sum<L>(d8, d10, most);
  const e10 = difference<L>(d8, d10, most);
  const f12 = sum<L>(e12, e14, most);
  const f14 = difference<L>(e12, e14, most);
  const d1 = sum<L>(c1, c3, most);
  const d3 = difference<L>(c1, c3, most);
  const e5 = sum<L>(d5, d7, most);
  const e7 = difference<L>(d5, d7, most);
  const e9 = sum<L>(d9, d11, most);
  const e11 = difference<L>(d9, d11, most);
  const f13 = sum<L>(e13, e15, most);
  const f15 = difference<L>(e13, e15, most);
  const e2 = halfSum<L>(d2, d3);
  const e3 = halfDifference<L>(d2, d3);
  const f6 = halfSum<L>(e6, e7);
  const f7 = halfDifference<L>(e6, e7);
  const f10 = halfSum<L>(e10, e11);
  const f11 = halfDifference<L>(e10, e11);
  const g14 = halfSum<L>(f14, f15);
  const g15 = halfDifference<L>(f14, f15);
  v128.store(to, d0);
  v128.store(to, negative<L>(e8), 16);
  v128.store(to, f12, 32);
  v128.store(to, negative<L>(e4), 48);
  v128.store(to, f6, 64);
  v128.store(to, negative<L>(g14), 80);
  v128.store(to, f10, 96);
  v128.store(to, negative<L>(e2), 112);
  v128.store(to, e3, 128);
  v128.store(to, negative<L>(f11), 144);
  v128.store(to, g15, 160);
  v128.store(to, negative<L>(f7), 176);
  v128.store(to, e5, 192);
  v128.store(to, negative<L>(f13), 208);
  v128.store(to, e9, 224);
  v128.store(to, negative<L>(d1), 240);
}
