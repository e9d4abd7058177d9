/** Strides of the network's three outputs, finest first (models/training/train/model.py). */
export const STRIDES = [8, 16, 32] as const;

/** Of a cell: face logit, dx, dy, log width, log height. */
export const HEAD_OUTPUTS = 5;

/** Kernels make eight outputs at a time. */
export const EIGHT = 8;

/** How wide and deep a network is: `cfg` of models/training/train/model.py. */
export interface NetworkShape {
  /** Channels of the first layer, and at strides 4, 8, 16 and 32; multiples of 8, the first is 16. */
  readonly channels: readonly [number, number, number, number, number];
  /** Blocks that keep the size, at strides 4, 8, 16 and 32. */
  readonly blocks: readonly [number, number, number, number];
  /** Channels of all that follows. */
  readonly neck: number;
}

/** A layer's weights: where they begin, in floats from the first of all, and their names in the ONNX file. */
export interface Layer {
  readonly name: string;
  readonly at: number;
  readonly inputs: number;
  readonly outputs: number;
}

/** A separable block: a depthwise 3 × 3 convolution, then a pointwise one and ReLU. */
export interface Separable {
  readonly depthwise: Layer;
  readonly pointwise: Layer;
  readonly stride: 1 | 2;
  /** The input is added to the output, before ReLU. */
  readonly residual: boolean;
}

/** One of the STRIDES: the blocks that lead to it, and what makes its outputs of them. */
export interface Level {
  readonly blocks: readonly Separable[];
  readonly lateral: Layer;
  readonly fuse: Separable;
  readonly tower: Separable;
  readonly head: Layer;
}

/** The layers of a network, and where their weights lie. */
export interface NetworkLayout {
  /** Of all weights. */
  readonly floats: number;
  /** A 3 × 3 convolution with stride 2. */
  readonly stem: Layer;
  /** Blocks of stride 4, which lead to the first level. */
  readonly first: readonly Separable[];
  /** One for each of STRIDES. */
  readonly levels: readonly Level[];
}

/** Weights of nine taps of three colours, and a bias. */
export const stemFloats = ({ outputs }: Layer): number => outputs * 28;
export const depthwiseFloats = ({ inputs }: Layer): number => inputs * 9;
/** Outputs are filled up to eights, with zeros. */
export const pointwiseFloats = ({ inputs, outputs }: Layer): number => inEights(outputs) * (inputs + 1);
export const inEights = (outputs: number): number => Math.ceil(outputs / EIGHT) * EIGHT;

/** How wide and deep the verifier is. */
export interface VerifierShape {
  /** Channels of the first layer, and at strides 4, 8 and 16; multiples of 8, the first is 16. */
  readonly channels: readonly number[];
  /** Blocks that keep the size, at strides 4, 8 and 16. */
  readonly blocks: readonly number[];
  /** Channels of the last map, which a linear layer reads. */
  readonly last: number;
}

/** The layers of the verifier, and where their weights lie. */
export interface VerifierLayout {
  readonly floats: number;
  readonly stem: Layer;
  readonly blocks: readonly Separable[];
  readonly narrow: Layer;
}

/** Lays the weights of the verifier out, but for those of its linear layer. */
export function verifierLayout({ channels, blocks, last }: VerifierShape): VerifierLayout {
  const { stem, stage, pointwise, floats } = layersOf('verifier', channels, blocks);
  const all = blocks.flatMap((_, index) => stage(index));
  const narrow = pointwise('verifier.narrow', channels.at(-1)!, last);
  return { stem, blocks: all, narrow, floats: floats() };
}

/** Lays the weights of a network out, one layer after the other. */
export function networkLayout({ channels, blocks, neck }: NetworkShape): NetworkLayout {
  const { stem, stage, pointwise, separable, floats } = layersOf('model', channels, blocks);
  const first = stage(0);
  const levels = STRIDES.map((_, level) => ({
    blocks: stage(level + 1),
    lateral: pointwise(`model.lat.${level}`, channels[level + 2]!, neck),
    fuse: separable(`model.fuse.${level}`, neck, neck, 1, false),
    tower: separable(`model.tower.${level}`, neck, neck, 1, false),
    head: pointwise(`model.head.${level}`, neck, HEAD_OUTPUTS),
  }));
  return { floats: floats(), stem, first, levels };
}

/** Makes layers one after the other; `floats` tells how many weights they have so far. */
function layersOf(network: string, channels: readonly number[], blocks: readonly number[]) {
  let floats = 0;
  const layer = (name: string, inputs: number, outputs: number, size: (layer: Layer) => number): Layer => {
    const made = { name, at: floats, inputs, outputs };
    floats += size(made);
    return made;
  };
  const pointwise = (name: string, inputs: number, outputs: number) =>
    layer(name, inputs, outputs, pointwiseFloats);
  const separable = (name: string, inputs: number, outputs: number, stride: 1 | 2, residual: boolean) => ({
    depthwise: layer(`${name}.dw`, inputs, inputs, depthwiseFloats),
    pointwise: pointwise(`${name}.pw`, inputs, outputs),
    stride,
    residual,
  });
  /** The first block halves the sides, the others add to what they get. */
  const stage = (index: number): Separable[] => {
    const [inputs, outputs] = [channels[index]!, channels[index + 1]!];
    return Array.from({ length: blocks[index]! + 1 }, (_, block) => {
      const name = `${network}.s${4 << index}.${block}`;
      return separable(name, block === 0 ? inputs : outputs, outputs, block === 0 ? 2 : 1, block > 0);
    });
  };
  const stem = layer(`${network}.stem`, 3, channels[0]!, stemFloats);
  return { stem, stage, pointwise, separable, floats: () => floats };
}
