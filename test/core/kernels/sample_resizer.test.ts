import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { SampleResizer, sampleResizerBytes } from '../../../src/core/kernels/sample_resizer.ts';
import { maxTaps } from '../../../src/pixels/lanczos.ts';
import { allTaps } from '../../fixtures/resized_in_floats.ts';

const FROM = 100;
const TO = 40;
const shape = {
  width: TO,
  grids: [{ tapsAcross: maxTaps(FROM, TO), tapsDown: maxTaps(FROM, TO) }],
  components: [{ fromWidth: FROM, heldRows: 36, grid: 0 }],
};
const rows = (start: number, count: number) => [
  Array.from({ length: 8 }, () => ({ start, count, weights: new Float32Array(count).fill(1 / count) })),
];

describe('a resizer of samples', () => {
  it('holds what is predicted', () => {
    using core = createCore();
    const before = core.exports.mark();
    using _resizer = new SampleResizer(core, shape, [allTaps(FROM, TO)]);
    expect(core.exports.mark() - before).toBe(sampleResizerBytes(shape));
  });

  it('makes nothing of rows that have not come, or are held no longer', () => {
    using core = createCore();
    const at = core.alloc(FROM + 16);
    using resizer = new SampleResizer(core, shape, [allTaps(FROM, TO)]);
    const take = (count: number) => {
      for (let row = 0; row < count; row++) resizer.take(0, at);
    };
    take(10);
    expect(() => resizer.make(rows(5, 6))).toThrow(/Rows 5 to 11/);
    expect(resizer.make(rows(5, 5))).toHaveLength(1);
    take(40);
    expect(() => resizer.make(rows(11, 6))).toThrow(/Rows 11 to 17/);
    expect(resizer.make(rows(12, 6))).toHaveLength(1);
  });
});
