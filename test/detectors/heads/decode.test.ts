import { describe, expect, it } from 'vitest';
import { type Candidate, MAX_CANDIDATES, type Outputs } from '../../../src/detectors/heads/candidates.ts';
import { decodeHead } from '../../../src/detectors/heads/decode.ts';
import { type Head, headSchema } from '../../../src/detectors/manifest.ts';
import { seededRandom } from '../../fixtures/random.ts';

const input = { width: 96, height: 64 };
const random = seededRandom(138);

interface Thing {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly confidence: number;
  readonly category: number;
}

const between = (from: number, to: number) => from + (to - from) * random();

/** Things far enough from each other's confidence that their order is theirs. */
function things(categories: number): Thing[] {
  return [0.9, 0.7, 0.5, 0.3].map((confidence) => {
    const w = between(4, 30);
    const h = between(4, 30);
    const [x, y] = [between(0, input.width - w), between(0, input.height - h)];
    return { x, y, w, h, confidence, category: Math.floor(random() * categories) };
  });
}

const centre = ({ x, y, w, h }: Thing) => [x + w / 2, y + h / 2, w, h] as const;
const corners = ({ x, y, w, h }: Thing) => [x, y, x + w, y + h] as const;
const scoresOf = (thing: Thing | undefined, categories: number) =>
  Array.from({ length: categories }, (_, at) => (thing?.category === at ? thing.confidence : 0.01));

const tensor = (dims: readonly number[], values: readonly number[]) => ({
  dims,
  data: Float32Array.from(values),
});

const rule = (head: object) => headSchema.parse(head);

function expectThings(found: readonly Candidate[], wanted: readonly Thing[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [at, thing] of wanted.entries()) {
    const { x, y, w, h, confidence, category } = found[at]!;
    expect(category).toBe(thing.category);
    for (const [value, expected] of [
      [x, thing.x],
      [y, thing.y],
      [w, thing.w],
      [h, thing.h],
      [confidence, thing.confidence],
    ] as const) {
      expect(value).toBeCloseTo(expected, 3);
    }
  }
}

/** What each head's outputs are where a network sees these things, by the head's own definition. */
const writers: readonly (readonly [Head, number, (seen: readonly Thing[]) => Outputs])[] = [
  [
    rule({ head: 'yolov5' }),
    3,
    (seen) => ({
      output: tensor(
        [1, seen.length, 8],
        seen.flatMap((thing) => [
          ...centre(thing),
          0.99,
          ...scoresOf({ ...thing, confidence: thing.confidence / 0.99 }, 3),
        ]),
      ),
    }),
  ],
  [
    rule({ head: 'yolov8' }),
    2,
    (seen) => {
      const rows = seen.map((thing) => [...centre(thing), ...scoresOf(thing, 2)]);
      return {
        output: tensor(
          [1, 6, seen.length],
          Array.from({ length: 6 }, (_, at) => rows.map((row) => row[at]!)).flat(),
        ),
      };
    },
  ],
  [
    rule({ head: 'yolov8' }),
    3,
    (seen) => ({
      output: tensor(
        [1, seen.length, 7],
        seen.flatMap((thing) => [...centre(thing), ...scoresOf(thing, 3)]),
      ),
    }),
  ],
  [
    rule({ head: 'yolo-nms' }),
    4,
    (seen) => ({
      output: tensor(
        [1, seen.length, 6],
        seen.flatMap((thing) => [...corners(thing), thing.confidence, thing.category]),
      ),
    }),
  ],
  [
    rule({ head: 'boxes', boxes: 'b', scores: 's' }),
    3,
    (seen) => ({
      b: tensor([1, seen.length, 4], seen.flatMap(corners)),
      s: tensor(
        [1, seen.length, 3],
        seen.flatMap((thing) => scoresOf(thing, 3)),
      ),
    }),
  ],
  [
    rule({ head: 'yunet', strides: [8, 16] }),
    1,
    (seen) =>
      Object.assign(
        {},
        ...[8, 16].map((stride) => {
          const [columns, rows] = [input.width / stride, input.height / stride];
          const grid = {
            cls: new Float32Array(columns * rows),
            obj: new Float32Array(columns * rows),
            bbox: new Float32Array(columns * rows * 4),
          };
          for (const [index, thing] of seen.entries()) {
            if ((index % 2 === 0 ? 8 : 16) !== stride) continue;
            const [x, y, w, h] = centre(thing).map((value) => value / stride) as [
              number,
              number,
              number,
              number,
            ];
            const cell = Math.floor(y) * columns + Math.floor(x);
            grid.cls[cell] = thing.confidence ** 2 / 0.95;
            grid.obj[cell] = 0.95;
            grid.bbox.set([x - Math.floor(x), y - Math.floor(y), Math.log(w), Math.log(h)], 4 * cell);
          }
          const count = columns * rows;
          return {
            [`cls_${stride}`]: { dims: [1, count, 1], data: grid.cls },
            [`obj_${stride}`]: { dims: [1, count, 1], data: grid.obj },
            [`bbox_${stride}`]: { dims: [1, count, 4], data: grid.bbox },
          };
        }),
      ),
  ],
  [
    rule({ head: 'scrfd', strides: [8], anchors: 2 }),
    1,
    (seen) => {
      const [columns, rows] = [input.width / 8, input.height / 8];
      const count = columns * rows * 2;
      const scores = new Float32Array(count);
      const sides = new Float32Array(count * 4);
      for (const [index, thing] of seen.entries()) {
        const [x, y] = [Math.floor(thing.x / 8), Math.floor(thing.y / 8)];
        const anchor = (y * columns + x) * 2 + (index % 2);
        scores[anchor] = thing.confidence;
        const [left, top, right, bottom] = corners(thing);
        sides.set([x - left / 8, y - top / 8, right / 8 - x, bottom / 8 - y], anchor * 4);
      }
      return { score_8: { dims: [count, 1], data: scores }, bbox_8: { dims: [count, 4], data: sides } };
    },
  ],
  [
    rule({ head: 'ssd', boxes: 'b', scores: 's', priors: [{ stride: 16, sizes: [12, 24] }] }),
    2,
    (seen) => {
      const columns = input.width / 16;
      const count = columns * (input.height / 16) * 2;
      const scores = new Float32Array(count * 3).fill(0.01);
      const offsets = new Float32Array(count * 4);
      for (const [index, thing] of seen.entries()) {
        const [x, y, w, h] = centre(thing);
        const prior = [12, 24][index % 2]!;
        const at = (Math.floor(y / 16) * columns + Math.floor(x / 16)) * 2 + (index % 2);
        scores.fill(0.01, at * 3, at * 3 + 3);
        scores[at * 3 + 1 + thing.category] = thing.confidence;
        const [px, py] = [(Math.floor(x / 16) + 0.5) * 16, (Math.floor(y / 16) + 0.5) * 16];
        offsets.set(
          [
            (x - px) / prior / 0.1,
            (y - py) / prior / 0.1,
            Math.log(w / prior) / 0.2,
            Math.log(h / prior) / 0.2,
          ],
          at * 4,
        );
      }
      return { b: { dims: [1, count, 4], data: offsets }, s: { dims: [1, count, 3], data: scores } };
    },
  ],
];

