import { describe, expect, it } from 'vitest';
import file from '../../../models/face_detector.onnx';
import { model } from '../../../src/faces/model.ts';
import { floatInitializers } from '../../../src/faces/network/initializers.ts';
import { networkLayout } from '../../../src/faces/network/layout.ts';
import { readWeights } from '../../../src/faces/network/weights.ts';

const bytes = new Uint8Array(file);
const layout = networkLayout(model.shape);
const tensors = floatInitializers(bytes);
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

/** The file with another name for a tensor, of the same length, wherever it stands. */
function renamed(from: string, to: string): Uint8Array {
  const changed = bytes.slice();
  const name = new TextEncoder().encode(from);
  for (let at = 0; at < changed.length - name.length; at++) {
    if (name.every((byte, i) => changed[at + i] === byte)) changed.set(new TextEncoder().encode(to), at);
  }
  return changed;
}

describe('weights', () => {
  it('are all there, and nothing but zeros beside them', () => {
    const laid = readWeights(bytes, layout);
    const count = sum([...tensors.values()].map(({ values }) => values.length));
    // Heads of five outputs are laid out for eight: three times three outputs of 80 weights and a bias.
    expect(laid.length).toBe(count + 3 * 3 * 81);
    expect(sum(laid)).toBeCloseTo(sum([...tensors.values()].map(({ values }) => sum(values))), 3);
  });

  it('of a pointwise layer stand in eights of outputs, biases first', () => {
    const laid = readWeights(bytes, layout);
    const { name, at, inputs } = layout.levels[0]!.lateral;
    const weights = tensors.get(`${name}.weight`)!.values;
    for (const [output, input] of [
      [0, 0],
      [7, 3],
      [8, 0],
      [79, 79],
    ] as const) {
      const eight = at + Math.floor(output / 8) * 8 * (inputs + 1) + (output % 8);
      expect(laid[eight]).toBe(tensors.get(`${name}.bias`)!.values[output]);
      expect(laid[eight + 8 * (1 + input)]).toBe(weights[output * inputs + input]);
    }
  });

  it.each([
    ['is cut off', bytes.subarray(0, 500_000), 'cut off'],
    ['lacks a layer', renamed('model.s16.2.pw.weight', 'model.s16.9.pw.weight'), 'model.s16.2.pw.weight of'],
    ['has one of another shape', renamed('model.s16.2.pw.weight', 'model.s32.2.pw.weight'), 'not 112'],
  ])('of a file that %s are refused', (_name, changed, message) => {
    expect(() => readWeights(changed, layout)).toThrow(message);
  });

  it('of another shape than the file’s are refused', () => {
    const wider = networkLayout({ ...model.shape, neck: 96 });
    expect(() => readWeights(bytes, wider)).toThrow('96');
  });
});
