import { describe, expect, it } from 'vitest';
import { colourMatrix } from '../../../src/codecs/avif/matrix.ts';
import { type ChromaRows, chromaScale, outputBytes, RowConverter } from '../../../src/core/av1/output.ts';
import { createCore } from '../../../src/core/instance.ts';
import { seededBelow } from '../../fixtures/random.ts';

const coding = { primaries: 1, matrix: 6, fullRange: true, depth: 8, monochrome: false };
const SAMPLINGS = [
  { name: '4:4:4', halfColumns: false, halfRows: false },
  { name: '4:2:2', halfColumns: true, halfRows: false },
  { name: '4:2:0', halfColumns: true, halfRows: true },
] as const;
const WIDTHS = [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 101];

/** Chroma at a luma column by libavif's weights: 9, 3, 3, 1 of 16, the edge's column again beyond it. */
function interpolated(near: Uint16Array, far: Uint16Array, x: number, halfRows: boolean): number {
  const at = x >> 1;
  const beside = Math.min(near.length - 1, Math.max(0, x & 1 ? at + 1 : at - 1));
  const column = (i: number) => (halfRows ? (3 * near[i]! + far[i]!) / 4 : near[i]!);
  return (3 * column(at) + column(beside)) / 4;
}

describe('rows of Y, U, V made RGBA', () => {
  const random = seededBelow(41);
  for (const { name, halfColumns, halfRows } of SAMPLINGS) {
    it.each([
      [8, false],
      [10, false],
      [12, false],
      [10, true],
      [12, true],
    ])(`equal numbers in ${name} of %i bits (16-bit output: %s), at every width`, (depth, wide) => {
      for (const width of WIDTHS) {
        using core = createCore();
        const row = (count: number) => {
          const at = core.alloc(count * 2 + 64);
          const samples = Uint16Array.from({ length: count }, () => random(2 ** depth));
          new Uint16Array(core.exports.memory.buffer, at, count).set(samples);
          return { at, samples };
        };
        const columns = halfColumns ? (width + 1) >> 1 : width;
        const y = row(width);
        const [nearU, farU, nearV, farV] = [row(columns), row(columns), row(columns), row(columns)];
        const out = core.alloc(width * (wide ? 8 : 4) + 64);
        const shape = { width, halfColumns, halfRows, monochrome: false, wide };
        const most = wide ? 65_535 : 255;
        const own = { ...coding, depth, fullRange: width % 2 === 0 };
        const scale = chromaScale(shape);
        using converter = new RowConverter(core, shape, colourMatrix(own, scale, most));
        const chroma: ChromaRows = {
          nearU: nearU.at,
          farU: halfRows ? farU.at : 0,
          nearV: nearV.at,
          farV: halfRows ? farV.at : 0,
        };
        converter.convert(y.at, chroma, out);
        const { buffer } = core.exports.memory;
        const found = wide ? new Uint16Array(buffer, out, width * 4) : new Uint8Array(buffer, out, width * 4);
        const matrix = colourMatrix(own, 1, most);
        for (let x = 0; x < width; x++) {
          const u = halfColumns ? interpolated(nearU.samples, farU.samples, x, halfRows) : nearU.samples[x]!;
          const v = halfColumns ? interpolated(nearV.samples, farV.samples, x, halfRows) : nearV.samples[x]!;
          for (let c = 0; c < 3; c++) {
            const [a, b, d, e] = matrix.slice(c * 4) as [number, number, number, number];
            const exact = Math.min(most, Math.max(0, a * y.samples[x]! + b * u + d * v + e));
            expect(Math.abs(found[x * 4 + c]! - exact)).toBeLessThanOrEqual(wide ? 0.52 : 0.501);
          }
          expect(found[x * 4 + 3]).toBe(most);
        }
      }
    });
  }

  it.each([false, true])('are grey without chroma (16-bit output: %s)', (wide) => {
    using core = createCore();
    const shape = { width: 5, halfColumns: false, halfRows: false, monochrome: true, wide };
    const most = wide ? 65_535 : 255;
    const limited = { ...coding, depth: 10, fullRange: false, monochrome: true };
    using converter = new RowConverter(core, shape, colourMatrix(limited, 1, most));
    const y = core.alloc(128);
    new Uint16Array(core.exports.memory.buffer, y, 5).set([0, 64, 504, 940, 1023]);
    const out = core.alloc(256);
    converter.convert(y, undefined, out);
    const { buffer } = core.exports.memory;
    const found = wide ? new Uint16Array(buffer, out, 20) : new Uint8Array(buffer, out, 20);
    const middle = Math.round((most * 440) / 876);
    expect([...found]).toEqual([0, 0, middle, most, most].flatMap((grey) => [grey, grey, grey, most]));
  });

  it.each([false, true])(
    'have their alpha, and colours divided by it where they are premultiplied (16 bits: %s)',
    (wide) => {
      using core = createCore();
      const shape = { width: 4, halfColumns: false, halfRows: false, monochrome: true, wide };
      const most = wide ? 65_535 : 255;
      const grey = colourMatrix({ ...coding, monochrome: true }, 1, most);
      using converter = new RowConverter(core, shape, grey, (sample) => Math.min(1, sample / 200));
      const y = core.alloc(128);
      const alpha = core.alloc(128);
      new Uint16Array(core.exports.memory.buffer, y, 4).set([60, 60, 200, 60]);
      new Uint16Array(core.exports.memory.buffer, alpha, 4).set([0, 100, 100, 255]);
      const out = core.alloc(256);
      const pixels = (premultiplied: boolean) => {
        converter.convert(y, undefined, out);
        converter.addAlpha(alpha, out, premultiplied);
        const { buffer } = core.exports.memory;
        const found = wide ? new Uint16Array(buffer, out, 16) : new Uint8Array(buffer, out, 16);
        return [found[0], found[3], found[4], found[7], found[8], found[11], found[12], found[15]];
      };
      const half = Math.round(most / 2);
      const stored = (60 * most) / 255;
      const divided = Math.round((stored * most) / half);
      expect(pixels(false)).toEqual([stored, 0, stored, half, (200 * most) / 255, half, stored, most]);
      expect(pixels(true)).toEqual([0, 0, divided, half, most, half, stored, most]);
    },
  );

  it('hold what was predicted', () => {
    for (const { halfColumns, halfRows } of SAMPLINGS) {
      using core = createCore();
      const before = core.exports.mark();
      const shape = { width: 333, halfColumns, halfRows, monochrome: false, wide: false };
      using _converter = new RowConverter(core, shape, colourMatrix(coding, 1, 255));
      expect(core.exports.mark() - before).toBe(outputBytes(shape));
    }
  });
});
