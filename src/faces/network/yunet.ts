import { sigmoid } from './candidates.ts';
import { type FaceArchitecture, outputRows } from './layers.ts';
import { type Layer, LayoutMaker, named, STRIDES } from './layout.ts';
import {
  DepthwiseRows,
  type FeatureRows,
  type Normalisation,
  PictureRows,
  PointwiseRows,
  PooledRows,
  type Run,
  rowBytes,
  StemRows,
} from './rows.ts';

/** A pointwise convolution, then a depthwise one. */
interface Unit {
  readonly pointwise: Layer;
  readonly depthwise: Layer;
}

/** Channels at stride 2, and from stride 4 on. */
const FIRST_CHANNELS = 16;
const CHANNELS = 64;

/** What the heads say of a cell, in this order; those of landmarks are left out. */
const HEADS = [
  ['cls', 1],
  ['obj', 1],
  ['bbox', 4],
] as const;

/** The network sees colours as they are. */
const UNCHANGED: Normalisation = { mean: 0, scale: 1 };

/**
 * Log-odds of a score are stretched by this, so that they say as much as the other network's: those of faces
 * and of all else are close together (docs/faces.md: how it was chosen).
 */
const STRETCH = 1.7;

/** YuNet-n of models/yunet_n.onnx (Wu, Peng, Yu: YuNet: A Tiny Millisecond-level Face Detector, 2023). */
export function yunet(): FaceArchitecture {
  const layout = new LayoutMaker();
  const stem = layout.layer('stem', 3, { weight: '459', bias: '460', outputs: FIRST_CHANNELS });
  // The file numbers the tensors of its depthwise convolutions, each three after the one before.
  let tensor = 462;
  const unit = (name: string, inputs: number, outputs: number): Unit => {
    const numbered = { weight: `${tensor}`, bias: `${tensor + 1}`, outputs };
    tensor += 3;
    return {
      pointwise: layout.layer('pointwise', inputs, named(`${name}.conv1`, outputs)),
      depthwise: layout.layer('depthwise', outputs, numbered),
    };
  };
  const model = (index: number, inputs: number, between: number): Unit[] => [
    unit(`backbone.model${index}.conv1`, inputs, between),
    unit(`backbone.model${index}.conv2`, between, CHANNELS),
  ];
  // Strides 2, 4, 8, 16 and 32.
  const stages = [
    [unit('backbone.model0.conv2', FIRST_CHANNELS, FIRST_CHANNELS)],
    [...model(1, FIRST_CHANNELS, FIRST_CHANNELS), ...model(2, CHANNELS, CHANNELS)],
    ...[3, 4, 5].map((index) => model(index, CHANNELS, CHANNELS)),
  ];
  const fuses = [2, 1, 0].map((level) => unit(`neck.lateral_convs.${level}`, CHANNELS, CHANNELS)).reverse();
  const towers = fuses.map((_, level) =>
    unit(`bbox_head.multi_level_share_convs.${level}.0`, CHANNELS, CHANNELS),
  );
  const heads = fuses.map((_, level): Unit => {
    const names = (conv: string) =>
      HEADS.map(([kind, outputs]) => named(`bbox_head.multi_level_${kind}.${level}.${conv}`, outputs));
    return {
      pointwise: layout.layer('pointwise', CHANNELS, ...names('conv1')),
      depthwise: layout.layer('depthwise', CHANNELS, ...names('conv2')),
    };
  });
  return {
    layout,
    cells: {
      score: (values, at) => stretched(sigmoid(values[at]!) * sigmoid(values[at + 1]!)),
      box: 2,
      centre: 0,
    },
    connect(given, { image, width, height }) {
      // The longest rows are those of stride 4.
      const run = { ...given, zeros: given.memory.take(rowBytes(width / 4, CHANNELS)) };
      let rows: FeatureRows = new StemRows(run, new PictureRows(run, image, width, height, UNCHANGED), stem);
      const maps: FeatureRows[] = [];
      for (const [stage, units] of stages.entries()) {
        const isMap = stage >= stages.length - fuses.length;
        if (stage > 0) rows = new PooledRows(run, rows);
        for (const one of units) rows = unitRows(run, rows, one, isMap && one === units.at(-1));
        if (isMap) maps.push(rows);
      }
      let coarser: FeatureRows | undefined;
      const outputs = [...fuses.entries()].reverse().map(([level, fuse]) => {
        const fused = unitRows(run, maps[level]!, fuse, level > 0);
        const head = heads[level]!;
        const between = new PointwiseRows(run, unitRows(run, fused, towers[level]!), head.pointwise, {
          isLinear: true,
        });
        const cells = new DepthwiseRows(run, between, head.depthwise, 1, { isLinear: true, keepAll: true });
        const made = outputRows(run, cells, STRIDES[level]!, maps[level]!, coarser);
        coarser = fused;
        return made;
      });
      return { backbone: rows, outputs };
    },
  };
}

/** The score that counts. @param squared the network's own, a geometric mean of two probabilities, squared */
export function stretched(squared: number): number {
  const score = Math.sqrt(squared);
  const odds = (score / Math.max(1 - score, Number.EPSILON)) ** STRETCH;
  return odds / (1 + odds);
}

function unitRows(
  run: Run,
  input: FeatureRows,
  { pointwise, depthwise }: Unit,
  keepAll = false,
): FeatureRows {
  const between = new PointwiseRows(run, input, pointwise, { isLinear: true });
  return new DepthwiseRows(run, between, depthwise, 1, { keepAll });
}
