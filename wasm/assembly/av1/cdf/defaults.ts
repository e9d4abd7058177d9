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

/** Puts distributions that follow each other where offsets.ts has them, in lanes. */
function spread(to: usize, values: usize, shapes: usize, kinds: i32): void {
  let at: usize = 0;
  for (let kind = 0; kind < kinds; kind++, shapes += 4) {
    const symbols: u32 = load<u16>(shapes, 2);
    const bytes: usize = symbols <= 2 ? 4 : symbols <= 4 ? 8 : symbols <= 8 ? 16 : 32;
    const alignment = min(bytes, MOST_ALIGNED);
    at = (at + alignment - 1) & ~(alignment - 1);
    for (let i: u32 = load<u16>(shapes); i > 0; i--, at += bytes) {
      for (let value: usize = 0; value < (symbols - 1) << 1; value += 2, values += 2) {
        store<u16>(to + at + value, load<u16>(values));
      }
    }
  }
}
