/**
 * Finds the direction of an 8 × 8 luma block (AV1 specification, section 7.15.2). Sums along a direction are
 * made of whole rows, each shifted by its number of lanes. Two directions that mirror each other vertically
 * have the same cost for rows in reverse order, because the weights are symmetric.
 */

/** The direction's variance, set by `findDirection`. */
export let directionVariance: i32 = 0;

// @inline
function sumLanes(v: v128): i32 {
  const pairs = i32x4.add(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

/** Squares of the low or high four sums, weighted. */
// @inline
function lowCost(sums: v128, weights: v128): v128 {
  return i32x4.mul(i32x4.extmul_low_i16x8_s(sums, sums), weights);
}

// @inline
function highCost(sums: v128, weights: v128): v128 {
  return i32x4.mul(i32x4.extmul_high_i16x8_s(sums, sums), weights);
}

/**
 * Cost of eight rows, each shifted one lane further than the one above: directions 0 and 4. Shifts run
 * through both vectors, zeros included, which takes one instruction.
 */
function steepCost(r0: v128, r1: v128, r2: v128, r3: v128, r4: v128, r5: v128, r6: v128, r7: v128): i32 {
  const zero = i16x8.splat(0);
  let low = r0;
  low = i16x8.add(low, v128.shuffle<u16>(zero, r1, 7, 8, 9, 10, 11, 12, 13, 14));
  low = i16x8.add(low, v128.shuffle<u16>(zero, r2, 6, 7, 8, 9, 10, 11, 12, 13));
  low = i16x8.add(low, v128.shuffle<u16>(zero, r3, 5, 6, 7, 8, 9, 10, 11, 12));
  low = i16x8.add(low, v128.shuffle<u16>(zero, r4, 4, 5, 6, 7, 8, 9, 10, 11));
  low = i16x8.add(low, v128.shuffle<u16>(zero, r5, 3, 4, 5, 6, 7, 8, 9, 10));
  low = i16x8.add(low, v128.shuffle<u16>(zero, r6, 2, 3, 4, 5, 6, 7, 8, 9));
  low = i16x8.add(low, v128.shuffle<u16>(zero, r7, 1, 2, 3, 4, 5, 6, 7, 8));
  let high = v128.shuffle<u16>(r1, zero, 7, 8, 9, 10, 11, 12, 13, 14);
  high = i16x8.add(high, v128.shuffle<u16>(r2, zero, 6, 7, 8, 9, 10, 11, 12, 13));
  high = i16x8.add(high, v128.shuffle<u16>(r3, zero, 5, 6, 7, 8, 9, 10, 11, 12));
  high = i16x8.add(high, v128.shuffle<u16>(r4, zero, 4, 5, 6, 7, 8, 9, 10, 11));
  high = i16x8.add(high, v128.shuffle<u16>(r5, zero, 3, 4, 5, 6, 7, 8, 9, 10));
  high = i16x8.add(high, v128.shuffle<u16>(r6, zero, 2, 3, 4, 5, 6, 7, 8, 9));
  high = i16x8.add(high, v128.shuffle<u16>(r7, zero, 1, 2, 3, 4, 5, 6, 7, 8));
  let cost = i32x4.add(lowCost(low, i32x4(840, 420, 280, 210)), highCost(low, i32x4(168, 140, 120, 105)));
  cost = i32x4.add(cost, lowCost(high, i32x4(120, 140, 168, 210)));
  return sumLanes(i32x4.add(cost, highCost(high, i32x4(280, 420, 840, 0))));
}

/**
 * Cost of four rows of pair sums, each shifted one lane further than the one above: directions 1, 3, 5 and 7.
 */
function gentleCost(r0: v128, r1: v128, r2: v128, r3: v128): i32 {
  const zero = i16x8.splat(0);
  let low = i16x8.add(r0, v128.shuffle<u16>(zero, r1, 7, 8, 9, 10, 11, 12, 13, 14));
  low = i16x8.add(low, v128.shuffle<u16>(zero, r2, 6, 7, 8, 9, 10, 11, 12, 13));
  low = i16x8.add(low, v128.shuffle<u16>(zero, r3, 5, 6, 7, 8, 9, 10, 11, 12));
  let high = v128.shuffle<u16>(r1, zero, 7, 8, 9, 10, 11, 12, 13, 14);
  high = i16x8.add(high, v128.shuffle<u16>(r2, zero, 6, 7, 8, 9, 10, 11, 12, 13));
  high = i16x8.add(high, v128.shuffle<u16>(r3, zero, 5, 6, 7, 8, 9, 10, 11, 12));
  const cost = i32x4.add(lowCost(low, i32x4(420, 210, 140, 105)), highCost(low, i32x4(105, 105, 105, 105)));
  return sumLanes(i32x4.add(cost, lowCost(high, i32x4(140, 210, 420, 0))));
}

/** Sums of the pairs of two rows, as eight lanes. */
// @inline
function pairs(upper: v128, lower: v128): v128 {
  return i16x8.narrow_i32x4_s(i32x4.extadd_pairwise_i16x8_s(upper), i32x4.extadd_pairwise_i16x8_s(lower));
}

/** Sums of each half of two such vectors, as four lanes. */
// @inline
function halves(a: v128, b: v128): v128 {
  const sumsA = i32x4.extadd_pairwise_i16x8_s(a);
  const sumsB = i32x4.extadd_pairwise_i16x8_s(b);
  return i32x4.add(v128.shuffle<u32>(sumsA, sumsB, 0, 2, 4, 6), v128.shuffle<u32>(sumsA, sumsB, 1, 3, 5, 7));
}

// @inline
function rowAt(at: usize, shift: i32): v128 {
  return i16x8.sub(i16x8.shr_u(v128.load(at), shift), i16x8.splat(128));
}

/**
 * The direction with the highest cost, 0 to 7; sets directionVariance.
 * @param at the block's first sample
 * @param stride bytes from row to row
 */
export function findDirection(at: usize, stride: usize, bitDepth: i32): i32 {
  const shift = bitDepth - 8;
  const s4 = stride << 2;
  const r0 = rowAt(at, shift);
  const r1 = rowAt(at + stride, shift);
  const r2 = rowAt(at + (stride << 1), shift);
  const r3 = rowAt(at + (stride << 1) + stride, shift);
  const r4 = rowAt(at + s4, shift);
  const r5 = rowAt(at + s4 + stride, shift);
  const r6 = rowAt(at + s4 + (stride << 1), shift);
  const r7 = rowAt(at + s4 + (stride << 1) + stride, shift);
  const p0 = pairs(r0, r4);
  const p1 = pairs(r1, r5);
  const p2 = pairs(r2, r6);
  const p3 = pairs(r3, r7);
  const v0 = i16x8.add(r0, r1);
  const v1 = i16x8.add(r2, r3);
  const v2 = i16x8.add(r4, r5);
  const v3 = i16x8.add(r6, r7);
  const sides = i32x4.add(square(halves(p0, p1)), square(halves(p2, p3)));
  const columns = i16x8.add(i16x8.add(v0, v1), i16x8.add(v2, v3));
  const cost0 = steepCost(r0, r1, r2, r3, r4, r5, r6, r7);
  const cost1 = gentleCost(p0, p1, p2, p3);
  const cost2 = 105 * sumLanes(sides);
  const cost3 = gentleCost(pairs(r7, r3), pairs(r6, r2), pairs(r5, r1), pairs(r4, r0));
  const cost4 = steepCost(r7, r6, r5, r4, r3, r2, r1, r0);
  const cost5 = gentleCost(v3, v2, v1, v0);
  const cost6 = 105 * sumLanes(i32x4.dot_i16x8_s(columns, columns));
  const cost7 = gentleCost(v0, v1, v2, v3);
  let best = cost0;
  let direction = 0;
  let across = cost4;
  if (cost1 > best) {
    best = cost1;
    direction = 1;
    across = cost5;
  }
  if (cost2 > best) {
    best = cost2;
    direction = 2;
    across = cost6;
  }
  if (cost3 > best) {
    best = cost3;
    direction = 3;
    across = cost7;
  }
  if (cost4 > best) {
    best = cost4;
    direction = 4;
    across = cost0;
  }
  if (cost5 > best) {
    best = cost5;
    direction = 5;
    across = cost1;
  }
  if (cost6 > best) {
    best = cost6;
    direction = 6;
    across = cost2;
  }
  if (cost7 > best) {
    best = cost7;
    direction = 7;
    across = cost3;
  }
  directionVariance = (best - across) >> 10;
  return direction;
}

// @inline
function square(v: v128): v128 {
  return i32x4.mul(v, v);
}
