import type { FloatTensor } from './initializers.ts';
import { EIGHT, inEights, type Layer, type Layout } from './layout.ts';

type Tensors = ReadonlyMap<string, FloatTensor>;

/**
 * Lays the weights of a network out as the kernels of wasm/assembly/faces read them.
 * @param colours which input of the first layer is red, which green and which blue
 * @throws Error where they are not those of this network
 */
export function layWeights(
  tensors: Tensors,
  { layers, floats }: Layout,
  colours: readonly [number, number, number],
): Float32Array<ArrayBuffer> {
  const to = new Float32Array(floats);
  for (const layer of layers) {
    if (layer.kind === 'stem') layStem(tensors, layer, to, colours);
    else if (layer.kind === 'depthwise') layDepthwise(tensors, layer, to);
    else layPointwise(tensors, layer, to);
  }
  return to;
}

/**
 * Biases, then the weights of one tap after the other: [row][column][colour][output].
 */
function layStem(tensors: Tensors, layer: Layer, to: Float32Array, colours: readonly number[]) {
  const { at, inputs, outputs } = layer;
  const { weights, biases } = gather(tensors, layer, [inputs, 3, 3]);
  to.set(biases, at);
  for (let output = 0; output < outputs; output++) {
    for (const [colour, input] of colours.entries()) {
      for (let tap = 0; tap < 9; tap++) {
        const place = at + outputs * (1 + tap * inputs + colour) + output;
        to[place] = weights[(output * inputs + input) * 9 + tap]!;
      }
    }
  }
}

/** Biases, then one tap of all channels after the other, row by row. */
function layDepthwise(tensors: Tensors, layer: Layer, to: Float32Array) {
  const { at, outputs } = layer;
  const { weights, biases } = gather(tensors, layer, [1, 3, 3]);
  const channels = inEights(outputs);
  to.set(biases, at);
  for (let channel = 0; channel < outputs; channel++) {
    for (let tap = 0; tap < 9; tap++) to[at + (1 + tap) * channels + channel] = weights[channel * 9 + tap]!;
  }
}

/** For each eight outputs: their biases, then their weights of one input after the other. */
function layPointwise(tensors: Tensors, layer: Layer, to: Float32Array) {
  const { at, inputs, outputs } = layer;
  const { weights, biases } = gather(tensors, layer, [inputs, 1, 1]);
  for (let output = 0; output < outputs; output++) {
    const within = output % EIGHT;
    const place = at + (output - within) * (inputs + 1) + within;
    to[place] = biases[output]!;
    for (let input = 0; input < inputs; input++) {
      to[place + EIGHT * (input + 1)] = weights[output * inputs + input]!;
    }
  }
}

/** The tensors of a layer, one output after the other. */
function gather(tensors: Tensors, layer: Layer, dims: readonly number[]) {
  const weights = layer.tensors.flatMap(({ weight, outputs }) => [
    ...tensor(tensors, weight, [outputs, ...dims]),
  ]);
  const biases = layer.tensors.flatMap(({ bias, outputs }) =>
    bias ? [...tensor(tensors, bias, [outputs])] : new Array<number>(outputs).fill(0),
  );
  return { weights, biases };
}

/** @throws Error where it is missing or of another shape */
export function tensor(tensors: Tensors, name: string, dims: readonly number[]): Float32Array {
  const found = tensors.get(name);
  const count = dims.reduce((product, side) => product * side, 1);
  if (found?.dims.join() !== dims.join() || found.values.length !== count)
    throw new Error(`The model has ${name} of ${found?.dims.join(' × ')}, not ${dims.join(' × ')}`);
  return found.values;
}
