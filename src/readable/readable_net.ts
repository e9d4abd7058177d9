import type { Core } from '../core/instance.ts';
import { sigmoid } from '../faces/network/candidates.ts';
import { separableRows } from '../faces/network/layers.ts';
import { type Layout, LayoutBuilder, named, pictureSource, standard } from '../faces/network/layout.ts';
import {
  type FeatureRows,
  GivenRows,
  integersOf,
  type MadeRows,
  PointwiseRows,
  type Run,
  rowBytes,
  StemRows,
  SummedRows,
} from '../faces/network/rows.ts';
import { mapKinds } from './model.ts';

/** Width and depth of the network: models/training/readable/network.py. */
interface ReadableNetShape {
  /** Channels of the first layer, and at strides 4, 8, 16 and 32. */
  readonly channels: readonly [number, number, number, number, number];
  /** Blocks that keep the size, at strides 4, 8, 16 and 32. */
  readonly blocks: readonly [number, number, number, number];
  /** Channels of all later layers. */
  readonly neck: number;
}

/** The layers for a picture that arrives row by row; only the rows that later layers need are held. */
export interface ReadingLayers {
  /** The picture; the layers request its rows one by one. */
  readonly picture: MadeRows;
  /** Makes one row of some layer from the rows available. @returns false if none can be made */
  makeOne(): boolean;
  /** Whether a row of the outputs can be made now: then it must be, before anything else is. */
  isDue(y: number): boolean;
  /** The outputs: log-odds of each kind at a quarter of the picture's sides. */
  readonly cells: FeatureRows;
}

/** The layers of the network and their connections. */
export interface ReadingArchitecture {
  readonly layout: Layout;
  /**
   * @param picture size; both sides are multiples of 32
   * @param given where the picture's next row is: RGB, one byte per colour
   */
  connect(run: Omit<Run, 'zeros'>, given: number, width: number, height: number): ReadingLayers;
}

/**
 * Rows held of each level, to be joined with what returns from the coarser levels. For the coarsest, the rows
 * that a kernel reads; for the others, the rows that those and the blocks in between span.
 */
function heldRows(blocks: ReadableNetShape['blocks']): number[] {
  const held = [3];
  for (const more of blocks.slice(1).toReversed()) held.unshift(2 * (held[0]! + more));
  return held;
}

/**
 * The face network's layers with one more level, and one output per kind, only at the finest stride.
 * @param ranges of its layers (ranges.ts)
 */
export function readableNet(
  { channels, blocks, neck }: ReadableNetShape,
  ranges: readonly number[],
): ReadingArchitecture {
  const layout = new LayoutBuilder(ranges);
  const stem = layout.layer('stem', pictureSource(standard), named('model.stem', channels[0]));
  let from = stem;
  const levels = blocks.map((more, level) => {
    const stage = layout.stage(`model.s${4 << level}`, from, channels[level + 1]!, more);
    from = stage.at(-1)!.pointwise;
    const lateral = layout.layer('pointwise', from, named(`model.lat.${level}`, neck));
    return { stage, lateral, fuse: layout.separable(`model.fuse.${level}`, lateral, neck, 1, false) };
  });
  const head = layout.layer('pointwise', levels[0]!.fuse.pointwise, named('model.head', mapKinds.length));
  const held = heldRows(blocks);
  return {
    layout,
    connect(given, at, width, height) {
      // Any of these rows may be the longest: narrow ones have more channels.
      const longest = channels.map((count, level) =>
        rowBytes(width / (2 << level), level === 0 ? count : Math.max(neck, count)),
      );
      const run = { ...given, zeros: given.memory.take(Math.max(...longest)) };
      const picture = new GivenRows(run, at, [width, height], standard);
      const backbone: Step[] = [{ input: picture, rows: new StemRows(run, picture, stem), stride: 2 }];
      const laterals = levels.map(({ stage, lateral }, level) => {
        for (const block of stage) {
          const input = backbone.at(-1)!.rows;
          backbone.push({ input, rows: separableRows(run, input, block), stride: block.stride });
        }
        const { rows } = backbone.at(-1)!;
        const map = new PointwiseRows(run, rows, lateral, { isLinear: true, held: held[level]! });
        rows.follower = map;
        return map;
      });
      // Coarsest first: each level takes in the result of the one before.
      let fused: FeatureRows | undefined;
      for (const [level, { fuse }] of [...levels.entries()].reverse()) {
        const lateral = laterals[level]!;
        fused = separableRows(run, fused ? new SummedRows(run, lateral, fused) : lateral, fuse);
      }
      return {
        cells: new PointwiseRows(run, fused!, head, { isLinear: true }),
        picture,
        makeOne() {
          // The last layer that is able to, before its input is overwritten.
          const next = backbone.findLast(canMake);
          next?.rows.row(next.rows.made);
          return next !== undefined;
        },
        isDue(y) {
          let last = y;
          return laterals.every((lateral) => {
            last = Math.min(last + 1, lateral.height - 1);
            const isThere = last < lateral.made;
            last >>= 1;
            return isThere;
          });
        },
      };
    },
  };
}

/** A layer whose rows each need one more row of the previous layer than its stride. */
interface Step {
  readonly input: MadeRows;
  readonly rows: MadeRows;
  readonly stride: number;
}

const canMake = ({ input, rows, stride }: Step): boolean =>
  rows.made < rows.height && Math.min(stride * rows.made + 1, input.height - 1) < input.made;

/** Converts a row of the outputs to probabilities; 0 where nothing was computed. */
export function probabilitiesOf(
  core: Core,
  cells: FeatureRows,
  y: number,
  spans?: Run['spans'],
): Float32Array {
  const { width, height, channels, unit } = cells;
  const outputs = integersOf(core, cells, y);
  const kinds = mapKinds.length;
  const values = new Float32Array(width * kinds);
  for (const { from, to } of spans?.(y, width, height) ?? [{ from: 0, to: width }]) {
    for (let pixel = from; pixel < to; pixel++) {
      for (let kind = 0; kind < kinds; kind++)
        values[pixel * kinds + kind] = sigmoid(outputs[pixel * channels + kind]! * unit);
    }
  }
  return values;
}
