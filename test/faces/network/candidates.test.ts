import { expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { candidateBytes, candidatesOf } from '../../../src/faces/network/candidates.ts';

/** Two levels: one cell row of two at stride 8, one cell at stride 16; eight floats a cell. */
function answered(cells: readonly (readonly number[])[]) {
  using core = createCore();
  const at = core.alloc(cells.length * 32);
  const floats = new Float32Array(core.exports.memory.buffer as ArrayBuffer, at, cells.length * 8);
  for (const [cell, values] of cells.entries()) floats.set(values, cell * 8);
  return candidatesOf(core, [
    { at, width: 2, height: 1, stride: 8 },
    { at: at + 64, width: 1, height: 1, stride: 16 },
  ]);
}

it('boxes lie around the centres of their cells, moved and scaled by what the cell says', () => {
  const { boxes, scores } = answered([
    [0, 0, 0, 0, 0],
    [Math.log(3), 0.5, -0.25, Math.log(2), Math.log(4)],
    [-100, 0, 0, Math.log(2), 0],
  ]);
  expect([...scores].map((score) => Number(score.toFixed(6)))).toEqual([0.5, 0.75, 0]);
  expect([...boxes].map((side) => Number(side.toFixed(3)))).toEqual([
    ...[0, 0, 8, 8],
    ...[8, -14, 24, 18],
    ...[-8, 0, 24, 16],
  ]);
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
  const { boxes, scores } = candidatesOf(createCore(), []);
  expect(boxes.byteLength + scores.byteLength).toBe(0);
  // 8,400 cells of four sides and a score.
  expect(candidateBytes(640 * 640)).toBe(8400 * 5 * 4);
});
