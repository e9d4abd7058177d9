import { type FloatTensor, floatInitializers } from './initializers.ts';
import { EIGHT, type Layer, type NetworkLayout, type Separable, type VerifierLayout } from './layout.ts';

/**
 * Reads the weights of an ONNX file that models/training/release/export.py wrote, and lays them out as the
 * kernels of wasm/assembly/faces read them.
 * @throws Error where they are not those of this network
 */
export function readWeights(model: Uint8Array, layout: NetworkLayout): Float32Array<ArrayBuffer> {
  const tensors = floatInitializers(model);
  const to = new Float32Array(layout.floats);
  layStem(tensors, layout.stem, to);
  const separables = [
    layout.first,
    ...layout.levels.map(({ blocks, fuse, tower }) => [...blocks, fuse, tower]),
  ];
  for (const block of separables.flat()) laySeparable(tensors, block, to);
  for (const { lateral, head } of layout.levels) {
    layPointwise(tensors, lateral, to);
    layPointwise(tensors, head, to);
  }
  return to;
}

/** What a verifier knows. */
export interface VerifierWeights {
  readonly layers: Float32Array<ArrayBuffer>;
  /** Of the linear layer: [output][channel][row][column], and a bias an output. */
  readonly head: Float32Array;
  readonly biases: Float32Array;
}

/**
 * Reads the verifier's weights, which models/training/train/verifier.py has put into the same file.
 * @param inputs of the linear layer
 * @param outputs of it
 * @throws Error where they are not those of this network
 */
export function readVerifierWeights(
  model: Uint8Array,
  layout: VerifierLayout,
  inputs: number,
  outputs: number,
): VerifierWeights {
  const tensors = floatInitializers(model);
  const layers = new Float32Array(layout.floats);
  layStem(tensors, layout.stem, layers);
  for (const block of layout.blocks) laySeparable(tensors, block, layers);
  layPointwise(tensors, layout.narrow, layers);
  const head = tensor(tensors, 'verifier.head.weight', [outputs, inputs]);
  return { layers, head, biases: tensor(tensors, 'verifier.head.bias', [outputs]) };
}

/** Biases, then the weights of one tap after the other: [row][column][colour][output]. */
function layStem(tensors: Map<string, FloatTensor>, { name, at, inputs, outputs }: Layer, to: Float32Array) {
  const weights = tensor(tensors, `${name}.weight`, [outputs, inputs, 3, 3]);
  to.set(tensor(tensors, `${name}.bias`, [outputs]), at);
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) {
      for (let tap = 0; tap < 9; tap++) {
        const place = at + outputs * (1 + tap * inputs + input) + output;
        to[place] = weights[(output * inputs + input) * 9 + tap]!;
      }
    }
  }
}

/** One tap of all channels after the other, row by row; then the pointwise part. */
function laySeparable(
  tensors: Map<string, FloatTensor>,
  { depthwise, pointwise }: Separable,
  to: Float32Array,
) {
  const { name, at, inputs } = depthwise;
  const taps = tensor(tensors, `${name}.weight`, [inputs, 1, 3, 3]);
  for (let channel = 0; channel < inputs; channel++) {
    for (let tap = 0; tap < 9; tap++) to[at + tap * inputs + channel] = taps[channel * 9 + tap]!;
  }
  layPointwise(tensors, pointwise, to);
}

/** For each eight outputs: their biases, then their weights of one input after the other. */
function layPointwise(
  tensors: Map<string, FloatTensor>,
  { name, at, inputs, outputs }: Layer,
  to: Float32Array,
) {
  const weights = tensor(tensors, `${name}.weight`, [outputs, inputs, 1, 1]);
  const biases = tensor(tensors, `${name}.bias`, [outputs]);
  for (let output = 0; output < outputs; output++) {
    const within = output % EIGHT;
    const place = at + (output - within) * (inputs + 1) + within;
    to[place] = biases[output]!;
    for (let input = 0; input < inputs; input++) {
      to[place + EIGHT * (input + 1)] = weights[output * inputs + input]!;
    }
  }
}

function tensor(tensors: Map<string, FloatTensor>, name: string, dims: readonly number[]): Float32Array {
  const found = tensors.get(name);
  const count = dims.reduce((product, side) => product * side, 1);
  if (found?.dims.join() !== dims.join() || found.values.length !== count)
    throw new Error(`The face model has ${name} of ${found?.dims.join(' × ')}, not ${dims.join(' × ')}`);
  return found.values;
}
