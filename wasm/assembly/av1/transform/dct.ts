/**
 * The inverse DCT of 4 to 16 values (section 7.13.2.3), several at once: one per lane. A transform is the one
 * of half its size, on the even inputs, merged with the result of the odd inputs; the letters of names count
 * the stages. `from` is the first vector of inputs, `spacing` bytes apart; outputs go to `to`, one after the
 * other. `count` tells how many inputs may be non-zero. If that is at most half of them, the others are not
 * read. `most` is the highest value that sums may have, in all lanes.
 */
import { difference, halfDifference, halfSum, merge, scale, sum, turn } from './lanes';

export function dct4<L>(from: usize, spacing: usize, to: usize, count: i32, most: v128): void {
  const in0 = v128.load(from);
  const in1 = v128.load(from + spacing);
  let a0: v128;
  let a1: v128;
  let a2: v128;
  let a3: v128;
  if (count > 2) {
    const in2 = v128.load(from + spacing * 2);
    const in3 = v128.load(from + spacing * 3);
    a0 = halfSum<L>(in0, in2);
    a1 = halfDifference<L>(in0, in2);
    a2 = turn<L>(in1, in3, 1567, -3784);
    a3 = turn<L>(in1, in3, 3784, 1567);
  } else {
    a0 = scale<L>(in0, 2896);
    a1 = a0;
    a2 = scale<L>(in1, 1567);
    a3 = scale<L>(in1, 3784);
  }
  v128.store(to, sum<L>(a0, a3, most));
  v128.store(to, sum<L>(a1, a2, most), 16);
  v128.store(to, difference<L>(a1, a2, most), 32);
  v128.store(to, difference<L>(a0, a3, most), 48);
}

export function dct8<L>(from: usize, spacing: usize, to: usize, count: i32, most: v128): void {
  dct4<L>(from, spacing << 1, to, (count + 1) >> 1, most);
  const in1 = v128.load(from + spacing);
  const in3 = v128.load(from + spacing * 3);
  let a4: v128;
  let a5: v128;
  let a6: v128;
  let a7: v128;
  if (count > 4) {
    const in5 = v128.load(from + spacing * 5);
    const in7 = v128.load(from + spacing * 7);
    a4 = turn<L>(in1, in7, 799, -4017);
    a7 = turn<L>(in1, in7, 4017, 799);
    a5 = turn<L>(in5, in3, 3406, -2276);
    a6 = turn<L>(in5, in3, 2276, 3406);
  } else {
    a4 = scale<L>(in1, 799);
    a7 = scale<L>(in1, 4017);
    a5 = scale<L>(in3, -2276);
    a6 = scale<L>(in3, 3406);
  }
  const b4 = sum<L>(a4, a5, most);
  const b5 = difference<L>(a4, a5, most);
  const b7 = sum<L>(a7, a6, most);
  const b6 = difference<L>(a7, a6, most);
  const c6 = halfSum<L>(b6, b5);
  const c5 = halfDifference<L>(b6, b5);
  merge<L>(to, 0, 7, b7, most);
  merge<L>(to, 1, 6, c6, most);
  merge<L>(to, 2, 5, c5, most);
  merge<L>(to, 3, 4, b4, most);
}

export function dct16<L>(from: usize, spacing: usize, to: usize, count: i32, most: v128): void {
  dct8<L>(from, spacing << 1, to, (count + 1) >> 1, most);
  const in1 = v128.load(from + spacing);
  const in3 = v128.load(from + spacing * 3);
  const in5 = v128.load(from + spacing * 5);
  const in7 = v128.load(from + spacing * 7);
  let a8: v128;
  let a9: v128;
  let a10: v128;
  let a11: v128;
  let a12: v128;
  let a13: v128;
  let a14: v128;
  let a15: v128;
  if (count > 8) {
    const in9 = v128.load(from + spacing * 9);
    const in11 = v128.load(from + spacing * 11);
    const in13 = v128.load(from + spacing * 13);
    const in15 = v128.load(from + spacing * 15);
    a8 = turn<L>(in1, in15, 401, -4076);
    a15 = turn<L>(in1, in15, 4076, 401);
    a9 = turn<L>(in9, in7, 3166, -2598);
    a14 = turn<L>(in9, in7, 2598, 3166);
    a10 = turn<L>(in5, in11, 1931, -3612);
    a13 = turn<L>(in5, in11, 3612, 1931);
    a11 = turn<L>(in13, in3, 3920, -1189);
    a12 = turn<L>(in13, in3, 1189, 3920);
  } else {
    a8 = scale<L>(in1, 401);
    a15 = scale<L>(in1, 4076);
    a9 = scale<L>(in7, -2598);
    a14 = scale<L>(in7, 3166);
    a10 = scale<L>(in5, 1931);
    a13 = scale<L>(in5, 3612);
    a11 = scale<L>(in3, -1189);
    a12 = scale<L>(in3, 3920);
  }
  const b8 = sum<L>(a8, a9, most);
  const b9 = difference<L>(a8, a9, most);
  const b11 = sum<L>(a11, a10, most);
  const b10 = difference<L>(a11, a10, most);
  const b12 = sum<L>(a12, a13, most);
  const b13 = difference<L>(a12, a13, most);
  const b15 = sum<L>(a15, a14, most);
  const b14 = difference<L>(a15, a14, most);
  const c14 = turn<L>(b14, b9, 3784, 1567);
  const c9 = turn<L>(b14, b9, 1567, -3784);
  const c13 = turn<L>(b13, b10, 1567, -3784);
  const c10 = turn<L>(b13, b10, -3784, -1567);
  const c8 = sum<L>(b8, b11, most);
  const c11 = difference<L>(b8, b11, most);
  const d9 = sum<L>(c9, c10, most);
  const d10 = difference<L>(c9, c10, most);
  const c15 = sum<L>(b15, b12, most);
  const c12 = difference<L>(b15, b12, most);
  const d14 = sum<L>(c14, c13, most);
  const d13 = difference<L>(c14, c13, most);
  const e13 = halfSum<L>(d13, d10);
  const e10 = halfDifference<L>(d13, d10);
  const d12 = halfSum<L>(c12, c11);
  const d11 = halfDifference<L>(c12, c11);
  merge<L>(to, 0, 15, c15, most);
  merge<L>(to, 1, 14, d14, most);
  merge<L>(to, 2, 13, e13, most);
  merge<L>(to, 3, 12, d12, most);
  merge<L>(to, 4, 11, d11, most);
  merge<L>(to, 5, 10, e10, most);
  merge<L>(to, 6, 9, d9, most);
  merge<L>(to, 7, 8, c8, most);
}
