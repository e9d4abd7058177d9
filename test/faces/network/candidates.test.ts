import { expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { type Cells, candidateBytes, candidatesOf, sigmoid } from '../../../src/faces/network/candidates.ts';
import { ranges } from '../../../src/faces/network/ranges.ts';
import { yunet } from '../../../src/faces/network/yunet.ts';

const plain: Cells = { odds: 1, score: sigmoid, box: 1, centre: 0.5 };

/** What the integer 1 stands for. */
const unit = 2 ** -11;

/** Two levels: one cell row of two at stride 8, one cell at stride 16; eight integers a cell. */
function answered(given: readonly (readonly number[])[], kind: Cells = plain) {
  using core = createCore();
  // Rows begin and end with a cell of zeros.
  const at = core.alloc(7 * 16);
  const integers = new Int16Array(core.exports.memory.buffer as ArrayBuffer, at, 7 * 8).fill(0);
  const stepsOf = (value: number) => Math.round(Math.min(2 ** 15 - 1, Math.max(-(2 ** 15), value / unit)));
  for (const [cell, values] of given.entries()) integers.set(values.map(stepsOf), [1, 2, 5][cell]! * 8);
  const level = (width: number, row: number, stride: number) => ({
    cells: { width, height: 1, channels: 8, unit, row: () => row },
    stride,
  });
  return candidatesOf(core, [level(2, at, 8), level(1, at + 4 * 16, 16)], kind);
}

it('boxes lie around the centres of their cells, moved and scaled by what the cell says', () => {
  const { boxes, scores } = answered([
    [0, 0, 0, 0, 0],
    [Math.log(3), 0.5, -0.25, Math.log(2), Math.log(4)],
    [-7.9, 0, 0, Math.log(2), 0],
  ]);
  expect([...scores].map((score) => Number(score.toFixed(4)))).toEqual([0.5, 0.75, 0.0004]);
  expect([...boxes].map((side) => Number(side.toFixed(1)))).toEqual([
    ...[0, 0, 8, 8],
    ...[8, -14, 24, 18],
    ...[-8, 0, 24, 16],
  ]);
});

it('where there is surely no face stand zeros, and none of them counts as a box', () => {
  const { boxes, scores } = answered([
    [-8.1, 1, 1, Math.log(3), Math.log(3)],
    [-7.9, 0, 0, 0, 0],
    [2, 0, 0, 0, 0],
  ]);
  expect([...boxes.subarray(0, 4), scores[0]]).toEqual([0, 0, 0, 0, 0]);
  expect(scores[1]).toBeGreaterThan(0);
  // One of two odds that speaks against it is enough, however sure the other is.
  const { cells } = yunet(ranges.yunet);
  const { scores: ofTiles } = answered(
    [
      [15, -8.1],
      [-8.1, 15],
      [-7.9, 15],
    ],
    cells,
  );
  expect([...ofTiles].map((score) => score > 0)).toEqual([false, false, true]);
  expect(ofTiles[2]).toBeLessThan(0.0013);
});

it('of the network for tiles lie around corners, and score by face and quality, stretched', () => {
  const { cells } = yunet(ranges.yunet);
  const { boxes, scores } = answered(
    [
      [Math.log(3), Math.log(3), 0.5, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
      [100, 100, 0, 0, 0, 0],
    ],
    cells,
  );
  expect([...boxes.subarray(0, 4)]).toEqual([0, -4, 8, 4]);
  // The geometric mean of 0.75 and 0.75, with 1.7 times its log-odds.
  expect(scores[0]).toBeCloseTo(3 ** 1.7 / (1 + 3 ** 1.7), 3);
  expect(scores[1]).toBeCloseTo(0.5, 6);
  expect(scores[2]).toBeCloseTo(1, 6);
});

it('sides are finite whatever the network says', () => {
  const { boxes } = answered([
    [0, 0, 0, 1000, -1000],
    [0, 0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    [0, 0, 0, 0, 0],
  ]);
  const [width, height] = [Math.exp(5) * 8, Math.exp(-4) * 8];
  for (const cell of [0, 4]) {
    expect(boxes[cell + 2]! - boxes[cell]!).toBeCloseTo(width, 3);
    expect(boxes[cell + 3]! - boxes[cell + 1]!).toBeCloseTo(height, 3);
  }
});

it('candidates take as many bytes as is stated', () => {
  const { boxes, scores } = candidatesOf(createCore(), [], plain);
  expect(boxes.byteLength + scores.byteLength).toBe(0);
  // 8,400 cells of four sides and a score.
  expect(candidateBytes(640 * 640)).toBe(8400 * 5 * 4);
});
