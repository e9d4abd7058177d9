import { describe, expect, it } from 'vitest';
import file from '../../../models/face_detector.onnx';
import { model, verifierShape } from '../../../src/faces/model.ts';
import { floatInitializers } from '../../../src/faces/network/initializers.ts';
import {
  depthwiseFloats,
  type Layer,
  networkLayout,
  pointwiseFloats,
  type Separable,
  stemFloats,
  verifierLayout,
} from '../../../src/faces/network/layout.ts';

const layout = networkLayout(model.shape);
const separables = [
  ...layout.first,
  ...layout.levels.flatMap(({ blocks, fuse, tower }) => [...blocks, fuse, tower]),
];
type Sized = readonly (readonly [Layer, number])[];
const inBlocks = (blocks: readonly Separable[]): Sized =>
  blocks.flatMap(({ depthwise, pointwise }): [Layer, number][] => [
    [depthwise, depthwiseFloats(depthwise)],
    [pointwise, pointwiseFloats(pointwise)],
  ]);
const layers: Sized = [
  [layout.stem, stemFloats(layout.stem)],
  ...inBlocks(separables),
  ...layout.levels.flatMap(({ lateral, head }): [Layer, number][] => [
    [lateral, pointwiseFloats(lateral)],
    [head, pointwiseFloats(head)],
  ]),
];
const verifier = verifierLayout(verifierShape);
const verifierLayers: Sized = [
  [verifier.stem, stemFloats(verifier.stem)],
  ...inBlocks(verifier.blocks),
  [verifier.narrow, pointwiseFloats(verifier.narrow)],
];

describe('the layout of the network', () => {
  it('has every weight of the file once, and no other', () => {
    const laid = [...layers, ...verifierLayers].map(([{ name }]) => `${name}.weight`);
    const names = [...laid, 'verifier.head.weight'];
    const inFile = [...floatInitializers(new Uint8Array(file)).keys()];
    expect(names.toSorted()).toEqual(inFile.filter((name) => name.endsWith('.weight')).sort());
  });

  it('puts the layers beside each other, without gaps', () => {
    for (const [some, all] of [
      [layers, layout.floats],
      [verifierLayers, verifier.floats],
    ] as const) {
      let at = 0;
      for (const [layer, floats] of some.toSorted(([a], [b]) => a.at - b.at)) {
        expect(layer.at, layer.name).toBe(at);
        at += floats;
      }
      expect(all).toBe(at);
    }
  });

  it('gives every layer what the one before makes', () => {
    let channels = layout.stem.outputs;
    const blocks = [...layout.first, ...layout.levels.flatMap((level) => level.blocks)];
    for (const { depthwise, pointwise, stride, residual } of blocks) {
      expect([depthwise.inputs, depthwise.outputs, pointwise.inputs]).toEqual([channels, channels, channels]);
      expect(residual).toBe(stride === 1);
      if (residual) expect(pointwise.outputs).toBe(channels);
      channels = pointwise.outputs;
    }
    expect(blocks.filter(({ stride }) => stride === 2)).toHaveLength(4);
  });
});
