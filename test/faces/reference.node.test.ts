import { readFileSync } from 'node:fs';
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { expect, it } from 'vitest';
import { type FaceReference, faceTensors, summarise } from '../fixtures/face_tensors.ts';

/**
 * Runs the model as onnxruntime-web documents it, in plain Node, with none of the project's own code. What it
 * says is kept in reference.json, which the Workers runtime is held to. Renew it with `vitest run -u` on this
 * file.
 */
it('the model in plain Node gives what reference.json holds', async () => {
  const runtime = readFileSync('node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm');
  env.wasm.numThreads = 1;
  env.wasm.wasmBinary = runtime.buffer.slice(runtime.byteOffset, runtime.byteOffset + runtime.byteLength);
  const session = await InferenceSession.create(readFileSync('models/face_detector.onnx'));
  const reference: FaceReference = {};
  for (const { name, image, width, height } of faceTensors()) {
    const { boxes, scores } = await session.run({
      image: new Tensor('float32', image, [1, 3, height, width]),
    });
    reference[name] = summarise(boxes!.data as Float32Array, scores!.data as Float32Array);
  }
  // One candidate a line.
  const text = JSON.stringify(reference, null, 2).replace(/\[[\s\d.,-]+\]/g, (list) =>
    list.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim()),
  );
  await expect(`${text}\n`).toMatchFileSnapshot('./reference.json');
});
