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

/** Bytes of the candidates for an input of this many pixels. */
export const candidateBytes = (pixels: number): number =>
  STRIDES.reduce((cells, stride) => cells + pixels / stride ** 2, 0) * 5 * Float32Array.BYTES_PER_ELEMENT;

/** The network's outputs for the cells of one stride; all rows are held. */
interface LevelOutput {
  readonly cells: FeatureRows;
  readonly stride: number;
}

/** What the outputs of a cell mean. */
export interface Cells {
  /** The first outputs, 1 or 2 of them, are log-odds, all of which have to be for a face. */
  readonly odds: number;
  /** @returns the calibrated score of a cell with these `odds` log-odds */
  score(first: number, second: number): number;
  /** Index of the output dx; dy, log width and log height follow. */
  readonly box: number;
  /** Where the centre of a box with dx = dy = 0 lies, in strides from the cell's corner. */
  readonly centre: number;
}

/** A cell with log-odds below this shows no face, as most cells: its score would be 0.0012 at most. */
const NO_FACE = -8;

/** Limits of a box's log sides, in strides, so that boxes are finite whatever the network's outputs are. */
const LEAST_LOG_SIDE = -4;
const MOST_LOG_SIDE = 5;

/**
 * Boxes and scores of all cells: centres moved by dx and dy, sides exp(log width) and exp(log height). Cells
 * that surely show no face are all zeros.
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
        const halfWidth = halfExtent(values[at + 2]! * unit);
        const halfHeight = halfExtent(values[at + 3]! * unit);
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
export const halfExtent = (logSide: number): number =>
  Math.exp(Math.min(MOST_LOG_SIDE, Math.max(LEAST_LOG_SIDE, logSide))) / 2;
