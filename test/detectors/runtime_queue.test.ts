import { expect, it } from 'vitest';
import { parseManifest } from '../../src/detectors/manifest.ts';
import { openOnnxDetector } from '../../src/detectors/onnx_detector.ts';
import type { OnnxRuntime } from '../../src/detectors/onnx_runtime.ts';
import { oneAfterAnother } from '../../src/detectors/runtime_queue.ts';
import { stains } from '../fixtures/onnx_networks.ts';

/** A runtime whose sessions answer with an empty map, and tell how many work at one time. */
function watchedRuntime() {
  const watched = { working: 0, most: 0 };
  const work = async <T>(answer: T) => {
    watched.most = Math.max(watched.most, ++watched.working);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    watched.working--;
    return answer;
  };
  const empty = { dims: [1, 1, 8, 8], data: new Float32Array(64) };
  const session = { inputNames: ['images'], outputNames: ['scores'], run: () => work({ scores: empty }) };
  const runtime: OnnxRuntime = {
    Tensor: class {} as OnnxRuntime['Tensor'],
    InferenceSession: { create: () => work(session) },
  };
  return { runtime, watched };
}

it('sessions of one runtime never work at one time: they share a stack', async () => {
  const { runtime, watched } = watchedRuntime();
  const model = stains.model();
  const open = (name: string) => {
    const manifest = { name, kinds: [name], views: [{ whole: 32 }], output: { head: 'map' } };
    return openOnnxDetector(parseManifest(manifest, name), model, { ...runtime });
  };
  const detectors = await Promise.all([open('one'), open('two')]);
  const view = { width: 32, height: 32, data: new Uint8ClampedArray(32 * 32 * 4) };
  await Promise.all(detectors.flatMap((detector) => [detector.detect(view), detector.detect(view)]));
  expect(watched).toEqual({ working: 0, most: 1 });
});

it('work goes on after other work has failed', async () => {
  const { runtime } = watchedRuntime();
  const failing = oneAfterAnother(runtime, () => Promise.reject(new Error('no')));
  const next = oneAfterAnother(runtime, async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
