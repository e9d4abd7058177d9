import { describe, expect, it } from 'vitest';
import { floatInitializers } from '../../../src/faces/network/initializers.ts';

const utf8 = new TextEncoder();
const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
const key = (field: number, type: number) => varint((field << 3) | type);
const bytes = (field: number, payload: readonly number[]) => [
  ...key(field, 2),
  ...varint(payload.length),
  ...payload,
];
const number = (field: number, value: number) => [...key(field, 0), ...varint(value)];
const floats = (...values: number[]) => [...new Uint8Array(Float32Array.from(values).buffer)];

/** A model whose graph has these tensors, and fields that do not matter. */
const model = (...tensors: number[][]) =>
  Uint8Array.from([
    ...number(1, 7),
    ...bytes(7, [
      ...bytes(1, [...utf8.encode('a node')]),
      ...tensors.flatMap((tensor) => bytes(5, tensor)),
      ...bytes(2, [...utf8.encode('main_graph')]),
    ]),
    ...key(99, 5),
    ...[1, 2, 3, 4],
  ]);

const weights = [
  ...number(1, 2),
  ...number(1, 300),
  ...number(2, 1),
  ...bytes(8, [...utf8.encode('weights')]),
  ...bytes(9, floats(...Array.from({ length: 600 }, (_, i) => i / 4))),
];

describe('initializers of an ONNX file', () => {
  it('are read by name, with their shapes, and integers are left out', () => {
    const integers = [...number(2, 7), ...bytes(8, [...utf8.encode('integers')]), ...bytes(9, [1, 0, 0, 0])];
    const packed = [
      ...bytes(1, [1, 3]),
      ...number(2, 1),
      ...bytes(8, [...utf8.encode('bias')]),
      ...bytes(9, floats(1, -2, 0.5)),
    ];
    const tensors = floatInitializers(model(weights, integers, packed));
    expect([...tensors.keys()]).toEqual(['weights', 'bias']);
    expect(tensors.get('weights')!.dims).toEqual([2, 300]);
    expect(tensors.get('weights')!.values[599]).toBe(149.75);
    expect(tensors.get('bias')).toEqual({ dims: [1, 3], values: Float32Array.of(1, -2, 0.5) });
  });

  it('are refused where the file ends anywhere within', () => {
    const whole = model(weights);
    // The first field and the last one are complete by themselves.
    for (let length = 3; length < whole.length - 6; length += 7) {
      expect(() => floatInitializers(whole.subarray(0, length)), String(length)).toThrow('cut off');
    }
    expect(() => floatInitializers(whole.subarray(0, 2))).toThrow('no graph');
  });

  it('are refused where a number has no end, or a field is a group', () => {
    expect(() => floatInitializers(new Uint8Array(20).fill(0xff))).toThrow('cut off');
    expect(() => floatInitializers(Uint8Array.of(0x0b, 0x0c))).toThrow('cut off');
  });
});
