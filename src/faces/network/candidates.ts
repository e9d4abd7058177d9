import type { Core } from '../../core/instance.ts';
import { HEAD_OUTPUTS, inEights, STRIDES } from './layout.ts';

/** Floats of a cell. */
const CELL_FLOATS = inEights(HEAD_OUTPUTS);

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

/** What the network says of the cells of one stride: CELL_FLOATS each, at `at`. */
export interface LevelOutput {
  readonly at: number;
  readonly width: number;
  readonly height: number;
  readonly stride: number;
}

/**
 * Sides of boxes in strides lie between exp of these (models/training/train/model.py), so that they are
 * finite whatever the network says.
 */
const LEAST_LOG_SIDE = -4;
const MOST_LOG_SIDE = 5;

/** Boxes and scores of all cells: their centres moved by dx, dy, sides exp(log width), exp(log height). */
export function candidatesOf(core: Core, levels: readonly LevelOutput[]): Candidates {
  const count = levels.reduce((sum, { width, height }) => sum + width * height, 0);
  const boxes = new Float32Array(4 * count);
  const scores = new Float32Array(count);
  let next = 0;
  for (const { at, width, height, stride } of levels) {
    const { buffer, byteOffset } = core.view(at, width * height * CELL_FLOATS * 4);
    const cells = new Float32Array(buffer, byteOffset, width * height * CELL_FLOATS);
    for (let cell = 0; cell < width * height; cell++, next++) {
      const from = cell * CELL_FLOATS;
      const x = (cell % width) + 0.5 + cells[from + 1]!;
      const y = Math.floor(cell / width) + 0.5 + cells[from + 2]!;
      const halfWidth = halfSide(cells[from + 3]!);
      const halfHeight = halfSide(cells[from + 4]!);
      scores[next] = 1 / (1 + Math.exp(-cells[from]!));
      boxes[4 * next] = (x - halfWidth) * stride;
      boxes[4 * next + 1] = (y - halfHeight) * stride;
      boxes[4 * next + 2] = (x + halfWidth) * stride;
      boxes[4 * next + 3] = (y + halfHeight) * stride;
    }
  }
  return { boxes, scores };
}

const halfSide = (logSide: number): number =>
  Math.exp(Math.min(MOST_LOG_SIDE, Math.max(LEAST_LOG_SIDE, logSide))) / 2;
