import type { Core } from '../core/instance.ts';
import { sigmoid } from '../faces/network/candidates.ts';
import { type Architecture, type OutputRows, separableRows } from '../faces/network/layers.ts';
import { LayoutMaker, named, pictureSource, standard } from '../faces/network/layout.ts';
import {
  addCoarse,
  type FeatureRows,
  PictureRows,
  PointwiseRows,
  rowBytes,
  StemRows,
  valuesOf,
} from '../faces/network/rows.ts';
import { mapKinds, readingModel } from './model.ts';
import type { ReadingMaps } from './read_maps.ts';

/** How wide and deep the network is: models/training/readable/network.py. */
interface ReadableNetShape {
  /** Channels of the first layer, and at strides 4, 8, 16 and 32. */
  readonly channels: readonly [number, number, number, number, number];
  /** Blocks that keep the size, at strides 4, 8, 16 and 32. */
  readonly blocks: readonly [number, number, number, number];
  /** Channels of all that follows. */
  readonly neck: number;
}

/**
 * The face network's layers with a level more, and one output for each kind at the finest stride alone.
 * @param ranges of its layers (ranges.ts)
 */
export function readableNet(
  { channels, blocks, neck }: ReadableNetShape,
  ranges: readonly number[],
): Architecture {
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
  return {
    layout,
    connect(given, { image, width, height }) {
      // Any of these rows may be the longest: narrow ones have many channels.
      const longest = channels.map((count, level) =>
        rowBytes(width / (2 << level), level === 0 ? count : Math.max(neck, count)),
      );
      const run = { ...given, zeros: given.memory.take(Math.max(...longest)) };
      let rows: FeatureRows = new StemRows(run, new PictureRows(run, image, width, height, standard), stem);
      const laterals = levels.map(({ stage, lateral }) => {
        for (const block of stage.slice(0, -1)) rows = separableRows(run, rows, block);
        const last = separableRows(run, rows, stage.at(-1)!);
        rows = last;
        const map = new PointwiseRows(run, last, lateral, { isLinear: true, keepAll: true });
        last.follower = map;
        return map;
      });
      const fused = levels.map(({ fuse }, level) => separableRows(run, laterals[level]!, fuse, level > 0));
      const cells = new PointwiseRows(run, fused[0]!, head, { isLinear: true, keepAll: true });
      const made: OutputRows = {
        cells,
        stride: readingModel.stride,
        make(y) {
          // Coarsest first: each takes in what the one before has become.
          for (let level = levels.length - 2; y === 0 && level >= 0; level--)
            addCoarse(run, laterals[level]!, fused[level + 1]!);
          cells.row(y);
        },
      };
      return { backbone: rows, outputs: [made] };
    },
  };
}

/** The probabilities that the finished outputs stand for. */
export function mapsOf(core: Core, [output]: readonly OutputRows[]): ReadingMaps {
  const { cells } = output!;
  const { width, height, channels } = cells;
  const values = new Float32Array(width * height * mapKinds.length);
  let next = 0;
  for (let row = 0; row < height; row++) {
    const logits = valuesOf(core, cells, row);
    for (let column = 0; column < width; column++) {
      for (let kind = 0; kind < mapKinds.length; kind++) {
        values[next++] = sigmoid(logits[column * channels + kind]!);
      }
    }
  }
  return { width, height, values };
}
