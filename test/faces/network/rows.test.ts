import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { separableRows } from '../../../src/faces/network/layers.ts';
import { type Layer, layerFloats, type Separable } from '../../../src/faces/network/layout.ts';
import {
  addCoarse,
  DepthwiseRows,
  type FeatureRows,
  MadeRows,
  PictureRows,
  PointwiseRows,
  PooledRows,
  type Run,
  StemRows,
  standard,
} from '../../../src/faces/network/rows.ts';
import { seededRandom } from '../../fixtures/random.ts';

const core = createCore();
afterAll(() => core[Symbol.dispose]());
const floatsAt = (at: number, count: number) =>
  new Float32Array(core.exports.memory.buffer as ArrayBuffer, at, count);
const zeros = (bytes: number) => {
  const at = core.alloc(bytes);
  core.view(at, bytes).fill(0);
  return at;
};

/** A map of random values, [y][x][channel]. */
interface Plain {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  at(x: number, y: number, channel: number): number;
}

function plainMap(width: number, height: number, channels: number, random: () => number): Plain {
  const values = Float32Array.from({ length: width * height * channels }, () => random() - 0.5);
  const inside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height;
  const at = (x: number, y: number, channel: number) =>
    inside(x, y) ? values[(y * width + x) * channels + channel]! : 0;
  return { width, height, channels, at };
}

class PlainRows extends MadeRows {
  readonly #plain: Plain;
  constructor(run: Run, plain: Plain) {
    super(run, plain.width, plain.height, plain.channels);
    this.#plain = plain;
  }
  protected override make(y: number, to: number): void {
    const { width, channels } = this.#plain;
    const row = floatsAt(to + channels * 4, width * channels);
    for (let i = 0; i < row.length; i++) row[i] = this.#plain.at(Math.floor(i / channels), y, i % channels);
  }
}

/** A run whose weights are random; `weight` reads them as they are laid out. */
function runWith(floats: number, random: () => number) {
  const weights = zeros(floats * 4);
  const values = Float32Array.from({ length: floats }, () => random() - 0.5);
  let spent = 0;
  const spend = (multiplications: number) => {
    spent += multiplications;
  };
  const run: Run = { exports: core.exports, memory: { take: zeros }, weights, zeros: zeros(4096), spend };
  floatsAt(weights, floats).set(values);
  return { run, weight: (at: number) => values[at]!, spent: () => spent };
}

const layerOf = (kind: Layer['kind'], at: number, inputs: number, outputs: number): Layer => ({
  kind,
  tensors: [],
  at,
  inputs,
  outputs,
});

/** What a depthwise layer makes of a map: its bias, and nine taps. */
function depthwiseOf(map: Plain, { at, inputs }: Layer, weight: (at: number) => number, stride: number) {
  return (x: number, y: number, channel: number) => {
    let sum = weight(at + channel);
    for (let tap = 0; tap < 9; tap++) {
      const [across, down] = [x * stride + (tap % 3) - 1, y * stride + Math.floor(tap / 3) - 1];
      sum += map.at(across, down, channel) * weight(at + (1 + tap) * inputs + channel);
    }
    return sum;
  };
}

const pointwiseAt = (layer: Layer, output: number, input: number) =>
  layer.at + (output - (output % 8)) * (layer.inputs + 1) + (output % 8) + 8 * (input + 1);

function expectRow(rows: FeatureRows, y: number, expected: (x: number, channel: number) => number): void {
  const { width, channels } = rows;
  const row = floatsAt(rows.row(y), (width + 2) * channels);
  for (let x = -1; x <= width; x++) {
    for (let channel = 0; channel < channels; channel++) {
      const isInside = x >= 0 && x < width;
      const value = row[(x + 1) * channels + channel]!;
      expect(Math.abs(value - (isInside ? expected(x, channel) : 0))).toBeLessThan(1e-4);
    }
  }
}

const shape = fc.record({
  width: fc.integer({ min: 1, max: 7 }),
  height: fc.integer({ min: 1, max: 6 }),
  inputs: fc.constantFrom(8, 16, 40),
  outputs: fc.constantFrom(8, 16, 24),
  seed: fc.nat(1000),
});

