/** The distributions that a tile begins with (sections 8.3.1 and 9.4). */

import { COEFFICIENT_DEFAULTS_0 } from './coefficient_defaults_0';
import { COEFFICIENT_DEFAULTS_1 } from './coefficient_defaults_1';
import { COEFFICIENT_DEFAULTS_2 } from './coefficient_defaults_2';
import { COEFFICIENT_DEFAULTS_3 } from './coefficient_defaults_3';
import { MODE_DEFAULTS } from './mode_defaults';
import { CDF_BYTES, MODE_BYTES } from './offsets';
import { COEFFICIENT_KINDS, COEFFICIENT_SHAPES, MODE_KINDS, MODE_SHAPES } from './shapes';

const MOST_ALIGNED: usize = 16;

export function startDistributions(cdf: usize, baseQIndex: i32): void {
  memory.fill(cdf, 0, CDF_BYTES);
  spread(cdf, MODE_DEFAULTS, MODE_SHAPES, MODE_KINDS);
  spread(cdf + MODE_BYTES, coefficientDefaults(baseQIndex), COEFFICIENT_SHAPES, COEFFICIENT_KINDS);
}

/** init_coeff_cdfs */
function coefficientDefaults(baseQIndex: i32): usize {
  if (baseQIndex <= 20) return COEFFICIENT_DEFAULTS_0;
  if (baseQIndex <= 60) return COEFFICIENT_DEFAULTS_1;
  return baseQIndex <= 120 ? COEFFICIENT_DEFAULTS_2 : COEFFICIENT_DEFAULTS_3;
}

/**
 * Puts distributions that follow each other where offsets.ts has them, in lanes. Each is loaded with what
 * follows it, which is masked out: a grid may begin 65,025 tiles, and value by value takes 5 µs of each.
 */
function spread(to: usize, values: usize, shapes: usize, kinds: i32): void {
  let at: usize = 0;
  for (let kind = 0; kind < kinds; kind++, shapes += 4) {
    const symbols: u32 = load<u16>(shapes, 2);
    const bytes: usize = symbols <= 2 ? 4 : symbols <= 4 ? 8 : symbols <= 8 ? 16 : 32;
    const alignment = min(bytes, MOST_ALIGNED);
    at = (at + alignment - 1) & ~(alignment - 1);
    const stored: usize = (symbols - 1) << 1;
    // Of the last eight bytes that hold any: the bytes that are its own.
    const own: u64 = <u64>-1 >> (64 - ((((stored - 1) & 7) + 1) << 3));
    for (let i: u32 = load<u16>(shapes); i > 0; i--, at += bytes, values += stored) {
      const place = to + at;
      let done: usize = 0;
      for (; done + 8 < stored; done += 8) store<u64>(place + done, load<u64>(values + done));
      const last = load<u64>(values + done) & own;
      if (bytes === 4) store<u32>(place, <u32>last);
      else store<u64>(place + done, last);
    }
  }
}
