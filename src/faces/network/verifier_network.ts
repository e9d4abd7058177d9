import { addressOf, type Core } from '../../core/instance.ts';
import { BumpAllocator } from '../bump_allocator.ts';
import { type Verdict, verifierShape } from '../model.ts';
import { separableRows } from './layers.ts';
import {
  type Layer,
  type Layout,
  LayoutBuilder,
  named,
  pictureSource,
  type Separable,
  standard,
} from './layout.ts';
import type { Workspace } from './network.ts';
import {
  type FeatureRows,
  PictureRows,
  PointwiseRows,
  type Run,
  rowBytes,
  StemRows,
  valuesOf,
} from './rows.ts';

/** Both sides of a crop, and of the last map. */
export const verifierSide = 96;
const mapSide = verifierSide / 16;

/** Floats of one crop: planar RGB, 0 to 255. */
export const cropFloats = 3 * verifierSide ** 2;

/** Outputs of the linear layer: face, animal and all else. */
export const verifierOutputs = 3;
export const verifierInputs = mapSide ** 2 * verifierShape.last;

/** How wide and deep a verifier is: `cfg` of models/training/train/verifier.py. */
export interface VerifierShape {
  /** Channels of the first layer, and at strides 4, 8 and 16; multiples of 8, the first is 16. */
  readonly channels: readonly number[];
  /** Blocks that keep the size, at strides 4, 8 and 16. */
  readonly blocks: readonly number[];
  /** Channels of the last map, which a linear layer reads. */
  readonly last: number;
}

interface VerifierLayout extends Layout {
  readonly stem: Layer;
  readonly blocks: readonly Separable[];
  readonly narrow: Layer;
}

/** The layout of the verifier's weights, without its linear layer. */
export function verifierLayout(
  { channels, blocks, last }: VerifierShape,
  ranges: readonly number[],
): VerifierLayout {
  const layout = new LayoutBuilder(ranges);
  const stem = layout.layer('stem', pictureSource(standard), named('verifier.stem', channels[0]!));
  const all: Separable[] = [];
  for (const [index, more] of blocks.entries()) {
    const from = all.at(-1)?.pointwise ?? stem;
    all.push(...layout.stage(`verifier.s${4 << index}`, from, channels[index + 1]!, more));
  }
  const narrow = layout.layer('pointwise', all.at(-1)!.pointwise, named('verifier.narrow', last));
  return { ...layout, stem, blocks: all, narrow };
}

/** The weights of a verifier. */
interface VerifierWeights {
  readonly layers: Uint8Array<ArrayBuffer>;
  /** Of the linear layer: [output][channel][row][column], and a bias per output. */
  readonly head: Float32Array;
  readonly biases: Float32Array;
}

/** Judges whether crops show faces: the verifier, or a substitute in tests. */
export interface FaceVerifier {
  readonly workspaceBytes: number;
  /**
   * @param workspace of `workspaceBytes`, or larger
   * @param crops `count` of them, planar RGB, in the workspace's core; they are left mirrored
   * @returns one verdict per crop
   */
  verify(workspace: Workspace, crops: Float32Array, count: number): Promise<readonly Verdict[]>;
}

/**
 * The verifier: models/training/train/verifier.py describes the network, models/README.md the origin of its
 * weights. It sees every crop as it is and mirrored, and returns the mean of both.
 */
export class VerifierNetwork implements FaceVerifier {
  readonly #layout: VerifierLayout;
  readonly #weights: () => Promise<VerifierWeights>;
  readonly workspaceBytes: number;

  /** @param weights gives the weights, laid out as `layout` says; called by every `verify` */
  constructor(layout: VerifierLayout, weights: () => Promise<VerifierWeights>) {
    this.#layout = layout;
    this.#weights = weights;
    const memory = new BumpAllocator();
    const at = memory.take(this.#layout.bytes);
    connect({ exports: {} as Run['exports'], memory, weights: at, spend: () => {} }, this.#layout, 0);
    this.workspaceBytes = memory.used;
  }

  async verify(
    { core, at, bytes }: Workspace,
    crops: Float32Array,
    count: number,
  ): Promise<readonly Verdict[]> {
    const { layers, head, biases } = await this.#weights();
    const image = addressOf(core, new Uint8Array(crops.buffer, crops.byteOffset));
    const end = at + Math.min(bytes, this.workspaceBytes);
    core.view(at, end - at).fill(0);
    const verdicts: Verdict[] = [];
    for (let crop = 0; crop < count; crop++) {
      const seen = crops.subarray(crop * cropFloats, (crop + 1) * cropFloats);
      const logits = new Float64Array(verifierOutputs);
      for (const isMirrored of [false, true]) {
        if (isMirrored) mirror(seen);
        const memory = new BumpAllocator(core, at, end - at);
        const weights = memory.take(layers.byteLength);
        if (crop === 0 && !isMirrored) core.view(weights, layers.byteLength).set(layers);
        const run = { exports: core.exports, memory, weights, spend: () => {} };
        const map = connect(run, this.#layout, image + crop * cropFloats * 4);
        addLogits(logits, core, map, head, biases);
      }
      const [face, animal, other] = logits as unknown as [number, number, number];
      verdicts.push({ animal: (face - animal) / 2, other: (face - other) / 2 });
    }
    return verdicts;
  }
}

/** The last map of one crop; nothing of it is computed yet. */
function connect(
  given: Omit<Run, 'zeros'>,
  { stem, blocks, narrow }: VerifierLayout,
  image: number,
): FeatureRows {
  const longest = Math.max(
    rowBytes(verifierSide / 2, stem.outputs),
    rowBytes(mapSide * 4, narrow.from.outputs),
  );
  const run = { ...given, zeros: given.memory.take(longest) };
  const picture = new PictureRows(run, image, verifierSide, verifierSide, standard);
  let rows: FeatureRows = new StemRows(run, picture, stem);
  for (const block of blocks) rows = separableRows(run, rows, block);
  return new PointwiseRows(run, rows, narrow);
}

function mirror(crop: Float32Array): void {
  for (let row = 0; row < crop.length; row += verifierSide) crop.subarray(row, row + verifierSide).reverse();
}

/** The linear layer: adds its outputs for the last map to `logits`. */
function addLogits(
  logits: Float64Array,
  core: Core,
  map: FeatureRows,
  head: Float32Array,
  biases: Float32Array,
): void {
  const { channels } = map;
  for (const [output, bias] of biases.entries()) logits[output]! += bias;
  for (let y = 0; y < mapSide; y++) {
    const values = valuesOf(core, map, y);
    for (let output = 0; output < logits.length; output++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) {
        const from = (output * channels + channel) * mapSide ** 2 + y * mapSide;
        for (let x = 0; x < mapSide; x++) sum += head[from + x]! * values[x * channels + channel]!;
      }
      logits[output]! += sum;
    }
  }
}