describe.each(writers)('$head', (head, categories, outputsOf) => {
  it('gives back what its outputs were made of, most confident first', () => {
    for (let run = 0; run < 50; run++) {
      const seen = things(categories);
      // Two in one cell overwrite each other: their definition, not this reading.
      const cells = new Set(
        seen
          .map(({ x, y, w, h }) => [x / 8, y / 8, (x + w / 2) / 16, (y + h / 2) / 16].map(Math.floor))
          .map(String),
      );
      if (cells.size < seen.length) continue;
      const found = decodeHead(outputsOf(seen), head, { input, categories });
      const firsts = found.filter(({ confidence }) => confidence >= 0.25);
      expectThings(firsts, distinctCells(head.head, seen));
    }
  });

  it('refuses outputs of another shape, and none', () => {
    const context = { input, categories: categories + 3 };
    const outputs = outputsOf(things(categories));
    if (head.head !== 'yolo-nms') expect(() => decodeHead(outputs, head, context)).toThrow(/Expected/);
    expect(() => decodeHead({}, head, { input, categories })).toThrow(/Expected output/);
    const flat = Object.fromEntries(
      Object.entries(outputs).map(([name, value]) => [name, { ...value!, dims: [value!.data.length] }]),
    );
    expect(() => decodeHead(flat, head, { input, categories })).toThrow(/shape|Expected/);
  });
});

/** Heads with cells show one thing a cell and anchor: the later one. */
function distinctCells(head: string, seen: readonly Thing[]): readonly Thing[] {
  const cellOf = ({ x, y, w, h }: Thing, index: number) => {
    if (head === 'yunet') {
      const stride = index % 2 === 0 ? 8 : 16;
      return `${stride} ${Math.floor((x + w / 2) / stride)} ${Math.floor((y + h / 2) / stride)}`;
    }
    if (head === 'scrfd') return `${index % 2} ${Math.floor(x / 8)} ${Math.floor(y / 8)}`;
    if (head === 'ssd') return `${index % 2} ${Math.floor((x + w / 2) / 16)} ${Math.floor((y + h / 2) / 16)}`;
    return String(index);
  };
  const last = new Map(seen.map((thing, index) => [cellOf(thing, index), thing]));
  return [...last.values()].sort((a, b) => b.confidence - a.confidence);
}

