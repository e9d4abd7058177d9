import { describe, expect, it } from 'vitest';
import { colourMatrix } from '../../../src/codecs/avif/matrix.ts';
import { type RgbaPlan, rgbaRows, rgbaRowsBytes } from '../../../src/codecs/avif/rgba_rows.ts';
import { createCore } from '../../../src/core/instance.ts';
import { type Planes, planePicture, randomPlanes } from '../../fixtures/plane_picture.ts';
import { seededBelow } from '../../fixtures/random.ts';

const coding = { primaries: 1, matrix: 6, fullRange: true, depth: 8, monochrome: false };
const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));

/** The same by numbers, from whole planes: libavif's weights, and the matrix in full precision. */
function expected(
  picture: Planes,
  alpha: Planes | undefined,
  plan: Pick<RgbaPlan, 'size' | 'coding'>,
  most: number,
) {
  const { subX, subY, monochrome, planes } = picture;
  const { width, height } = plan.size;
  const matrix = colourMatrix(plan.coding, 1, most);
  const columns = (picture.width + subX) >> subX;
  const last = { x: ((width + subX) >> subX) - 1, y: ((height + subY) >> subY) - 1 };
  const chroma = (samples: Uint16Array, x: number, y: number) => {
    const at = (column: number, row: number) =>
      samples[clamp(row, last.y) * columns + clamp(column, last.x)]!;
    const [near, across] = subX ? [x >> 1, x & 1 ? (x >> 1) + 1 : (x >> 1) - 1] : [x, x];
    const [level, beside] = subY ? [y >> 1, y & 1 ? (y >> 1) + 1 : (y >> 1) - 1] : [y, y];
    const row = (r: number) => (3 * at(near, r) + at(across, r)) / 4;
    return (3 * row(level) + row(beside)) / 4;
  };
  const pixels: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const luma = planes[0]![y * picture.width + x]!;
      const [u, v] = monochrome ? [0, 0] : [chroma(planes[1]!, x, y), chroma(planes[2]!, x, y)];
      for (const at of [0, 4, 8]) {
        pixels.push(
          clamp(matrix[at]! * luma + matrix[at + 1]! * u + matrix[at + 2]! * v + matrix[at + 3]!, most),
        );
      }
      pixels.push(alpha ? (alpha.planes[0]![y * alpha.width + x]! / (2 ** alpha.depth - 1)) * most : most);
    }
  }
  return pixels;
}

/** Reads all rows, as 8 or 16 bits. */
function read(
  core: ReturnType<typeof createCore>,
  plan: RgbaPlan,
  wide: boolean,
): { pixels: number[]; work: number } {
  const { width, height } = plan.size;
  const pixels: number[] = [];
  let work = 0;
  let y = 0;
  for (const item of rgbaRows(core, plan, wide)) {
    if (typeof item === 'number') {
      work += item;
      continue;
    }
    expect(item.y).toBe(y);
    const count = item.rows * width * 4;
    const { buffer } = core.exports.memory;
    pixels.push(
      ...(wide ? new Uint16Array(buffer, item.place, count) : new Uint8Array(buffer, item.place, count)),
    );
    y += item.rows;
  }
  expect(y).toBe(height);
  return { pixels, work };
}

const LAYOUTS = [
  { subX: 1, subY: 1, monochrome: false },
  { subX: 1, subY: 0, monochrome: false },
  { subX: 0, subY: 0, monochrome: false },
  { subX: 1, subY: 1, monochrome: true },
];

