import { describe, expect, it } from 'vitest';
import own from '../../../models/face_detector.onnx';
import theirs from '../../../models/yunet_n.onnx';
import { model, verifierShape } from '../../../src/faces/model.ts';
import { faceNet } from '../../../src/faces/network/face_net.ts';
import { floatInitializers } from '../../../src/faces/network/initializers.ts';
import { type Layout, layerBytes } from '../../../src/faces/network/layout.ts';
import { ranges } from '../../../src/faces/network/ranges.ts';
import { verifierLayout } from '../../../src/faces/network/verifier_network.ts';
import { yunet } from '../../../src/faces/network/yunet.ts';

const [whole, tiles, verifier] = [
  faceNet(model.shape, ranges.faceDetector).layout,
  yunet(ranges.yunet).layout,
  verifierLayout(verifierShape, ranges.verifier),
];
const weightsOf = ({ layers }: Layout) =>
  layers.flatMap(({ tensors }) => tensors.map(({ weight }) => weight));
const namesIn = (file: ArrayBuffer, isWeight: (name: string, dims: readonly number[]) => boolean) =>
  [...floatInitializers(new Uint8Array(file))]
    .filter(([name, { dims }]) => isWeight(name, dims))
    .map(([name]) => name)
    .sort();

describe('the layouts of the networks', () => {
  it('have every weight of the files once, and no other but those of landmarks', () => {
    const laid = [...weightsOf(whole), ...weightsOf(verifier), 'verifier.head.weight'];
    expect(laid.toSorted()).toEqual(namesIn(own, (name) => name.endsWith('.weight')));
    const convolutions = namesIn(theirs, (name, dims) => dims.length === 4 && !name.includes('_kps.'));
    expect(weightsOf(tiles).toSorted()).toEqual(convolutions);
  });

  it.each([whole, tiles, verifier])('put the layers beside each other, without gaps', (layout) => {
    let at = 0;
    for (const layer of layout.layers) {
      expect(layer.at, layer.tensors[0]!.weight).toBe(at);
      at += layerBytes(layer);
    }
    expect(layout.bytes).toBe(at);
  });

  it('have a range for every layer, and none is left over', () => {
    expect(ranges.faceDetector).toHaveLength(whole.layers.length);
    expect(ranges.yunet).toHaveLength(tiles.layers.length);
    expect(ranges.verifier).toHaveLength(verifier.layers.length);
    expect(() => yunet(ranges.yunet.slice(1))).toThrow('No range of');
  });
});
