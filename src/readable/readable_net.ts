import type { Core } from '../core/instance.ts';
import { sigmoid } from '../faces/network/candidates.ts';
import { separableRows } from '../faces/network/layers.ts';
import { type Layout, LayoutMaker, named, pictureSource, standard } from '../faces/network/layout.ts';
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

/** How wide and deep the network is: models/training/readable/network.py. */
interface ReadableNetShape {
  /** Channels of the first layer, and at strides 4, 8, 16 and 32. */
  readonly channels: readonly [number, number, number, number, number];
  /** Blocks that keep the size, at strides 4, 8, 16 and 32. */
  readonly blocks: readonly [number, number, number, number];
  /** Channels of all that follows. */
  readonly neck: number;
}

/** The layers of a picture that comes row by row; only those rows are held that later ones take. */
export interface ReadingLayers {
  /** Its rows are asked for one by one. */
  readonly picture: MadeRows;
  /** Makes a row of some layer, of what there is of the picture. @returns false where nothing can be made */
  makeOne(): boolean;
  /** Whether a row of the outputs can be made now: it has to be, before anything else is. */
  isDue(y: number): boolean;
  /** The outputs: log-odds of each kind at a quarter of the picture's sides. */
  readonly cells: FeatureRows;
}

/** The layers of the network, and how they hang together. */
export interface ReadingArchitecture {
  readonly layout: Layout;
  /**
   * @param picture of this size: both sides are multiples of 32
   * @param given where its next row stands: RGB, a byte a colour
   */
  connect(run: Omit<Run, 'zeros'>, given: number, width: number, height: number): ReadingLayers;
}

/**
 * Rows that are held of each level, to be joined with what comes back from the coarser ones: of the coarsest
 * those that a kernel reads; of others what those, and the blocks on the way to them, span.
 */
function heldRows(blocks: ReadableNetShape['blocks']): number[] {
  const held = [3];
  for (const more of blocks.slice(1).toReversed()) held.unshift(2 * (held[0]! + more));
  return held;
}

/**
 * The face network's layers with a level more, and one output for each kind at the finest stride alone.
 * @param ranges of its layers (ranges.ts)
 */
export function readableNet(
  { channels, blocks, neck }: ReadableNetShape,
  ranges: readonly number[],
): ReadingArchitecture {
  const layout = new LayoutMaker(ranges);
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
      // Any of these rows may be the longest: narrow ones have many channels.
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
      // Coarsest first: each takes in what the one before has become.
      let fused: FeatureRows | undefined;
      for (const [level, { fuse }] of [...levels.entries()].reverse()) {
        const lateral = laterals[level]!;
        fused = separableRows(run, fused ? new SummedRows(run, lateral, fused) : lateral, fuse);
      }
      return {
        cells: new PointwiseRows(run, fused!, head, { isLinear: true }),
        picture,
        makeOne() {
          // The last layer that can, before its input is gone.
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

/** A layer of which each row takes one more of the rows before it than it has stride. */
interface Step {
  readonly input: MadeRows;
  readonly rows: MadeRows;
  readonly stride: number;
}

const canMake = ({ input, rows, stride }: Step): boolean =>
  rows.made < rows.height && Math.min(stride * rows.made + 1, input.height - 1) < input.made;

/** The probabilities that a row of the outputs stands for; of what was not made 0. */
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