it('keeps the most confident of very many', () => {
  const count = 9 * MAX_CANDIDATES;
  const rows = Array.from({ length: count }, (_, at) => [
    5,
    5,
    9,
    9,
    0.3 + (0.6 * ((at * 7919) % count)) / count,
    0,
  ]);
  const found = decodeHead({ o: tensor([1, count, 6], rows.flat()) }, rule({ head: 'yolo-nms' }), {
    input,
    categories: 1,
  });
  expect(found).toHaveLength(MAX_CANDIDATES);
  expect(found.at(-1)!.confidence).toBeGreaterThan(0.3 + 0.6 * (1 - 1.01 / 9));
});

it('drops boxes of no number and classes of none', () => {
  const rows = [Number.NaN, 0, 5, 5, 0.9, 0, 1, 1, 5, 5, 0.8, 0, 6, 6, 5, 5, 0.7, 0];
  const head = rule({ head: 'yolo-nms' });
  expect(decodeHead({ o: tensor([1, 3, 6], rows) }, head, { input, categories: 1 })).toHaveLength(1);
  const stray = tensor([1, 1, 6], [1, 1, 5, 5, 0.8, 7]);
  expect(() => decodeHead({ o: stray }, head, { input, categories: 1 })).toThrow(/classes from 0 to 0/);
});

it('makes scores of logits', () => {
  const sigmoid = rule({ head: 'yolov8', activation: 'sigmoid' });
  const one = (values: readonly number[]) => ({
    o: tensor([1, 4 + values.length, 1], [9, 9, 4, 4, ...values]),
  });
  expect(decodeHead(one([0, 2]), sigmoid, { input, categories: 2 })[0]).toMatchObject({ category: 1 });
  expect(decodeHead(one([0, 2]), sigmoid, { input, categories: 2 })[0]!.confidence).toBeCloseTo(0.8808, 4);
  const softmax = rule({ head: 'yolov8', activation: 'softmax' });
  expect(decodeHead(one([1000, 1001]), softmax, { input, categories: 2 })[0]!.confidence).toBeCloseTo(
    0.7311,
    4,
  );
});

describe('map', () => {
  const head = rule({ head: 'map', threshold: 0.5, least: 0 });

  it('takes each connected component for a box, corners and all', () => {
    const rows = ['#..##...', '.#......', '........', '......#.'];
    const data = rows
      .join('')
      .split('')
      .map((sign) => (sign === '#' ? 0.8 : 0.1));
    const found = decodeHead({ m: tensor([1, 1, 4, 8], data) }, head, {
      input: { width: 32, height: 16 },
      categories: 1,
    });
    expect(found.map(({ x, y, w, h }) => [x, y, w, h])).toEqual(
      expect.arrayContaining([
        [0, 0, 8, 8],
        [12, 0, 8, 4],
        [24, 12, 4, 4],
      ]),
    );
    expect(found).toHaveLength(3);
    expect(found[0]!.confidence).toBeCloseTo(0.8, 5);
  });

  it('grows boxes and drops small ones where it is told to', () => {
    const data = [0.9, 0, 0, 0, 0, 0, 0.9, 0.9, 0];
    const grown = rule({ head: 'map', threshold: 0.5, grow: 2, least: 1.5 });
    const [box, ...others] = decodeHead({ m: tensor([1, 3, 3], data) }, grown, {
      input: { width: 6, height: 3 },
      categories: 1,
    });
    expect(others).toEqual([]);
    expect(box).toBeUndefined();
    const both = decodeHead(
      { m: tensor([1, 3, 3], data) },
      rule({ head: 'map', threshold: 0.5, grow: 2, least: 1 }),
      { input: { width: 6, height: 3 }, categories: 1 },
    );
    expect(both.map(({ x, w }) => [x, w])).toEqual(
      expect.arrayContaining([
        [-1, 4],
        [-2, 8],
      ]),
    );
  });

  it('ends on a map that is one component, and on thresholds of 0', () => {
    const size = 200;
    const full = tensor([1, 1, size, size], new Array<number>(size * size).fill(0.9));
    expect(
      decodeHead({ m: full }, head, { input: { width: size, height: size }, categories: 1 }),
    ).toHaveLength(1);
    const none = tensor([1, 1, 8, 8], new Array<number>(64).fill(0));
    expect(
      decodeHead({ m: none }, rule({ head: 'map', threshold: 0 }), { input, categories: 1 }),
    ).toHaveLength(1);
  });
});
