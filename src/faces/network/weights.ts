import type { FloatTensor } from './initializers.ts';
import { blocksOf, type Layer, type Layout } from './layout.ts';

type Tensors = ReadonlyMap<string, FloatTensor>;

/** The largest integer in rows and weights, and in sums. */
const MOST = 2 ** 15 - 1;
const MOST_SUM = 2 ** 31 - 1;

/**
 * Taps of a 3 × 3 filter, numbered row by row, in the order of the depthwise kernel: the columns of the upper
 * two rows, then the lowest row with a gap before its last tap.
 */
const DEPTHWISE_TAPS = [0, 3, 1, 4, 2, 5, 6, 7, undefined, 8] as const;

/**
 * Lays out a network's weights as the kernels of wasm/assembly/faces read them: as integers, as large as
 * possible without any input whose sum of products, bias and rounding overflows 32 bits.
 * @param colours which input of the first layer is red, green and blue
 * @throws Error if the tensors are not those of this network
 */
export function packWeights(
  tensors: Tensors,
  { layers, bytes }: Layout,
  colours: readonly [number, number, number],
): Uint8Array<ArrayBuffer> {
  const to = new Uint8Array(bytes);
  for (const layer of layers) packLayer(tensors, layer, to, colours);
  return to;
}

/** In `places`: nothing goes there. */
const GAP = -1;

/** Which weight of an output goes to each place of a block. */
function places(layer: Layer, colours: readonly number[]): Int32Array {
  if (layer.kind === 'pointwise') return Int32Array.from({ length: layer.from.outputs }, (_, input) => input);
  if (layer.kind === 'depthwise') return Int32Array.from(DEPTHWISE_TAPS, (tap) => tap ?? GAP);
  // Per row nine inputs and a gap.
  return Int32Array.from(
    [0, 1, 2].flatMap((row) => [
      ...[0, 1, 2].flatMap((column) => colours.map((input) => input * 9 + row * 3 + column)),
      GAP,
    ]),
  );
}

// Plain loops over typed arrays: this runs once, before the engine has optimised anything.
function packLayer(tensors: Tensors, layer: Layer, to: Uint8Array<ArrayBuffer>, colours: readonly number[]) {
  const { weights, biases } = gather(tensors, layer);
  const block = blocksOf(layer);
  const perOutput = weights.length / layer.outputs;
  const order = places(layer, colours);
  for (let first = 0, at = layer.at; first < layer.outputs; first += block.outputs, at += block.bytes) {
    const outputs = Math.min(block.outputs, layer.outputs - first);
    const own = weights.subarray(first * perOutput, (first + outputs) * perOutput);
    const ownBiases = biases.subarray(first, first + outputs);
    const shift = shiftOf(own, ownBiases);
    if (shift < 1) throw new Error(`The range of ${layer.tensors[0]!.weight} is too small for its weights`);
    const steps = 2 ** shift;
    const integers = new Int32Array(to.buffer, at, block.outputs + 1);
    const shorts = new Int16Array(to.buffer, at + block.head, block.outputs * block.weights);
    integers[block.outputs] = shift;
    for (let output = 0; output < outputs; output++) {
      integers[output] = Math.round((ownBiases[output]! + 0.5) * steps);
      const weightsOfIt = own.subarray(output * perOutput, (output + 1) * perOutput);
      packOutput(weightsOfIt, steps, order, shorts, block.outputs, output);
    }
  }
}

/** Puts the weights of one output of `outputs` into a block, in pairs of one output each. */
function packOutput(
  weights: Float64Array,
  steps: number,
  order: Int32Array,
  shorts: Int16Array,
  outputs: number,
  output: number,
): void {
  for (let place = 0; place < order.length; place++) {
    const index = order[place]!;
    if (index === GAP) continue;
    shorts[2 * ((place >> 1) * outputs + output) + (place & 1)] = Math.round(weights[index]! * steps);
  }
}

/** By how many bits sums are shifted: as many as weights and sums have room for. */
function shiftOf(weights: Float64Array, biases: Float64Array): number {
  const perOutput = weights.length / biases.length;
  let most = 0;
  let mostSum = 0;
  for (let output = 0; output < biases.length; output++) {
    let sum = 0;
    for (let index = output * perOutput; index < (output + 1) * perOutput; index++) {
      const size = Math.abs(weights[index]!);
      if (size > most) most = size;
      sum += size;
    }
    mostSum = Math.max(mostSum, sum * (MOST + 1) + Math.abs(biases[output]!) + 0.5);
  }
  // Each weight may be half a step larger once rounded.
  const forSums = Math.log2((MOST_SUM - (perOutput / 2) * (MOST + 1)) / mostSum);
  return Math.floor(Math.min(Math.log2(MOST / most), forSums, 30));
}

/** The tensors of a layer, one output after the other, in units of the outputs per unit of the inputs. */
function gather(tensors: Tensors, layer: Layer) {
  const dims = { stem: [3, 3, 3], depthwise: [1, 3, 3], pointwise: [layer.from.outputs, 1, 1] }[layer.kind];
  const perOutput = dims.reduce((product, side) => product * side, 1);
  const weights = new Float64Array(layer.outputs * perOutput);
  const biases = new Float64Array(layer.outputs);
  let first = 0;
  for (const { weight, bias, outputs } of layer.tensors) {
    scaleInto(
      weights,
      first * perOutput,
      tensor(tensors, weight, [outputs, ...dims]),
      layer.from.unit,
      layer.unit,
    );
    if (bias) scaleInto(biases, first, tensor(tensors, bias, [outputs]), 1, layer.unit);
    first += outputs;
  }
  return { weights, biases };
}

function scaleInto(to: Float64Array, at: number, from: Float32Array, factor: number, divisor: number): void {
  for (let i = 0; i < from.length; i++) to[at + i] = (from[i]! * factor) / divisor;
}

/** @throws Error if the tensor is missing or has another shape */
export function tensor(tensors: Tensors, name: string, dims: readonly number[]): Float32Array {
  const found = tensors.get(name);
  const count = dims.reduce((product, side) => product * side, 1);
  if (found?.dims.join() !== dims.join() || found.values.length !== count)
    throw new Error(`The model has ${name} of ${found?.dims.join(' × ')}, not ${dims.join(' × ')}`);
  return found.values;
}
