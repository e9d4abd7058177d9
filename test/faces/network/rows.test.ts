import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import type { FloatTensor } from '../../../src/faces/network/initializers.ts';
import { separableRows } from '../../../src/faces/network/layers.ts';
import {
  type Layer,
  LayoutBuilder,
  pictureSource,
  type Separable,
  type Source,
  standard,
} from '../../../src/faces/network/layout.ts';
import {
  addCoarse,
  DepthwiseRows,
  type FeatureRows,
  GivenRows,
  MadeRows,
  PictureRows,
  PointwiseRows,
  PooledRows,
  type Run,
  StemRows,
} from '../../../src/faces/network/rows.ts';
import { packWeights } from '../../../src/faces/network/weights.ts';
import { seededRandom } from '../../fixtures/random.ts';

const core = createCore();
afterAll(() => core[Symbol.dispose]());
const zeros = (bytes: number) => {
  const at = core.alloc(bytes);
  core.view(at, bytes).fill(0);
  return at;
};

/** A map of random values, [y][x][channel], in steps of its unit. */
interface Plain extends Source {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number, channel: number): number;
}

function plainMap(
  width: number,
  height: number,
  outputs: number,
  random: () => number,
  unit = 2 ** -15,
): Plain {
  const values = Array.from({ length: width * height * outputs }, () => Math.floor((random() - 0.5) / unit));
  const inside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height;
  const at = (x: number, y: number, channel: number) =>
    inside(x, y) ? values[(y * width + x) * outputs + channel]! * unit : 0;
  return { width, height, outputs, unit, at };
}

class PlainRows extends MadeRows {
  readonly #plain: Plain;
  constructor(run: Run, plain: Plain) {
    super(run, [plain.width, plain.height], plain.outputs, plain.unit);
    this.#plain = plain;
  }
  protected override make(y: number, to: number): void {
    const { width, outputs, unit, at } = this.#plain;
    const row = new Int16Array(core.exports.memory.buffer as ArrayBuffer, to + outputs * 2, width * outputs);
    for (let i = 0; i < row.length; i++) row[i] = at(Math.floor(i / outputs), y, i % outputs) / unit;
  }
}

/** Layers with random weights, and a run over them. */
class Layers {
  readonly #random: () => number;
  readonly #layout: LayoutBuilder;
  readonly #tensors = new Map<string, FloatTensor>();
  spent = 0;

  /** @param ranges of the layers */
  constructor(random: () => number, ...ranges: number[]) {
    this.#random = random;
    this.#layout = new LayoutBuilder(ranges);
  }