describe('rows of a separable block', () => {
  it('are what the convolutions make, at either stride, with and without the input added', () => {
    fc.assert(
      fc.property(shape, fc.constantFrom('half', 'same', 'residual'), (sizes, kind) => {
        const marked = core.region();
        const stride = kind === 'half' ? 2 : 1;
        const outputs = kind === 'residual' ? sizes.inputs : sizes.outputs;
        const random = seededRandom(sizes.seed);
        const map = plainMap(sizes.width * stride, sizes.height * stride, sizes.inputs, random);
        const depthwise = layerOf('depthwise', 0, sizes.inputs, sizes.inputs);
        const pointwise = layerOf('pointwise', layerFloats(depthwise), sizes.inputs, outputs);
        const { run, weight } = runWith(pointwise.at + layerFloats(pointwise), random);
        const block: Separable = { depthwise, pointwise, stride, residual: kind === 'residual' };
        const rows = separableRows(run, new PlainRows(run, map), block);
        const between = depthwiseOf(map, depthwise, weight, stride);
        for (let y = 0; y < rows.height; y++) {
          expectRow(rows, y, (x, output) => {
            let sum = weight(pointwiseAt(pointwise, output, -1));
            for (let input = 0; input < sizes.inputs; input++)
              sum += between(x, y, input) * weight(pointwiseAt(pointwise, output, input));
            return Math.max(0, sum + (block.residual ? map.at(x, y, output) : 0));
          });
        }
        marked[Symbol.dispose]();
      }),
      { numRuns: 40, seed: 3 },
    );
  });
});

describe('rows of the first layer', () => {
  it('are the convolution of the normalised picture', () => {
    const [width, height] = [10, 6];
    const random = seededRandom(5);
    const stem = layerOf('stem', 0, 3, 16);
    const { run, weight } = runWith(layerFloats(stem), random);
    const image = zeros(width * height * 12);
    const planes = floatsAt(image, width * height * 3).map(() => Math.round(random() * 255));
    floatsAt(image, planes.length).set(planes);
    const colour = (x: number, y: number, c: number) => {
      if (x < 0 || y < 0 || x >= width || y >= height) return 0;
      return (planes[(c * height + y) * width + x]! - 127.5) / 58;
    };
    const rows = new StemRows(run, new PictureRows(run, image, width, height, standard), stem);
    expect([rows.width, rows.height]).toEqual([5, 3]);
    for (let y = 0; y < rows.height; y++) {
      expectRow(rows, y, (x, output) => {
        let sum = weight(output);
        for (let tap = 0; tap < 27; tap++) {
          const [c, column, line] = [tap % 3, Math.floor(tap / 3) % 3, Math.floor(tap / 9)];
          sum += colour(2 * x + column - 1, 2 * y + line - 1, c) * weight(16 * (1 + tap) + output);
        }
        return Math.max(0, sum);
      });
    }
  });
});

describe('rows of a depthwise layer', () => {
  it.each([1, 2] as const)('end with ReLU unless they are linear, at stride %i', (stride) => {
    const random = seededRandom(6);
    const layer = layerOf('depthwise', 0, 8, 8);
    const { run, weight } = runWith(layerFloats(layer), random);
    const map = plainMap(5 * stride, 4 * stride, 8, random);
    const expected = depthwiseOf(map, layer, weight, stride);
    for (const isLinear of [false, true]) {
      const rows = new DepthwiseRows(run, new PlainRows(run, map), layer, stride, { isLinear });
      const least = isLinear ? Number.NEGATIVE_INFINITY : 0;
      for (let y = 0; y < 4; y++)
        expectRow(rows, y, (x, channel) => Math.max(least, expected(x, y, channel)));
    }
  });
});

describe('pooled rows', () => {
  it('are the largest of every 2 × 2 pixels', () => {
    const map = plainMap(10, 6, 8, seededRandom(7));
    const { run } = runWith(1, seededRandom(1));
    const rows = new PooledRows(run, new PlainRows(run, map));
    expect([rows.width, rows.height]).toEqual([5, 3]);
    for (let y = 0; y < 3; y++) {
      expectRow(rows, y, (x, channel) => {
        const at = (right: number, down: number) => map.at(2 * x + right, 2 * y + down, channel);
        return Math.max(at(0, 0), at(1, 0), at(0, 1), at(1, 1));
      });
    }
  });
});

describe('a map that follows another’s rows', () => {
  it('is made as these are, holds all of its rows, and takes a coarser map in', () => {
    const random = seededRandom(9);
    const layer = layerOf('pointwise', 0, 16, 8);
    const { run, weight, spent } = runWith(layerFloats(layer), random);
    const fine = plainMap(6, 4, 16, random);
    const coarse = plainMap(3, 2, 8, random);
    const rows = new PlainRows(run, fine);
    const map = new PointwiseRows(run, rows, layer, { isLinear: true, keepAll: true });
    rows.follower = map;
    // Of the rows themselves the first is no longer held then.
    rows.row(3);
    expect(spent()).toBe(4 * 6 * 16 * 8);
    addCoarse(run, map, new PlainRows(run, coarse));
    let least = 0;
    for (let y = 0; y < 4; y++) {
      expectRow(map, y, (x, output) => {
        let sum = weight(pointwiseAt(layer, output, -1));
        for (let input = 0; input < 16; input++)
          sum += fine.at(x, y, input) * weight(pointwiseAt(layer, output, input));
        least = Math.min(least, sum);
        return sum + coarse.at(x >> 1, y >> 1, output);
      });
    }
    expect(least).toBeLessThan(0);
    expect(spent()).toBe(4 * 6 * 16 * 8);
  });
});
