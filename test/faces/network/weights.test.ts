import { describe, expect, it } from 'vitest';
import face from '../../../models/face_detector.onnx';
import tiles from '../../../models/yunet_n.onnx';
import { model, verifierShape } from '../../../src/faces/model.ts';
import { faceNet } from '../../../src/faces/network/face_net.ts';
import { floatInitializers } from '../../../src/faces/network/initializers.ts';
import { blocksOf, type Layer } from '../../../src/faces/network/layout.ts';
import { ranges } from '../../../src/faces/network/ranges.ts';
import { verifierLayout } from '../../../src/faces/network/verifier_network.ts';
import { packWeights } from '../../../src/faces/network/weights.ts';
import { yunet } from '../../../src/faces/network/yunet.ts';

const [own, theirs] = [face, tiles].map((file) => floatInitializers(new Uint8Array(file)));
const networks = [
  [own!, faceNet(model.shape, ranges.faceDetector).layout, [0, 1, 2]],
  [own!, verifierLayout(verifierShape, ranges.verifier), [0, 1, 2]],
  [theirs!, yunet(ranges.yunet).layout, [2, 1, 0]],
] as const;
const [, layout] = networks[2];

/** Of the block of outputs that an output is in: their biases, how far sums are shifted, pairs of weights. */
function blockOf(bytes: Uint8Array<ArrayBuffer>, layer: Layer, output: number) {
  const { outputs, head, weights, bytes: length } = blocksOf(layer);
  const at = layer.at + Math.floor(output / outputs) * length;
  const [...integers] = new Int32Array(bytes.buffer, at, outputs + 1);
  const shorts = new Int16Array(bytes.buffer, at + head, outputs * weights);
  const within = output % outputs;
  const pairOf = (pair: number) => [...shorts.subarray(2 * (pair * outputs + within)).subarray(0, 2)];
  return {
    bias: integers[within]!,
    shift: integers[outputs]!,
    weights: Array.from({ length: weights / 2 }, (_, pair) => pairOf(pair)).flat(),
  };
}

describe('weights', () => {
  it('let no sum of products pass 32 bits, whatever the inputs are', () => {
    let most = 0;
    for (const [tensors, { layers, ...sizes }, colours] of networks) {
      const bytes = packWeights(tensors, { layers, ...sizes }, colours);
      for (const layer of layers) {
        for (let output = 0; output < layer.outputs; output++) {
          const { bias, weights, shift } = blockOf(bytes, layer, output);
          const sum = weights.reduce((total, weight) => total + Math.abs(weight), 0) * 2 ** 15;
          expect(sum + Math.abs(bias)).toBeLessThan(2 ** 31);
          expect(weights.every((weight) => weight > -(2 ** 15))).toBe(true);
          expect(shift).toBeGreaterThanOrEqual(8);
          most = Math.max(most, sum);
        }
      }
    }
    // They are no smaller than they must be.
    expect(most).toBeGreaterThan(2 ** 30);
  });

  it.each([
    ['lacks a layer', new Map([...theirs!].filter(([name]) => name !== '471')), '471 of'],
    ['has one of another shape', new Map([...theirs!, ['471', theirs!.get('459')!]]), 'not 64 × 1'],
    ['is of another network', own!, 'The model has 459 of'],
  ])('of a file that %s are refused', (_name, changed, message) => {
    expect(() => packWeights(changed, layout, [2, 1, 0])).toThrow(message);
  });

  it('are refused where a range leaves them no room', () => {
    const narrow = yunet(ranges.yunet.map(() => -12)).layout;
    expect(() => packWeights(theirs!, narrow, [2, 1, 0])).toThrow('too small');
  });
});