  layer(kind: Layer['kind'], from: Source, outputs: number, size = 0.5): Layer {
    const [weight, bias] = [`${this.#tensors.size}.weight`, `${this.#tensors.size}.bias`];
    const inputs = { stem: [3, 3, 3], depthwise: [1, 3, 3], pointwise: [from.outputs, 1, 1] }[kind];
    for (const [name, dims] of [
      [weight, [outputs, ...inputs]],
      [bias, [outputs]],
    ] as const) {
      const length = dims.reduce((product, side) => product * side, 1);
      const values = Float32Array.from({ length }, () => 2 * size * (this.#random() - 0.5));
      this.#tensors.set(name, { dims, values });
    }
    return this.#layout.layer(kind, from, { weight, bias, outputs });
  }

  /** An output's bias, and so many values, each times its weight. */
  sum({ tensors }: Layer, output: number, inputs: number, value: (input: number) => number): number {
    const { weight, bias } = tensors[0]!;
    const weights = this.#tensors.get(weight)!.values.subarray(output * inputs);
    let sum = this.#tensors.get(bias!)!.values[output]!;
    for (let input = 0; input < inputs; input++) sum += value(input) * weights[input]!;
    return sum;
  }

  run(): Run {
    const laid = packWeights(this.#tensors, this.#layout, [0, 1, 2]);
    const weights = zeros(laid.length);
    core.view(weights, laid.length).set(laid);
    const spend = (multiplications: number) => {
      this.spent += multiplications;
    };
    return { exports: core.exports, memory: { take: zeros }, weights, zeros: zeros(4096), spend };
  }
}

/** What a depthwise layer makes of a map: nine taps. */
function depthwiseOf(map: Plain, layers: Layers, layer: Layer, stride: number) {
  return (x: number, y: number, channel: number) =>
    layers.sum(layer, channel, 9, (tap) =>
      map.at(x * stride + (tap % 3) - 1, y * stride + Math.floor(tap / 3) - 1, channel),
    );
}

/** @param within of what is expected, in units: inputs and weights are rounded, too */
function expectRow(
  rows: FeatureRows,
  y: number,
  expected: (x: number, channel: number) => number,
  within = 2,
): void {
  const { width, channels, unit } = rows;
  const at = rows.row(y);
  const row = new Int16Array(core.exports.memory.buffer as ArrayBuffer, at, (width + 2) * channels);
  for (let x = -1; x <= width; x++) {
    for (let channel = 0; channel < channels; channel++) {
      const isInside = x >= 0 && x < width;
      const value = row[(x + 1) * channels + channel]! * unit;
      const error = Math.abs(value - (isInside ? expected(x, channel) : 0));
      expect(error).toBeLessThanOrEqual(isInside ? within * unit : 0);
    }
  }
}

const shape = fc.record({
  width: fc.integer({ min: 1, max: 21 }),
  height: fc.integer({ min: 1, max: 6 }),
  inputs: fc.constantFrom(8, 16, 40),
  outputs: fc.constantFrom(8, 16, 24),
  seed: fc.nat(1000),
});

describe('rows of a separable block', () => {
  it('are what the convolutions make, at either stride, with and without the input added, and in parts', () => {
    fc.assert(
      fc.property(
        shape,
        fc.constantFrom('half', 'same', 'residual'),
        fc.boolean(),
        (sizes, kind, isInParts) => {
          const marked = core.region();
          const stride = kind === 'half' ? 2 : 1;
          const outputs = kind === 'residual' ? sizes.inputs : sizes.outputs;
          const random = seededRandom(sizes.seed);
          // What is added has the range of the sum.
          const unit = kind === 'residual' ? 2 ** -12 : 2 ** -15;
          const map = plainMap(sizes.width * stride, sizes.height * stride, sizes.inputs, random, unit);
          const layers = new Layers(random, 2, 3);
          const depthwise = layers.layer('depthwise', map, sizes.inputs);
          const pointwise = layers.layer('pointwise', depthwise, outputs, 4 / sizes.inputs);
          const block: Separable = { depthwise, pointwise, stride, residual: kind === 'residual' };
          const isMade = (x: number, y: number) => !isInParts || (y % 4 !== 2 && x > 0 && x !== 5);
          const spans = (y: number, width: number) =>
            Array.from({ length: width }, (_, from) => ({ from, to: from + 1 })).filter(({ from }) =>
              isMade(from, y),
            );
          const run = { ...layers.run(), ...(isInParts && { spans }) };
          const rows = separableRows(run, new PlainRows(layers.run(), map), block);
          const between = depthwiseOf(map, layers, depthwise, stride);
          for (let y = 0; y < rows.height; y++) {
            expectRow(rows, y, (x, output) => {
              if (!isMade(x, y)) return 0;
              const sum = layers.sum(pointwise, output, sizes.inputs, (input) => between(x, y, input));
              return Math.max(0, sum + (block.residual ? map.at(x, y, output) : 0));
            });
          }
          marked[Symbol.dispose]();
        },
      ),
      { numRuns: 40, seed: 3 },
    );
  });
});

describe('rows of the first layer', () => {
  it('are the convolution of the normalised picture', () => {
    const [width, height] = [12, 6];
    const { random, layers, stem, run } = firstLayer(5);
    const image = zeros(width * height * 12);
    const planes = Float32Array.from({ length: width * height * 3 }, () => Math.round(random() * 1020) / 4);
    new Float32Array(core.exports.memory.buffer as ArrayBuffer, image, planes.length).set(planes);
    const rows = new StemRows(run, new PictureRows(run, image, width, height, standard), stem);
    expect([rows.width, rows.height]).toEqual([6, 3]);
    expectStem(rows, layers, stem, [width, height], (x, y, c) => planes[(c * height + y) * width + x]!);
  });

  it('are the same of a picture whose rows come one by one, a byte a colour', () => {
    const [width, height] = [16, 6];
    const { random, layers, stem, run } = firstLayer(8);
    const bytes = Uint8Array.from({ length: width * height * 3 }, (_, i) =>
      i < 2 ? 255 * i : random() * 256,
    );
    const given = zeros(width * 3);
    const picture = new GivenRows(run, given, [width, height], standard);
    const rows = new StemRows(run, picture, stem);
    const made: number[] = [];
    for (let y = 0; y < height; y++) {
      core.view(given, width * 3).set(bytes.subarray(y * width * 3, (y + 1) * width * 3));
      picture.row(y);
      if (y % 2 === 1) made.push(rows.row(y >> 1));
    }
    expect(new Set(made).size).toBe(3);
    expectStem(rows, layers, stem, [width, height], (x, y, c) => bytes[(y * width + x) * 3 + c]!);
  });
});

function firstLayer(seed: number) {
  const random = seededRandom(seed);
  const layers = new Layers(random, 4);
  const stem = layers.layer('stem', pictureSource(standard), 16);
  return { random, layers, stem, run: layers.run() };
}

/** @param level of a colour, 0 to 255; the network sees it normalised, and 0 beyond the picture */
function expectStem(
  rows: StemRows,
  layers: Layers,
  stem: Layer,
  [width, height]: readonly [number, number],
  level: (x: number, y: number, c: number) => number,
): void {
  const colour = (x: number, y: number, c: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (level(x, y, c) - 127.5) / 58;
  for (let y = 0; y < rows.height; y++) {
    const tapOf = (x: number) => (tap: number) =>
      colour(2 * x + (tap % 3) - 1, 2 * y + (Math.floor(tap / 3) % 3) - 1, Math.floor(tap / 9));
    expectRow(rows, y, (x, output) => Math.max(0, layers.sum(stem, output, 27, tapOf(x))), 3);
  }
}

describe('rows of a depthwise layer', () => {
  it.each([1, 2] as const)('end with ReLU unless they are linear, at stride %i', (stride) => {
    const random = seededRandom(6);
    const map = plainMap(13 * stride, 4 * stride, 16, random);
    const layers = new Layers(random, 2);
    const layer = layers.layer('depthwise', map, 16);
    const run = layers.run();
    const expected = depthwiseOf(map, layers, layer, stride);
    for (const isLinear of [false, true]) {
      const rows = new DepthwiseRows(run, new PlainRows(run, map), layer, stride, { isLinear });
      const least = isLinear ? Number.NEGATIVE_INFINITY : 0;
      for (let y = 0; y < 4; y++)
        expectRow(rows, y, (x, channel) => Math.max(least, expected(x, y, channel)));
    }
  });

  it('are the largest or the least that there are, where more was made', () => {
    const random = seededRandom(8);
    const map = plainMap(9, 3, 8, random);
    const layers = new Layers(random, -3);
    const layer = layers.layer('depthwise', map, 8, 0.9);
    const expected = depthwiseOf(map, layers, layer, 1);
    const rows = new DepthwiseRows(layers.run(), new PlainRows(layers.run(), map), layer, 1, {
      isLinear: true,
    });
    const [least, most] = [-(2 ** 15), 2 ** 15 - 1].map((steps) => steps * layer.unit) as [number, number];
    let beyond = 0;
    for (let y = 0; y < 3; y++) {
      const inRange = (x: number, channel: number) => {
        const value = expected(x, y, channel);
        if (value > most || value < least) beyond++;
        return Math.min(most, Math.max(least, value));
      };
      // Such large weights are rounded to fewer places.
      expectRow(rows, y, inRange, 20);
    }
    expect(beyond).toBeGreaterThan(100);
  });
});

describe('pooled rows', () => {
  it('are the largest of every 2 × 2 pixels', () => {
    const map = plainMap(10, 6, 8, seededRandom(7));
    const run = new Layers(seededRandom(1)).run();
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
    const fine = plainMap(6, 4, 16, random);
    const layers = new Layers(random, 3);
    const layer = layers.layer('pointwise', fine, 8);
    const coarse = plainMap(3, 2, 8, random, layer.unit);
    const run = layers.run();
    const rows = new PlainRows(run, fine);
    const map = new PointwiseRows(run, rows, layer, { isLinear: true, keepAll: true });
    rows.follower = map;
    // Of the rows themselves the first is no longer held then.
    rows.row(3);
    expect(layers.spent).toBe(4 * 6 * 16 * 8);
    addCoarse(run, map, new PlainRows(run, coarse));
    let least = 0;
    for (let y = 0; y < 4; y++) {
      expectRow(map, y, (x, output) => {
        const sum = layers.sum(layer, output, 16, (input) => fine.at(x, y, input));
        least = Math.min(least, sum);
        return sum + coarse.at(x >> 1, y >> 1, output);
      });
    }
    expect(least).toBeLessThan(0);
    expect(layers.spent).toBe(4 * 6 * 16 * 8);
    expect(() => rows.row(0)).toThrow('Row 0 is held no more: 4 are made');
    const other = plainMap(3, 2, 8, random);
    expect(() => addCoarse(run, map, new PlainRows(run, other))).toThrow('are added');
  });
});
