/** Strides of the outputs of both face networks, finest first. */
export const STRIDES = [8, 16, 32] as const;

/** Kernels make eight outputs at a time. */
export const EIGHT = 8;

/** Kinds of convolutions: pointwise ones are 1 × 1, others 3 × 3; a stem has stride 2, and sees colours. */
type Kind = 'stem' | 'depthwise' | 'pointwise';

/**
 * A convolution: where its weights begin, in floats from the first of all, and the names of its tensors in
 * the ONNX file; heads are made of several, one after the other.
 */
export interface Layer {
  readonly kind: Kind;
  readonly tensors: readonly TensorNames[];
  readonly at: number;
  readonly inputs: number;
  readonly outputs: number;
}

/** @see Layer */
interface TensorNames {
  readonly weight: string;
  /** Absent: its biases are zeros. */
  readonly bias?: string;
  readonly outputs: number;
}

/** The layers of a network, in the order in which their weights lie. */
export interface Layout {
  readonly layers: readonly Layer[];
  /** Of all weights. */
  readonly floats: number;
}

/** A separable block: a depthwise convolution, then a pointwise one and ReLU. */
export interface Separable {
  readonly depthwise: Layer;
  readonly pointwise: Layer;
  readonly stride: 1 | 2;
  /** The input is added to the output, before ReLU. */
  readonly residual: boolean;
}

/**
 * Floats of a layer: biases, then nine taps of three colours, or nine taps, or all inputs; outputs are filled
 * up to eights.
 */
export function layerFloats({ kind, inputs, outputs }: Omit<Layer, 'at' | 'tensors'>): number {
  if (kind === 'stem') return outputs * 28;
  return inEights(outputs) * (kind === 'depthwise' ? 10 : inputs + 1);
}

export const inEights = (outputs: number): number => Math.ceil(outputs / EIGHT) * EIGHT;

export const named = (name: string, outputs: number): TensorNames => ({
  weight: `${name}.weight`,
  bias: `${name}.bias`,
  outputs,
});

/** Lays layers out, one after the other. */
export class LayoutMaker implements Layout {
  readonly layers: Layer[] = [];
  floats = 0;

  layer(kind: Kind, inputs: number, ...tensors: readonly TensorNames[]): Layer {
    const outputs = tensors.reduce((sum, one) => sum + one.outputs, 0);
    const made = { kind, tensors, at: this.floats, inputs, outputs };
    this.layers.push(made);
    this.floats += layerFloats(made);
    return made;
  }

  /** As models/training names them: depthwise convolutions have no biases. */
  separable(name: string, inputs: number, outputs: number, stride: 1 | 2, residual: boolean): Separable {
    return {
      depthwise: this.layer('depthwise', inputs, { weight: `${name}.dw.weight`, outputs: inputs }),
      pointwise: this.layer('pointwise', inputs, named(`${name}.pw`, outputs)),
      stride,
      residual,
    };
  }

  /** Blocks of one stride, of which the first halves the sides and the others add to what they get. */
  stage(name: string, inputs: number, outputs: number, more: number): Separable[] {
    return Array.from({ length: more + 1 }, (_, block) =>
      this.separable(`${name}.${block}`, block ? outputs : inputs, outputs, block ? 1 : 2, block > 0),
    );
  }
}
