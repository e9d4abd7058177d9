/** Strides of the outputs of both face networks, finest first. */
export const STRIDES = [8, 16, 32] as const;

/** Kernels compute eight outputs at a time. */
export const EIGHT = 8;

/** Kinds of convolutions: pointwise is 1 × 1, the others are 3 × 3; a stem reads colours, with stride 2. */
type Kind = 'stem' | 'depthwise' | 'pointwise';

/** The input of a convolution. */
export interface Source {
  /** Channels. */
  readonly outputs: number;
  /** The value of the integer 1. */
  readonly unit: number;
}

/**
 * A convolution: `at`, where its weights begin, in bytes from the network's first, and the names of its
 * tensors in the ONNX file. Heads consist of several tensors, one after the other.
 */
export interface Layer extends Source {
  readonly kind: Kind;
  readonly from: Source;
  readonly tensors: readonly TensorNames[];
  readonly at: number;
}

/** @see Layer */
interface TensorNames {
  readonly weight: string;
  /** Absent: its biases are zeros. */
  readonly bias?: string;
  readonly outputs: number;
}

/** The layers of a network, in the order of their weights in memory. */
export interface Layout {
  readonly layers: readonly Layer[];
  /** Of all weights. */
  readonly bytes: number;
}

/** A separable block: a depthwise convolution, then a pointwise one and ReLU. */
export interface Separable {
  readonly depthwise: Layer;
  readonly pointwise: Layer;
  readonly stride: 1 | 2;
  /** The input is added to the output, before ReLU. */
  readonly residual: boolean;
}

/** A network's first layer takes a colour of 0 to 255 as (colour - mean) · scale. */
export interface Normalisation {
  readonly mean: number;
  readonly scale: number;
}

/** About the mean and the standard deviation of photographs' values (models/training/train/model.py). */
export const standard: Normalisation = { mean: 127.5, scale: 1 / 58 };

/** Steps of a colour in the picture's rows (wasm/assembly/faces/stem.ts). */
const COLOUR_STEPS = 64;

/** The picture, as the input of a network. */
export const pictureSource = ({ scale }: Normalisation): Source => ({
  outputs: 3,
  unit: scale / COLOUR_STEPS,
});

/** The weights of a layer lie in blocks of as many outputs as its kernel computes at a time. */
interface Blocks {
  readonly outputs: number;
  /** Bytes of the biases and the shift, which precede the weights. */
  readonly head: number;
  /** Number of weights of one output, padding zeros included. */
  readonly weights: number;
  /** Bytes of a block. */
  readonly bytes: number;
}

export function blocksOf({ kind, from }: Pick<Layer, 'kind' | 'from'>): Blocks {
  const outputs = kind === 'stem' ? 2 * EIGHT : EIGHT;
  const weights = { stem: 30, depthwise: 10, pointwise: from.outputs }[kind];
  const head = outputs * 4 + 16;
  return { outputs, head, weights, bytes: head + outputs * weights * 2 };
}

/** Bytes of a layer's weights; the last block is padded. */
export function layerBytes(layer: Pick<Layer, 'kind' | 'from' | 'outputs'>): number {
  const { outputs, bytes } = blocksOf(layer);
  return Math.ceil(layer.outputs / outputs) * bytes;
}

export const inEights = (outputs: number): number => Math.ceil(outputs / EIGHT) * EIGHT;

export const named = (name: string, outputs: number): TensorNames => ({
  weight: `${name}.weight`,
  bias: `${name}.bias`,
  outputs,
});

/** Lays out layers, one after the other. */
export class LayoutBuilder implements Layout {
  readonly layers: Layer[] = [];
  bytes = 0;
  readonly #ranges: readonly number[];

  /** @param ranges the outputs of layer i lie between -2^ranges[i] and 2^ranges[i] */
  constructor(ranges: readonly number[]) {
    this.#ranges = ranges;
  }

  layer(kind: Kind, from: Source, ...tensors: readonly TensorNames[]): Layer {
    const outputs = tensors.reduce((sum, one) => sum + one.outputs, 0);
    const range = this.#ranges[this.layers.length];
    if (range === undefined) throw new Error(`No range of ${tensors[0]?.weight}`);
    const made = { kind, from, tensors, at: this.bytes, outputs, unit: 2 ** (range - 15) };
    this.layers.push(made);
    this.bytes += layerBytes(made);
    return made;
  }

  /** Tensors are named as in models/training; depthwise convolutions have no biases. */
  separable(name: string, from: Source, outputs: number, stride: 1 | 2, residual: boolean): Separable {
    const weight = `${name}.dw.weight`;
    const depthwise = this.layer('depthwise', from, { weight, outputs: from.outputs });
    const pointwise = this.layer('pointwise', depthwise, named(`${name}.pw`, outputs));
    return { depthwise, pointwise, stride, residual };
  }

  /** The blocks of one stride: the first halves the sides, the others are residual. */
  stage(name: string, from: Source, outputs: number, more: number): Separable[] {
    const blocks: Separable[] = [];
    for (let block = 0; block <= more; block++) {
      const source = blocks.at(-1)?.pointwise ?? from;
      blocks.push(this.separable(`${name}.${block}`, source, outputs, block ? 1 : 2, block > 0));
    }
    return blocks;
  }
}
