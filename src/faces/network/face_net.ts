import { sigmoid } from './candidates.ts';
import { type FaceArchitecture, outputRows, separableRows } from './layers.ts';
import { LayoutBuilder, named, pictureSource, type Separable, STRIDES, standard } from './layout.ts';
import { type FeatureRows, PictureRows, PointwiseRows, rowBytes, StemRows } from './rows.ts';

/** How wide and deep the network is: `cfg` of models/training/train/model.py. */
export interface FaceNetShape {
  /** Channels of the first layer, and at strides 4, 8, 16 and 32; multiples of 8, the first is 16. */
  readonly channels: readonly [number, number, number, number, number];
  /** Blocks that keep the size, at strides 4, 8, 16 and 32. */
  readonly blocks: readonly [number, number, number, number];
  /** Channels of all later layers. */
  readonly neck: number;
}

/** Outputs of a cell: face logit, dx, dy, log width, log height. */
const HEAD_OUTPUTS = 5;

/**
 * The network that models/training/train/model.py describes: models/face_detector.onnx.
 * @param ranges of its layers (ranges.ts)
 */
export function faceNet(
  { channels, blocks, neck }: FaceNetShape,
  ranges: readonly number[],
): FaceArchitecture {
  const layout = new LayoutBuilder(ranges);
  const stem = layout.layer('stem', pictureSource(standard), named('model.stem', channels[0]));
  const stages: Separable[][] = [];
  for (const [index, more] of blocks.entries()) {
    const from = stages.at(-1)?.at(-1)?.pointwise ?? stem;
    stages.push(layout.stage(`model.s${4 << index}`, from, channels[index + 1]!, more));
  }
  const [first, ...mapped] = stages;
  const levels = STRIDES.map((stride, level) => {
    const map = mapped[level]!.at(-1)!.pointwise;
    const lateral = layout.layer('pointwise', map, named(`model.lat.${level}`, neck));
    const fuse = layout.separable(`model.fuse.${level}`, lateral, neck, 1, false);
    const tower = layout.separable(`model.tower.${level}`, fuse.pointwise, neck, 1, false);
    const head = layout.layer('pointwise', tower.pointwise, named(`model.head.${level}`, HEAD_OUTPUTS));
    return { stride, lateral, fuse, tower, head };
  });
  return {
    layout,
    cells: { odds: 1, score: sigmoid, box: 1, centre: 0.5 },
    connect(given, { image, width, height }) {
      // The longest rows are those of the first layer, of stride 4, or of the finest outputs.
      const longest = [
        rowBytes(width / 2, channels[0]),
        rowBytes(width / 4, channels[1]),
        rowBytes(width / STRIDES[0], Math.max(neck, channels[2])),
      ];
      const run = { ...given, zeros: given.memory.take(Math.max(...longest)) };
      let rows: FeatureRows = new StemRows(run, new PictureRows(run, image, width, height, standard), stem);
      for (const block of first!) rows = separableRows(run, rows, block);
      const laterals = levels.map(({ lateral }, level) => {
        for (const block of mapped[level]!.slice(0, -1)) rows = separableRows(run, rows, block);
        const last = separableRows(run, rows, mapped[level]!.at(-1)!);
        rows = last;
        const map = new PointwiseRows(run, last, lateral, { isLinear: true, keepAll: true });
        last.follower = map;
        return map;
      });
      let coarser: FeatureRows | undefined;
      const outputs = [...levels.entries()].reverse().map(([level, { stride, fuse, tower, head }]) => {
        const fused = separableRows(run, laterals[level]!, fuse, level > 0);
        const towered = separableRows(run, fused, tower);
        const cells = new PointwiseRows(run, towered, head, { isLinear: true, keepAll: true });
        const made = outputRows(run, cells, stride, laterals[level]!, coarser);
        coarser = fused;
        return made;
      });
      return { backbone: rows, outputs };
    },
  };
}
