import { describe, expect, it } from 'vitest';
import { colourMatrix, type SampleCoding } from '../../../src/codecs/avif/matrix.ts';
import { Fault } from '../../../src/faults.ts';
import { PRIMARIES_BY_CODE } from '../../../src/pixels/colour/primaries.ts';

const plain: SampleCoding = { primaries: 1, matrix: 6, fullRange: true, depth: 8, monochrome: false };

/** RGB of one pixel. */
function rgb(coding: Partial<SampleCoding>, y: number, u: number, v: number): number[] {
  const matrix = colourMatrix({ ...plain, ...coding }, 1, 255);
  return [0, 4, 8].map((at) => matrix[at]! * y + matrix[at + 1]! * u + matrix[at + 2]! * v + matrix[at + 3]!);
}

/** Weights of red and blue in a luma of such primaries: H.273 equations 32 to 37. */
function weightsOf(code: number): [number, number] {
  const { white, red, green, blue } = PRIMARIES_BY_CODE[code]!;
  const [r, g, b, w] = [red, green, blue, white].map(([x, y]) => [x, y, 1 - x - y]) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const cross = (p: number[], q: number[]) => [
    p[1]! * q[2]! - p[2]! * q[1]!,
    p[2]! * q[0]! - p[0]! * q[2]!,
    p[0]! * q[1]! - p[1]! * q[0]!,
  ];
  const dot = (p: number[], q: number[]) => p[0]! * q[0]! + p[1]! * q[1]! + p[2]! * q[2]!;
  const volume = w[1]! * dot(r, cross(g, b));
  return [(r[1]! * dot(w, cross(g, b))) / volume, (b[1]! * dot(w, cross(r, g))) / volume];
}

const near = (found: number[], wanted: number[], within = 0.01) =>
  found.forEach((value, i) => {
    expect(Math.abs(value - wanted[i]!)).toBeLessThan(within);
  });

describe('the colour matrix of an AVIF', () => {
  it('has the weights of BT.709 where matrix 12 is to follow unspecified primaries, as libavif has it', () => {
    const bt709 = rgb({ matrix: 12, primaries: 1 }, 90, 30, 200);
    near(bt709, rgb({ matrix: 1 }, 90, 30, 200), 0.1);
    for (const primaries of [2, 0, 99]) expect(rgb({ matrix: 12, primaries }, 90, 30, 200)).toEqual(bt709);
  });

  it.each([
    [1, 0.2126, 0.0722],
    [4, 0.3, 0.11],
    [5, 0.299, 0.114],
    [6, 0.299, 0.114],
    [7, 0.212, 0.087],
    [9, 0.2627, 0.0593],
    // Unspecified, and a code that nobody has defined: as BT.601.
    [2, 0.299, 0.114],
    [99, 0.299, 0.114],
  ])('%i gives back what its luma and colour differences were made of', (matrix, kr, kb) => {
    for (const [red, green, blue] of [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [200, 130, 20],
    ] as const) {
      const y = kr * red + (1 - kr - kb) * green + kb * blue;
      const [u, v] = [(blue - y) / (2 * (1 - kb)), (red - y) / (2 * (1 - kr))];
      near(rgb({ matrix }, y, u + 128, v + 128), [red, green, blue]);
      const limited = [16 + (y * 219) / 255, 128 + (u * 224) / 255, 128 + (v * 224) / 255] as const;
      near(rgb({ matrix, fullRange: false }, ...limited), [red, green, blue]);
      const [y10, u10, v10] = limited.map((sample) => sample * 4) as [number, number, number];
      near(rgb({ matrix, fullRange: false, depth: 10 }, y10, u10, v10), [red, green, blue]);
    }
  });

  it.each(Object.keys(PRIMARIES_BY_CODE).map(Number))(
    '12 takes its weights from primaries %i',
    (primaries) => {
      const [kr, kb] = weightsOf(primaries);
      const y = kr * 200 + (1 - kr - kb) * 130 + kb * 20;
      const [u, v] = [(20 - y) / (2 * (1 - kb)), (200 - y) / (2 * (1 - kr))];
      near(rgb({ matrix: 12, primaries }, y, u + 128, v + 128), [200, 130, 20]);
    },
  );

  it('0 is green, blue and red, of either range', () => {
    near(rgb({ matrix: 0 }, 10, 20, 30), [30, 10, 20]);
    near(rgb({ matrix: 0, fullRange: false }, 16, 235, 16), [0, 0, 255]);
  });

  it('8 is luma and the differences towards green and orange', () => {
    // H.273 equations 41 to 43 of 200, 130, 20.
    const [red, green, blue] = [200, 130, 20];
    const [y, cg, co] = [green / 2 + (red + blue) / 4, green / 2 - (red + blue) / 4, (red - blue) / 2];
    near(rgb({ matrix: 8 }, y, cg + 128, co + 128), [red, green, blue]);
  });

  it('is that of grey where there is no chroma, whatever the code', () => {
    for (const matrix of [0, 1, 8, 14]) near(rgb({ matrix, monochrome: true }, 77, 5, 250), [77, 77, 77]);
  });

  it.each([10, 11, 13, 14, 15, 16, 17])('%i is refused by its name', (matrix) => {
    expect(() => colourMatrix({ ...plain, matrix }, 1, 255)).toThrow(Fault);
    expect(() => colourMatrix({ ...plain, matrix }, 1, 255)).toThrow(/colours are .{5}/);
  });
});
