import { expect, it } from 'vitest';
import type { CasePlan } from '../../../fixtures/av1/filter_case.ts';
import { addChanges, type Changes, expectFiltered } from '../../../fixtures/av1/filter_expected.ts';
import { DEPTHS, SAMPLINGS } from '../../../fixtures/av1/filter_plans.ts';

interface SpecificationCases {
  /** The filter under test. */
  readonly filter: keyof Changes;
  readonly sizes: readonly (readonly [width: number, height: number])[];
  /** Of the first size; the next ones follow. */
  readonly seed: number;
  /** Which filters run on the size of this index. */
  readonly filters: (index: number) => Pick<CasePlan, keyof Changes>;
  /** Samples that the filter changes in all sizes together: more than so many, or nothing was tested. */
  readonly leastChanges: number;
}

/** A filter of random pictures, in every sampling and depth, beside the specification's of whole pictures. */
export function specificationCases({ filter, sizes, seed, filters, leastChanges }: SpecificationCases): void {
  for (const sampling of SAMPLINGS) {
    for (const bitDepth of DEPTHS) {
      it(`leaves what the specification leaves of the whole picture: ${sampling}, ${bitDepth} bits`, () => {
        const changes = { deblock: 0, cdef: 0, restore: 0 };
        sizes.forEach(([width, height], i) => {
          const superblock = (i + bitDepth / 2) % 2 ? 64 : 128;
          const plan = { width, height, seed: seed + i, bitDepth, sampling, superblock } as const;
          addChanges(changes, expectFiltered({ ...plan, ...filters(i) }));
        });
        expect(changes[filter]).toBeGreaterThan(leastChanges);
      });
    }
  }
}