describe('rows of an AVIF made RGBA', () => {
  const random = seededBelow(7);
  for (const layout of LAYOUTS) {
    const name = layout.monochrome ? 'grey' : layout.subY ? '4:2:0' : layout.subX ? '4:2:2' : '4:4:4';
    it.each([
      [8, false, [64]],
      [8, false, [2, 6, 18]],
      [10, true, [2]],
      [12, true, [34, 8]],
    ])(`${name} of %i bits (16-bit output: %s), in batches of %j rows`, (depth, wide, heights) => {
      for (const [width, height] of [
        [1, 1],
        [7, 5],
        [33, 40],
        [16, 64],
        [50, 67],
        [9, 3],
        [17, 2],
        [101, 4],
      ] as const) {
        using core = createCore();
        const planes = randomPlanes({ width, height, depth, ...layout }, random);
        const colour = planePicture(core, planes, heights);
        const plan: RgbaPlan = {
          size: { width, height },
          colour,
          coding: { ...coding, depth, monochrome: layout.monochrome, fullRange: width % 2 === 0 },
          alphaFullRange: true,
          premultiplied: false,
        };
        const { pixels, work } = read(core, plan, wide);
        const wanted = expected(planes, undefined, plan, wide ? 65_535 : 255);
        const most = Math.max(...pixels.map((value, i) => Math.abs(value - wanted[i]!)));
        expect(most).toBeLessThanOrEqual(wide ? 0.52 : 0.501);
        expect(work).toBe(width * height);
        // Again, and left early in between.
        for (const _ of rgbaRows(core, plan, wide)) break;
        expect(read(core, plan, wide).pixels).toEqual(pixels);
      }
    });
  }

  it('take alpha from a decoder that finishes other rows, cropped to the picture', () => {
    using core = createCore();
    const size = { width: 29, height: 37 };
    const planes = randomPlanes({ width: 32, height: 40, depth: 8, ...LAYOUTS[0]! }, random);
    const grey = randomPlanes({ width: 32, height: 40, depth: 10, ...LAYOUTS[3]! }, random);
    const plan: RgbaPlan = {
      size,
      colour: planePicture(core, planes, [6, 20]),
      alpha: planePicture(core, grey, [11, 3, 40]),
      coding,
      alphaFullRange: true,
      premultiplied: false,
    };
    const { pixels, work } = read(core, plan, false);
    const wanted = expected(planes, grey, plan, 255);
    expect(Math.max(...pixels.map((value, i) => Math.abs(value - wanted[i]!)))).toBeLessThanOrEqual(0.501);
    expect(work).toBeGreaterThan(32 * 37 * 2);
    // Alpha of narrow range reaches both ends.
    const narrow = read(core, { ...plan, alphaFullRange: false }, false).pixels;
    grey.planes[0]!.forEach((sample, i) => {
      const [x, y] = [i % 32, Math.floor(i / 32)];
      if (x >= 29 || y >= 37) return;
      const alpha = clamp((sample - 64) / 876, 1) * 255;
      expect(Math.abs(narrow[(y * 29 + x) * 4 + 3]! - alpha)).toBeLessThanOrEqual(0.501);
    });
  });

  it.each([
    [8, false],
    [12, true],
  ])('divide by alpha where they are premultiplied: %i bits (16-bit output: %s)', (depth, wide) => {
    using core = createCore();
    const layout = { width: 9, height: 4, depth, ...LAYOUTS[2]! };
    const top = wide ? 65_535 : 255;
    const [planes, grey] = [
      randomPlanes(layout, random),
      randomPlanes({ ...layout, monochrome: true }, random),
    ];
    const plan: RgbaPlan = {
      size: layout,
      colour: planePicture(core, planes, [4]),
      alpha: planePicture(core, grey, [4]),
      coding: { ...coding, depth },
      alphaFullRange: true,
      premultiplied: true,
    };
    const { pixels } = read(core, plan, wide);
    const plain = read(core, { ...plan, premultiplied: false }, wide).pixels;
    pixels.forEach((value, i) => {
      const alpha = plain[i | 3]!;
      const wanted =
        (i & 3) === 3 ? alpha : alpha === 0 ? 0 : Math.min(top, Math.round((plain[i]! * top) / alpha));
      expect(value).toBe(wanted);
    });
  });

  it('reserve what was predicted', () => {
    for (const layout of LAYOUTS) {
      for (const wide of [false, true]) {
        using core = createCore();
        const planes = randomPlanes({ width: 40, height: 4, depth: 8, ...layout }, random);
        const plan: RgbaPlan = {
          size: planes,
          colour: planePicture(core, planes, [4]),
          coding: { ...coding, monochrome: layout.monochrome },
          alphaFullRange: true,
          premultiplied: false,
        };
        const before = core.exports.mark();
        for (const item of rgbaRows(core, plan, wide)) {
          if (typeof item !== 'number')
            expect(core.exports.mark() - before).toBe(rgbaRowsBytes(planes, layout, wide));
        }
        expect(core.exports.mark()).toBe(before);
      }
    }
  });

  it('say at which row decoding ended too early', () => {
    using core = createCore();
    const planes = randomPlanes({ width: 8, height: 8, depth: 8, ...LAYOUTS[0]! }, random);
    const colour = planePicture(core, planes, [4]);
    const plan = {
      size: { width: 8, height: 20 },
      colour,
      coding,
      alphaFullRange: true,
      premultiplied: false,
    };
    expect(() => read(core, plan, false)).toThrow(/ends at row 7 of 20/);
    const alpha = planePicture(core, { ...planes, height: 4 }, [4]);
    expect(() => read(core, { ...plan, size: { width: 8, height: 8 }, alpha }, false)).toThrow(
      /alpha.* ends at row 4/,
    );
  });
});
