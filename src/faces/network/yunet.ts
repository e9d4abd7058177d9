import { sigmoid } from './candidates.ts';
import { type FaceArchitecture, outputRows } from './layers.ts';
import {
  type Layer,
  LayoutBuilder,
  type Normalisation,
  named,
  pictureSource,
  type Source,
  STRIDES,
} from './layout.ts';
import {
  DepthwiseRows,
  type FeatureRows,
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

/** The heads and their outputs per cell, in this order; those for landmarks are left out. */
const HEADS = [
  ['cls', 1],
  ['obj', 1],
  ['bbox', 4],
] as const;

/** The network takes colours as they are. */
const UNCHANGED: Normalisation = { mean: 0, scale: 1 };

/**
 * The log-odds of a score are multiplied by this, to be comparable with the other network's: those of faces
 * and of all else are closer together here (docs/faces.md: how it was chosen).
 */
const STRETCH = 1.7;

/**
 * YuNet-n of models/yunet_n.onnx (Wu, Peng, Yu: YuNet: A Tiny Millisecond-level Face Detector, 2023).
 * @param ranges of its layers (ranges.ts)
 */
export function yunet(ranges: readonly number[]): FaceArchitecture {
  const layout = new LayoutBuilder(ranges);
  const stem = layout.layer('stem', pictureSource(UNCHANGED), {
    weight: '459',
    bias: '460',
    outputs: FIRST_CHANNELS,
  });
  // In the file, the tensors of depthwise convolutions have numbers for names, in steps of three.
  let tensor = 462;
  const unit = (name: string, from: Source, outputs: number): Unit => {
    const numbered = { weight: `${tensor}`, bias: `${tensor + 1}`, outputs };
    tensor += 3;
    const pointwise = layout.layer('pointwise', from, named(`${name}.conv1`, outputs));
    return { pointwise, depthwise: layout.layer('depthwise', pointwise, numbered) };
  };
  const model = (index: number, from: Source, between: number): Unit[] => {
    const first = unit(`backbone.model${index}.conv1`, from, between);
    return [first, unit(`backbone.model${index}.conv2`, first.depthwise, CHANNELS)];
  };
  // Strides 2, 4, 8, 16 and 32.
  const first = unit('backbone.model0.conv2', stem, FIRST_CHANNELS);
  const second = model(1, first.depthwise, FIRST_CHANNELS);
  const stages = [[first], [...second, ...model(2, second[1]!.depthwise, CHANNELS)]];
  for (const index of [3, 4, 5]) stages.push(model(index, stages.at(-1)!.at(-1)!.depthwise, CHANNELS));
  // Strides 8, 16 and 32; the file has the neck's layers in the reverse order.
  const maps = stages.slice(-STRIDES.length).map((units) => units.at(-1)!.depthwise);
  const fuses = [2, 1, 0]
    .map((level) => unit(`neck.lateral_convs.${level}`, maps[level]!, CHANNELS))
    .reverse();
  const towers = fuses.map(({ depthwise }, level) =>
    unit(`bbox_head.multi_level_share_convs.${level}.0`, depthwise, CHANNELS),
  );
  const heads = towers.map(({ depthwise }, level): Unit => {
    const names = (conv: string) =>
      HEADS.map(([kind, outputs]) => named(`bbox_head.multi_level_${kind}.${level}.${conv}`, outputs));
    const pointwise = layout.layer('pointwise', depthwise, ...names('conv1'));
    return { pointwise, depthwise: layout.layer('depthwise', pointwise, ...names('conv2')) };
  });
  return {
    layout,
    cells: {
      odds: 2,
      score: (face, quality) => stretched(sigmoid(face) * sigmoid(quality)),
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

/** The calibrated score. @param squared the product of the network's two probabilities */
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
