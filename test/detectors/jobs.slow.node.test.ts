import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { expect, it } from 'vitest';
import { isolateMemoryPool } from '../../src/core/memory_pool.ts';
import { deployedDetectors } from '../../src/detectors/deployed.ts';
import { importedRuntime } from '../../src/detectors/imported_runtime.ts';
import { parseManifest } from '../../src/detectors/manifest.ts';
import { faceDetector } from '../../src/faces/isolate_detector.ts';
import { isolateBudget } from '../../src/memory/budget.ts';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { sanitize } from '../../src/sanitize/sanitize.ts';
import { mapNetwork } from '../fixtures/onnx_networks.ts';
import { sampleFile } from '../fixtures/samples.ts';

const MEGABYTE = 1024 * 1024;

it('200 jobs with a detector, four at a time, hold no more memory than the first ten', async () => {
  const runtime = importedRuntime(wasm);
  const manifest = { name: 'red', kinds: ['red'], views: [{ tiles: 256 }], output: { head: 'map' } };
  const built = {
    manifest: parseManifest(manifest, 'red'),
    model: new Uint8Array(mapNetwork({ channels: [0.1, -0.1, -0.1], bias: -10 }, 4)).buffer,
    sha256: '',
    tensorBytes: MEGABYTE,
    passMs: 1,
  };
  const { detectors } = deployedDetectors([built], runtime);
  const budget = isolateBudget(100 * MEGABYTE, 16);
  const pixels = new Uint8Array(600 * 400 * 4).fill(255);
  for (let y = 96; y < 160; y++) {
    for (let x = 200; x < 264; x++) pixels.set([230, 5, 5], (y * 600 + x) * 4);
  }
  const image = await sampleFile('png', { width: 600, height: 400, pixels });
  const ops = sanitizeOpsSchema.parse({ pixelate: { faces: false, detectors: { red: true } } });
  const job = async () => {
    const file = Uint8Array.from(image);
    const { report } = await sanitize(file, ops, { budget, detector: faceDetector, detectors });
    expect(report.detected!.length).toBeGreaterThan(0);
  };
  const jobs = async (count: number) => {
    const clients = Array.from({ length: 4 }, async (_, client) => {
      for (let at = client; at < count; at += 4) await job();
    });
    await Promise.all(clients);
  };
  const held = () => ({
    runtime: runtime.heapBytes,
    cores: isolateMemoryPool.usedBytes + isolateMemoryPool.idleBytes,
    reserved: budget.capacity - budget.freeBytes,
  });
  await jobs(10);
  const before = held();
  expect(before).toMatchObject({ reserved: 0, runtime: expect.toSatisfy((bytes) => bytes > 0) });
  await jobs(200);
  const after = held();
  expect(after).toMatchObject({ runtime: before.runtime, reserved: 0 });
  expect(after.cores).toBeLessThanOrEqual(before.cores);
});
