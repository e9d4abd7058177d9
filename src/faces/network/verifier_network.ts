import { addressOf } from '../../core/instance.ts';
import { sharedUntilFailure } from '../../core/shared_until_failure.ts';
import { BumpAllocator } from '../bump_allocator.ts';
import { type Verdict, verifierShape } from '../model.ts';
import { inEights, type VerifierLayout, verifierLayout } from './layout.ts';
import type { Workspace } from './network.ts';
import {
  type FeatureRows,
  PictureRows,
  pixelBytes,
  pointwiseRow,
  type Run,
  SeparableRows,
  StemRows,
} from './rows.ts';
import { readVerifierWeights, type VerifierWeights } from './weights.ts';

/** Both sides of a crop, and of the last map made of it. */
export const verifierSide = 96;
const mapSide = verifierSide / 16;

/** Floats of one crop: planar RGB, 0 to 255. */
export const cropFloats = 3 * verifierSide ** 2;

/** Of the linear layer: those of a face, an animal and all else. */
const OUTPUTS = 3;

/** What is asked whether crops show faces: the verifier, or what stands for it in tests. */
export interface FaceVerifier {
  readonly workspaceBytes: number;
  /**
   * @param workspace of `workspaceBytes`, or larger
   * @param crops `count` of them, planar RGB; lie in the workspace's core, and are mirrored
   * @returns one verdict each
   */
  verify(workspace: Workspace, crops: Float32Array, count: number): Promise<readonly Verdict[]>;
}

/**
 * The verifier: models/training/train/verifier.py says what it computes, models/README.md where its weights
 * are from. It sees every crop once more mirrored, and says the mean of both.
 */
export class VerifierNetwork implements FaceVerifier {
  readonly #layout: VerifierLayout;
  readonly #weights: () => Promise<VerifierWeights>;
  readonly workspaceBytes: number;

  /** @param load gives the weights, laid out so; called at the first run, and again after a failure */
  constructor(layout: VerifierLayout, load: () => Promise<VerifierWeights>) {
    this.#layout = layout;
    this.#weights = sharedUntilFailure(load);
    const places = new BumpAllocator();
    const weights = places.take(layout.floats * Float32Array.BYTES_PER_ELEMENT);
    connect({ exports: {} as Run['exports'], places, weights, spend: () => {} }, layout, 0);
    this.workspaceBytes = places.used;
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
      const logits = new Float64Array(OUTPUTS);
      for (const isMirrored of [false, true]) {
        if (isMirrored) mirror(seen);
        const places = new BumpAllocator(core, at, end - at);
        const weights = places.take(layers.byteLength);
        if (crop === 0 && !isMirrored)
          core.view(weights, layers.byteLength).set(new Uint8Array(layers.buffer));
        const run = { exports: core.exports, places, weights, spend: () => {} };
        const { map, channels } = connect(run, this.#layout, image + crop * cropFloats * 4);
        const { buffer, byteOffset } = core.view(map(), mapSide ** 2 * channels * 4);
        const values = new Float32Array(buffer, byteOffset, mapSide ** 2 * channels);
        addLogits(logits, values, channels, head, biases);
      }
      const [face, animal, other] = logits as unknown as [number, number, number];
      verdicts.push({ animal: (face - animal) / 2, other: (face - other) / 2 });
    }
    return verdicts;
  }
}

/** The layers over one crop, with the memory that they take; `map` makes the last and gives its address. */
function connect(run: Run, { stem, blocks, narrow }: VerifierLayout, image: number) {
  const picture = new PictureRows(run, image, verifierSide, verifierSide);
  let rows: FeatureRows = new StemRows(run, picture, stem);
  for (const block of blocks) rows = new SeparableRows(run, rows, block);
  const channels = inEights(narrow.outputs);
  const rowBytes = mapSide * channels * Float32Array.BYTES_PER_ELEMENT;
  const at = run.places.take(mapSide * rowBytes);
  const map = () => {
    for (let y = 0; y < mapSide; y++)
      pointwiseRow(run, narrow, rows.row(y) + pixelBytes(rows), at + y * rowBytes, mapSide, 0);
    return at;
  };
  return { map, channels };
}

function mirror(crop: Float32Array): void {
  for (let row = 0; row < crop.length; row += verifierSide) crop.subarray(row, row + verifierSide).reverse();
}

/**
 * The linear layer.
 * @param values of the last map, `channels` a pixel
 */
function addLogits(
  logits: Float64Array,
  values: Float32Array,
  channels: number,
  head: Float32Array,
  biases: Float32Array,
): void {
  const pixels = values.length / channels;
  for (const [output, bias] of biases.entries()) {
    let sum = bias;
    for (let channel = 0; channel < channels; channel++) {
      const from = (output * channels + channel) * pixels;
      for (let pixel = 0; pixel < pixels; pixel++)
        sum += head[from + pixel]! * values[pixel * channels + channel]!;
    }
    logits[output]! += sum;
  }
}

/**
 * The verifier in models/face_detector.onnx.
 * @param load gives that file's bytes
 */
export function verifierNetwork(load: () => Promise<ArrayBuffer>): VerifierNetwork {
  const layout = verifierLayout(verifierShape);
  const inputs = mapSide ** 2 * verifierShape.last;
  return new VerifierNetwork(layout, async () =>
    readVerifierWeights(new Uint8Array(await load()), layout, inputs, OUTPUTS),
  );
}
