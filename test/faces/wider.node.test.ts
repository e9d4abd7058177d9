import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readMat } from '../../scripts/eval_faces/mat.ts';
import {
  averagePrecision,
  groups,
  type WiderPicture,
  widerPictures,
} from '../../scripts/eval_faces/wider.ts';

type Value = string | readonly number[] | readonly Value[];

/** An element of a MAT file: type and bytes, filled up to eight. */
function element(type: number, data: Uint8Array): number[] {
  const padding = new Array<number>((8 - (data.length % 8)) % 8).fill(0);
  return [...new Uint8Array(Uint32Array.of(type, data.length).buffer), ...data, ...padding];
}

const bytesOf = (values: readonly number[], list = Int32Array) => new Uint8Array(list.from(values).buffer);

/** Class 1 is cells, 4 text, 12 integers. */
function matrix(name: string, value: Value): number[] {
  const isCells = typeof value !== 'string' && value.some((one) => typeof one !== 'number');
  const kind = typeof value === 'string' ? 4 : isCells ? 1 : 12;
  const parts =
    typeof value === 'string'
      ? // As a small element where it fits: its length stands beside its type.
        [16, 0, value.length, 0, ...new TextEncoder().encode(value.padEnd(4, '\0'))]
      : isCells
        ? value.flatMap((one) => matrix('', one as Value))
        : element(5, bytesOf(value as number[]));
  return element(
    14,
    Uint8Array.from([
      ...element(6, bytesOf([kind, 0])),
      ...element(5, bytesOf([value.length, 1])),
      ...element(1, new TextEncoder().encode(name)),
      ...parts,
    ]),
  );
}

const matFile = (variables: Record<string, Value>) =>
  Uint8Array.from([
    ...new Array<number>(128).fill(32),
    ...Object.entries(variables).flatMap(([name, value]) => {
      const packed = deflateSync(Uint8Array.from(matrix(name, value)));
      return [...new Uint8Array(Uint32Array.of(15, packed.length).buffer), ...packed];
    }),
  ]);

it('a MAT file gives its cells, texts and numbers', () => {
  const read = readMat(matFile({ names: ['a--b', 'c'], counts: [[1, -2], [70_000]] }));
  expect([...read]).toEqual([
    ['names', ['a--b', 'c']],
    ['counts', [[1, -2], [70_000]]],
  ]);
});

it('pictures of WIDER FACE have their faces, labels and lists', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wider-'));
  const list = (values: readonly number[]): Value => [[values]];
  const named = ['blur', 'occlusion', 'pose', 'illumination', 'invalid'].map((label, i) => [
    `${label}_label_list`,
    list([i, 0]),
  ]);
  const face = {
    event_list: ['4--D'],
    file_list: [['p']],
    // By columns: both lefts, tops, widths, heights.
    face_bbx_list: list([1, 10, 2, 20, 3, 30, 4, 40]),
    ...Object.fromEntries(named),
  };
  writeFileSync(join(folder, 'wider_face_val.mat'), matFile(face));
  for (const [subset, kept] of [
    ['easy', [2]],
    ['medium', [1, 2]],
    ['hard', [1, 2]],
  ] as const)
    writeFileSync(join(folder, `wider_${subset}_val.mat`), matFile({ gt_list: list(kept) }));
  const [picture, ...others] = widerPictures(folder) as [WiderPicture];
  rmSync(folder, { recursive: true });
  expect(others).toEqual([]);
  expect(picture).toMatchObject({
    path: join(folder, 'WIDER_val/images/4--D/p.jpg'),
    event: 4,
    faces: [
      { x: 1, y: 2, w: 3, h: 4 },
      { x: 10, y: 20, w: 30, h: 40 },
    ],
    subsets: { easy: new Set([1]), medium: new Set([0, 1]) },
  });
  const inGroups = groups.filter(([, has]) => has(picture, 1)).map(([name]) => name);
  expect(inGroups).toEqual(['24 to 48 pixels', 'blur 0', 'occlusion 0', 'pose 0', 'illumination 0']);
});

it('average precision leaves out faces of other subsets, and counts a second box as wrong', () => {
  const at = (x: number) => ({ x, y: 0, w: 20, h: 20 });
  const picture = {
    faces: [at(0), at(100), at(200)],
    subsets: { easy: new Set([0, 1]), medium: new Set([0, 1, 2]), hard: new Set([2]) },
  } as unknown as WiderPicture;
  const boxes = [
    { ...at(1), confidence: 0.9 },
    { ...at(2), confidence: 0.8 },
    { ...at(200), confidence: 0.7 },
    { ...at(101), confidence: 0.6 },
    { ...at(50), confidence: 0.5 },
  ];
  // Right, wrong, right: half of all faces with precision 1, the other half with 2 / 3.
  expect(averagePrecision([{ picture, boxes }], 'easy')).toBeCloseTo(0.5 + 0.5 * (2 / 3), 9);
  expect(averagePrecision([{ picture, boxes }], 'medium')).toBeCloseTo((1 + 0.75 + 0.75) / 3, 9);
  expect(averagePrecision([{ picture, boxes: [] }], 'hard')).toBe(0);
});
