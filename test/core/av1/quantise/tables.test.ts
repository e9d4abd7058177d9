import { describe, expect, it } from 'vitest';
import { createCore } from '../../../../src/core/instance.ts';

/** A sum that knows the order, so that no two tables are taken for each other. */
const sumOf = (values: Iterable<number>) => {
  let sum = 7;
  for (const value of values) sum = (Math.imul(sum, 31) + value) >>> 0;
  return sum;
};

/** The sums of Dc_Qlookup, Ac_Qlookup and Quantizer_Matrix as the specification prints them. */
const DC_SUM = 2264009423;
const AC_SUM = 2578702804;
const MATRICES_SUM = 1161802592;

const LEVELS = 15;
const MATRICES_BYTES = 3344;
/** Qm_Offset and the sizes, by TxSize. */
const OFFSETS = [
  0, 16, 80, 336, 336, 1360, 1392, 1424, 1552, 1680, 2192, 336, 336, 2704, 2768, 2832, 3088, 1680, 2192,
];

describe('AV1 quantiser tables', () => {
  const core = createCore();

  it('have the steps of the specification, and clip the index', () => {
    for (const [steps, sum] of [
      [core.exports.av1DcQ, DC_SUM],
      [core.exports.av1AcQ, AC_SUM],
    ] as const) {
      const all = [8, 10, 12].flatMap((depth) =>
        Array.from({ length: 256 }, (_, index) => steps(index, depth)),
      );
      expect(sumOf(all)).toBe(sum);
      expect([steps(-20, 10), steps(300, 10)]).toEqual([steps(0, 10), steps(255, 10)]);
    }
    expect([core.exports.av1DcQ(255, 8), core.exports.av1AcQ(255, 12)]).toEqual([1336, 29247]);
  });

  it('have the matrices of the specification, all sizes made of the fundamental ones', () => {
    const all = Array.from({ length: 2 * LEVELS }, (_, i) =>
      Array.from(core.view(core.exports.av1QuantiserMatrix(i >> 1, i & 1, 0), MATRICES_BYTES)),
    );
    expect(sumOf(all.flat())).toBe(MATRICES_SUM);
  });

  it('know where the matrix of each size is', () => {
    const first = core.exports.av1QuantiserMatrix(5, 1, 0);
    expect(OFFSETS.map((_, txSize) => core.exports.av1QuantiserMatrix(5, 1, txSize) - first)).toEqual(
      OFFSETS,
    );
  });

  it('keep one level of luma and two of chroma, in any order of use', () => {
    const read = (level: number, chroma: number) =>
      sumOf(core.view(core.exports.av1QuantiserMatrix(level, chroma, 0), MATRICES_BYTES));
    const fresh = (level: number, chroma: number) => {
      using other = createCore();
      return sumOf(other.view(other.exports.av1QuantiserMatrix(level, chroma, 0), MATRICES_BYTES));
    };
    for (const level of [3, 9, 3, 3, 9, 1, 9, 3, 1, 1, 9]) expect(read(level, 1)).toBe(fresh(level, 1));
    const [u, v] = [core.exports.av1QuantiserMatrix(2, 1, 0), core.exports.av1QuantiserMatrix(4, 1, 0)];
    expect(core.exports.av1QuantiserMatrix(2, 1, 0)).toBe(u);
    expect(core.exports.av1QuantiserMatrix(4, 1, 0)).toBe(v);
    expect(core.exports.av1QuantiserMatrix(6, 0, 0)).not.toBe(u);
    expect(read(4, 1)).toBe(fresh(4, 1));
  });
});
