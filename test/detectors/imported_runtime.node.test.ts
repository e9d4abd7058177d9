import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { expect, it } from 'vitest';
import { importedRuntime } from '../../src/detectors/imported_runtime.ts';
import { parseManifest } from '../../src/detectors/manifest.ts';
import { openOnnxDetector } from '../../src/detectors/onnx_detector.ts';
import { stains } from '../fixtures/onnx_networks.ts';

const runtime = importedRuntime(wasm);

/** Finds what is red, and a picture that it sees whole. */
async function openRed() {
  const manifest = { name: 'red', kinds: ['red'], views: [{ whole: 512 }], output: { head: 'map' } };
  const model = stains.model();
  const detector = await openOnnxDetector(parseManifest(manifest, 'red'), model, runtime);
  const view = { width: 512, height: 512, data: new Uint8ClampedArray(512 * 512 * 4) };
  return { detector, view };
}

it('tells the runtime’s memory, of which 200 runs hold no more than the first', async () => {
  expect(runtime.heapBytes).toBe(0);
  const { detector, view } = await openRed();
  // Three floats of a pixel, and a sixteenth of one.
  expect(detector.tensorBytes).toBe(512 * 512 * (3 + 1 / 16) * 4);
  const before = runtime.heapBytes;
  expect(before).toBeGreaterThan(detector.tensorBytes);
  for (let run = 0; run < 200; run++) await detector.detect(view);
  expect(runtime.heapBytes).toBe(before);
});

it('a run’s arrays are freed with it: those of a large picture were more than an isolate has', async () => {
  const { detector, view } = await openRed();
  const held = () => process.memoryUsage().arrayBuffers;
  const before = held();
  let most = 0;
  for (let run = 0; run < 40; run++) {
    await detector.detect(view);
    most = Math.max(most, held() - before);
  }
  expect(most).toBeLessThan(2 * detector.tensorBytes);
});
