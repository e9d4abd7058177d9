import { describe, expect, it } from 'vitest';
import own from '../../../models/face_detector.onnx';
import theirs from '../../../models/yunet_n.onnx';
import { model, verifierShape } from '../../../src/faces/model.ts';
import { faceNet } from '../../../src/faces/network/face_net.ts';
import { floatInitializers } from '../../../src/faces/network/initializers.ts';
import { type Layout, layerFloats } from '../../../src/faces/network/layout.ts';
import { verifierLayout } from '../../../src/faces/network/verifier_network.ts';
import { yunet } from '../../../src/faces/network/yunet.ts';

const [whole, tiles, verifier] = [faceNet(model.shape).layout, yunet().layout, verifierLayout(verifierShape)];
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
      at += layerFloats(layer);
    }
    expect(layout.floats).toBe(at);
  });
});
