import { describe, expect, it } from 'vitest';
import file from '../../../models/yunet_n.onnx';
import { model } from '../../../src/faces/model.ts';
import { faceNet } from '../../../src/faces/network/face_net.ts';
import { floatInitializers } from '../../../src/faces/network/initializers.ts';
import { layWeights } from '../../../src/faces/network/weights.ts';
import { yunet } from '../../../src/faces/network/yunet.ts';

const bytes = new Uint8Array(file);
const { layout } = yunet();
const tensors = floatInitializers(bytes);
const laid = layWeights(tensors, layout, [2, 1, 0]);
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const layerOf = (name: string) =>
  layout.layers.find((layer) => layer.tensors.some(({ weight }) => weight === name))!;

describe('weights', () => {
  it('are all there, and nothing but zeros beside them', () => {
    const named = layout.layers.flatMap((layer) =>
      layer.tensors.flatMap(({ weight, bias }) => [weight, bias!]),
    );
    const used = named.map((name) => tensors.get(name)!.values);
    // Heads of six outputs are laid out for eight: three times two of 64 weights or nine taps, and a bias.
    expect(laid.length).toBe(sum(used.map(({ length }) => length)) + 3 * 2 * (65 + 10));
    expect(sum(laid)).toBeCloseTo(sum(used.map(sum)), 3);
  });

  it('of a pointwise layer stand in eights of outputs, biases first', () => {
    const name = 'neck.lateral_convs.0.conv1';
    const { at, inputs } = layerOf(`${name}.weight`);
    const weights = tensors.get(`${name}.weight`)!.values;
    for (const [output, input] of [
      [0, 0],
      [7, 3],
      [8, 0],
      [63, 63],
    ] as const) {
      const eight = at + Math.floor(output / 8) * 8 * (inputs + 1) + (output % 8);
      expect(laid[eight]).toBe(tensors.get(`${name}.bias`)!.values[output]);
      expect(laid[eight + 8 * (1 + input)]).toBe(weights[output * inputs + input]);
    }
  });

  it('of the first layer stand by taps of the colours red, green and blue, whichever the file has first', () => {
    const { at, outputs } = layerOf('459');
    const weights = tensors.get('459')!.values;
    // Output 5, the last tap, red: the third input of the file.
    expect(laid[at + outputs * (1 + 8 * 3 + 0) + 5]).toBe(weights[(5 * 3 + 2) * 9 + 8]);
    expect(laid[at + outputs * (1 + 8 * 3 + 2) + 5]).toBe(weights[(5 * 3 + 0) * 9 + 8]);
  });

  it.each([
    ['lacks a layer', new Map([...tensors].filter(([name]) => name !== '471')), '471 of'],
    ['has one of another shape', new Map([...tensors, ['471', tensors.get('459')!]]), 'not 64 × 1'],
  ])('of a file that %s are refused', (_name, changed, message) => {
    expect(() => layWeights(changed, layout, [2, 1, 0])).toThrow(message);
  });

  it('of another network than the file’s are refused', () => {
    expect(() => layWeights(tensors, faceNet(model.shape).layout, [0, 1, 2])).toThrow('model.stem');
    expect(() => floatInitializers(bytes.subarray(0, 300_000))).toThrow('cut off');
  });
});
