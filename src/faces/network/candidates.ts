import type { Core } from '../../core/instance.ts';
import { STRIDES } from './layout.ts';
import { type FeatureRows, integersOf } from './rows.ts';

/**
 * The network's output for one picture: `scores[i]` (0 to 1, calibrated) belongs to `boxes[4 i … 4 i + 3]` =
 * x1, y1, x2, y2. Cells of the finest stride come first, row by row.
 */
export interface Candidates {
  /** In input pixels, not clipped. */
  readonly boxes: Float32Array;
  readonly scores: Float32Array;
}

/** Bytes of the candidates of an input of so many pixels. */
export const candidateBytes = (pixels: number): number =>
  STRIDES.reduce((cells, stride) => cells + pixels / stride ** 2, 0) * 5 * Float32Array.BYTES_PER_ELEMENT;

/** What the network says of the cells of one stride; all rows are held. */
interface LevelOutput {
  readonly cells: FeatureRows;
  readonly stride: number;
}

/** What a cell's outputs are. */
export interface Cells {
  /** So many outputs, the first, are log-odds that all have to speak for a face. */
  readonly odds: number;
  /** @returns the score, calibrated, of the cell with these log-odds; `odds` of them */
  score(first: number, second: number): number;
  /** Which output is dx; dy, log width and log height follow. */
  readonly box: number;
  /** Where a box that is not moved has its centre, in strides from the cell's corner. */
  readonly centre: number;
}

/** Log-odds with which a cell shows no face: its score would be 0.0012 at most. Most cells do. */
const NO_FACE = -8;

/** Sides of boxes in strides lie between exp of these, so that they are finite whatever the network says. */
const LEAST_LOG_SIDE = -4;
const MOST_LOG_SIDE = 5;

/**
 * Boxes and scores of all cells: their centres moved by dx, dy, sides exp(log width), exp(log height); all
 * zeros where there is surely no face.
 */
export function candidatesOf(
  core: Core,
  levels: readonly LevelOutput[],
  { odds, score, box, centre }: Cells,
): Candidates {
  const count = levels.reduce((sum, { cells }) => sum + cells.width * cells.height, 0);
  const boxes = new Float32Array(4 * count);
  const scores = new Float32Array(count);
  let next = 0;
  for (const { cells, stride } of levels) {
    const { width, height, channels, unit } = cells;
    for (let row = 0; row < height; row++) {
      const values = integersOf(core, cells, row);
      for (let column = 0; column < width; column++, next++) {
        const first = values[column * channels]! * unit;
        const second = odds > 1 ? values[column * channels + 1]! * unit : first;
        if (Math.min(first, second) < NO_FACE) continue;
        const at = column * channels + box;
        const x = column + centre + values[at]! * unit;
        const y = row + centre + values[at + 1]! * unit;
        const halfWidth = halfSide(values[at + 2]! * unit);
        const halfHeight = halfSide(values[at + 3]! * unit);
        scores[next] = score(first, second);
        boxes[4 * next] = (x - halfWidth) * stride;
        boxes[4 * next + 1] = (y - halfHeight) * stride;
        boxes[4 * next + 2] = (x + halfWidth) * stride;
        boxes[4 * next + 3] = (y + halfHeight) * stride;
      }
    }
  }
  return { boxes, scores };
}

export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

/** Half of a side, in strides. */
export const halfSide = (logSide: number): number =>
  Math.exp(Math.min(MOST_LOG_SIDE, Math.max(LEAST_LOG_SIDE, logSide))) / 2;
