import { readFileSync } from 'node:fs';
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { describe, expect, it } from 'vitest';
import { cutAt, featureBytes } from '../../src/faces/model.ts';
import { modelParts } from '../../src/faces/model_parts.ts';
import { faceTensors } from '../fixtures/face_tensors.ts';

const weights = new Uint8Array(readFileSync('models/face_detector.onnx'));
const runtime = readFileSync('node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm');
env.wasm.numThreads = 1;
env.wasm.wasmBinary = runtime.buffer.slice(runtime.byteOffset, runtime.byteOffset + runtime.byteLength);

describe('the parts of the face model', () => {
  it('say one after the other exactly what the whole says', async () => {
    const { first, second } = modelParts(weights, cutAt);
    const [whole, features, heads] = await Promise.all(
      [weights, first, second].map((model) => InferenceSession.create(model)),
    );
    for (const { image, width, height } of faceTensors()) {
      const input = new Tensor('float32', image, [1, 3, height, width]);
      const middle = await features!.run({ image: input });
      expect((middle[cutAt]!.data as Float32Array).byteLength).toBe(featureBytes(width * height));
      const [ours, theirs] = [await heads!.run(middle), await whole!.run({ image: input })];
      expect(ours.scores!.data).toEqual(theirs.scores!.data);
      expect(ours.boxes!.data).toEqual(theirs.boxes!.data);
    }
  });

  it('share no weights: together they are hardly longer than the whole', () => {
    const { first, second } = modelParts(weights, cutAt);
    expect(Math.abs(first.length + second.length - weights.length)).toBeLessThan(1000);
  });

  it('need a tensor that all after it is made of', () => {
    expect(() => modelParts(weights, 'no such tensor')).toThrow('no such tensor is missing');
    // One of the three levels that the heads read.
    const level = /\/model\/\w*16\/[\w./]*Relu_output_0/.exec(new TextDecoder('latin1').decode(weights))![0];
    expect(() => modelParts(weights, level)).toThrow('cannot be cut');
  });

  it('are not made of a file that is cut off, wherever that is', () => {
    for (let length = weights.length - 1; length > 0; length -= 30_011) {
      expect(() => modelParts(weights.subarray(0, length), cutAt)).toThrow(/cut off|no graph/);
    }
    expect(() => modelParts(new Uint8Array(), cutAt)).toThrow('no graph');
  });
});
