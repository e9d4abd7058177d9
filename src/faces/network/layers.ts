import type { Cells } from './candidates.ts';
import type { Layout, Separable } from './layout.ts';
import { addCoarse, DepthwiseRows, type FeatureRows, PointwiseRows, type Run } from './rows.ts';

/** A picture in a core's memory: planar RGB, floats of 0 to 255, both sides multiples of 32. */
export interface NetworkInput {
  readonly image: number;
  readonly width: number;
  readonly height: number;
}

/** The outputs of one stride, computed row by row after those of the coarser stride. */
export interface OutputRows {
  /** All rows are held. */
  readonly cells: FeatureRows;
  readonly stride: number;
  make(y: number): void;
}

/** The layers of a network over one picture, with their memory. */
export interface Layers {
  /** All its rows are computed first: they leave behind the maps that the outputs read. */
  readonly backbone: FeatureRows;
  /** Coarsest stride first. */
  readonly outputs: readonly OutputRows[];
}

/** The layers of a network, and how they are connected. */
export interface Architecture {
  readonly layout: Layout;
  /** Computes nothing yet: every row is computed when it is asked for. */
  connect(run: Omit<Run, 'zeros'>, input: NetworkInput): Layers;
}

/** A network that finds faces. */
export interface FaceArchitecture extends Architecture {
  /** What the outputs of a cell mean. */
  readonly cells: Cells;
}

/** Rows of a separable block. */
export function separableRows(
  run: Run,
  input: FeatureRows,
  { depthwise, pointwise, stride, residual }: Separable,
  keepAll = false,
): PointwiseRows {
  const between = new DepthwiseRows(run, input, depthwise, stride, { isLinear: true, isReadOnce: true });
  return new PointwiseRows(run, between, pointwise, { keepAll }, residual ? input : undefined);
}

/** Outputs of one stride. Before their first row, `coarser` is enlarged and added to their `map`. */
export const outputRows = (
  run: Run,
  cells: FeatureRows,
  stride: OutputRows['stride'],
  map: FeatureRows,
  coarser?: FeatureRows,
): OutputRows => ({
  cells,
  stride,
  make(y) {
    if (y === 0 && coarser) addCoarse(run, map, coarser);
    cells.row(y);
  },
});
