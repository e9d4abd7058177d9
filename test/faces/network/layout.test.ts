import { describe, expect, it } from 'vitest';
import file from '../../../models/face_detector.onnx';
import { model } from '../../../src/faces/model.ts';
import { floatInitializers } from '../../../src/faces/network/initializers.ts';
import {
  depthwiseFloats,
  type Layer,
  networkLayout,
  pointwiseFloats,
  stemFloats,
} from '../../../src/faces/network/layout.ts';

const layout = networkLayout(model.shape);
const separables = [
  ...layout.first,
  ...layout.levels.flatMap(({ blocks, fuse, tower }) => [...blocks, fuse, tower]),
];
const layers: readonly (readonly [Layer, number])[] = [
  [layout.stem, stemFloats(layout.stem)],
  ...separables.flatMap(({ depthwise, pointwise }): [Layer, number][] => [
    [depthwise, depthwiseFloats(depthwise)],
    [pointwise, pointwiseFloats(pointwise)],
  ]),
  ...layout.levels.flatMap(({ lateral, head }): [Layer, number][] => [
    [lateral, pointwiseFloats(lateral)],
    [head, pointwiseFloats(head)],
  ]),
];

describe('the layout of the network', () => {
  it('has every weight of the file once, and no other', () => {
    const names = layers.map(([{ name }]) => `${name}.weight`);
    const inFile = [...floatInitializers(new Uint8Array(file)).keys()];
    expect(names.toSorted()).toEqual(inFile.filter((name) => name.endsWith('.weight')).sort());
  });

  it('puts the layers beside each other, without gaps', () => {
    const sorted = layers.toSorted(([a], [b]) => a.at - b.at);
    let at = 0;
    for (const [layer, floats] of sorted) {
      expect(layer.at, layer.name).toBe(at);
      at += floats;
    }
    expect(layout.floats).toBe(at);
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
