import type { LevelOutput } from './candidates.ts';
import { inEights, type Level, type NetworkLayout, STRIDES } from './layout.ts';
import {
  type FeatureRows,
  LateralMap,
  PictureRows,
  type Places,
  pixelBytes,
  pointwiseRow,
  type Run,
  rowBytes,
  SeparableRows,
  StemRows,
} from './rows.ts';

/** A picture in a core's memory: planar RGB, floats of 0 to 255, both sides multiples of 32. */
export interface NetworkInput {
  readonly image: number;
  readonly width: number;
  readonly height: number;
}

interface MemoryRange {
  readonly at: number;
  readonly bytes: number;
}

/** The outputs of one stride, made row by row once those of the coarser stride are there. */
export interface OutputRows extends LevelOutput {
  make(y: number): void;
}

/** The layers of a network over one picture, with the memory that they take. */
export interface Layers {
  /** All its rows first: they leave behind what the outputs are made of. */
  readonly backbone: FeatureRows;
  /**
   * Memory that the outputs take over from the backbone and the picture: to be filled with zeros between
   * both, as all other memory is before.
   */
  readonly takenOver: readonly MemoryRange[];
  /** Coarsest stride first. */
  readonly outputs: readonly OutputRows[];
}

/** Nothing is computed yet: every row is made when it is asked for. */
export function connectLayers(given: Run, layout: NetworkLayout, input: NetworkInput): Layers {
  const { image, width, height } = input;
  const run = { ...given, scratch: scratchOf(given.places, layout, width) };
  const laterals = layout.levels.map(
    ({ lateral }, level) => new LateralMap(run, width / STRIDES[level]!, height / STRIDES[level]!, lateral),
  );
  const rings = run.places.take(0);
  let rows: FeatureRows = new StemRows(run, new PictureRows(run, image, width, height), layout.stem);
  for (const block of layout.first) rows = new SeparableRows(run, rows, block);
  for (const [level, { blocks }] of layout.levels.entries()) {
    for (const block of blocks) {
      const onRow = (y: number, row: number) => laterals[level]!.make(y, row);
      rows = new SeparableRows(run, rows, block, block === blocks.at(-1) ? { onRow } : {});
    }
  }
  // By then no row of the backbone is needed any more, nor the picture.
  const takenOver = [
    { at: rings, bytes: run.places.take(0) - rings },
    { at: image, bytes: width * height * 3 * Float32Array.BYTES_PER_ELEMENT },
  ];
  const later = { ...run, places: placesWithin(takenOver, run.places) };
  const outputs: OutputRows[] = [];
  let coarser: FeatureRows | undefined;
  for (const [index, level] of [...layout.levels.entries()].reverse()) {
    const fused = new SeparableRows(later, laterals[index]!, level.fuse, { keepAll: index > 0 });
    outputs.push(outputRows(later, level, laterals[index]!, fused, coarser, STRIDES[index]!));
    coarser = fused;
  }
  return { backbone: rows, takenOver, outputs };
}

/** The largest that any layer needs for a picture of this width. */
function scratchOf(places: Places, { stem, first, levels }: NetworkLayout, picture: number) {
  let zeros = rowBytes(picture, stem.inputs);
  let between = 0;
  let width = picture / 2;
  for (const { depthwise, stride } of [...first, ...levels.flatMap(({ blocks }) => blocks)]) {
    zeros = Math.max(zeros, rowBytes(width, depthwise.inputs));
    width /= stride;
    between = Math.max(between, rowBytes(width, depthwise.inputs));
  }
  const neck = rowBytes(picture / STRIDES[0], levels[0]!.lateral.outputs);
  return { zeros: places.take(Math.max(zeros, neck)), between: places.take(Math.max(between, neck)) };
}

/** Places in ranges that may be used again, as long as these have room; then in new ones. */
function placesWithin(ranges: readonly MemoryRange[], others: Places): Places {
  const left = ranges.map(({ at, bytes }) => ({ next: at, end: at + bytes }));
  return {
    take(bytes) {
      const range = left.find(({ next, end }) => next + bytes <= end);
      if (!range) return others.take(bytes);
      const at = range.next;
      range.next += bytes;
      return at;
    },
  };
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
