import type { LevelOutput } from './candidates.ts';
import { inEights, type Level, type NetworkLayout, STRIDES } from './layout.ts';
import {
  type FeatureRows,
  LateralMap,
  PictureRows,
  pixelBytes,
  pointwiseRow,
  type Run,
  SeparableRows,
  StemRows,
} from './rows.ts';

/** A picture in a core's memory: planar RGB, floats of 0 to 255, both sides multiples of 32. */
export interface NetworkInput {
  readonly image: number;
  readonly width: number;
  readonly height: number;
}

/** The outputs of one stride, made row by row once those of the coarser stride are there. */
export interface OutputRows extends LevelOutput {
  make(y: number): void;
}

/** The layers of a network over one picture, with the memory that they take. */
export interface Layers {
  /** All its rows first: they leave behind what the outputs are made of. */
  readonly backbone: FeatureRows;
  /** Coarsest stride first. */
  readonly outputs: readonly OutputRows[];
}

/** Nothing is computed yet: every row is made when it is asked for. */
export function connectLayers(run: Run, layout: NetworkLayout, input: NetworkInput): Layers {
  const picture = new PictureRows(run, input.image, input.width, input.height);
  let rows: FeatureRows = new StemRows(run, picture, layout.stem);
  for (const block of layout.first) rows = new SeparableRows(run, rows, block);
  const laterals = layout.levels.map(({ blocks, lateral }) => {
    const [last, ...others] = blocks.toReversed();
    for (const block of others.reverse()) rows = new SeparableRows(run, rows, block);
    const { stride } = last!;
    const map = new LateralMap(run, rows.width / stride, rows.height / stride, lateral);
    rows = new SeparableRows(run, rows, last!, { onRow: (y, row) => map.make(y, row) });
    return map;
  });
  const outputs: OutputRows[] = [];
  let coarser: FeatureRows | undefined;
  for (const [index, level] of [...layout.levels.entries()].reverse()) {
    const fused = new SeparableRows(run, laterals[index]!, level.fuse, { keepAll: index > 0 });
    outputs.push(outputRows(run, level, laterals[index]!, fused, coarser, STRIDES[index]!));
    coarser = fused;
  }
  return { backbone: rows, outputs };
}

function outputRows(
  run: Run,
  { tower: towerBlock, head }: Level,
  lateral: LateralMap,
  fused: FeatureRows,
  coarser: FeatureRows | undefined,
  stride: number,
): OutputRows {
  const tower = new SeparableRows(run, fused, towerBlock);
  const { width, height } = tower;
  const cellBytes = inEights(head.outputs) * Float32Array.BYTES_PER_ELEMENT;
  const at = run.places.take(width * height * cellBytes);
  return {
    at,
    width,
    height,
    stride,
    make(y) {
      if (y === 0 && coarser) lateral.add(coarser);
      const from = tower.row(y) + pixelBytes(tower);
      pointwiseRow(run, head, from, at + y * width * cellBytes, width, Number.NEGATIVE_INFINITY);
    },
  };
}
