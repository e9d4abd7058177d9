import { readFileSync } from 'node:fs';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { describe, expect, it } from 'vitest';
import { type BuiltDetector, deployedDetectors, heldBytes } from '../../src/detectors/deployed.ts';
import { importedRuntime } from '../../src/detectors/imported_runtime.ts';
import { parseManifest } from '../../src/detectors/manifest.ts';
import { mapNetwork, yoloNetwork } from '../fixtures/onnx_networks.ts';

const red = { channels: [30, -30, -30], bias: -10 } as const;

const runtime = importedRuntime(wasm);

const built = (name: string, model: Uint8Array, more: object): BuiltDetector => ({
  manifest: parseManifest({ name, kinds: [name], ...more }, name),
  model: new Uint8Array(model).buffer,
  sha256: '0'.repeat(64),
  tensorBytes: 1234,
  passMs: 7,
});
const stains = () =>
  built('stains', mapNetwork(red, 4), {
    kinds: ['stain'],
    views: [{ whole: 128 }],
    input: { multiple: 4, scale: 1 / 255 },
    output: { head: 'map', threshold: 0.5 },
  });
const plates = () =>
  built('plates', yoloNetwork(red, 64, 8), {
    input: { width: 64, height: 64, scale: 1 / 255 },
    output: { head: 'yolov8', threshold: 0.5 },
  });

/** White, with a red square of 16 pixels at (16, 32). */
function marked() {
  const data = new Uint8ClampedArray(64 * 64 * 4).fill(255);
  for (let y = 32; y < 48; y++) {
    for (let x = 16; x < 32; x++) data.set([220, 10, 10], (y * 64 + x) * 4);
  }
  return { width: 64, height: 64, data };
}

describe('deployedDetectors', () => {
  it('tells of detectors before any is opened, and finds by them', async () => {
    const { detectors } = deployedDetectors([stains(), plates()], runtime);
    expect(detectors).toMatchObject([
      { name: 'stains', kinds: ['stain'], memory: 1234, sha256: '0'.repeat(64), views: [{ whole: 128 }] },
      { name: 'plates', kinds: ['plates'], memory: 1234, passMs: 7 },
    ]);
    expect(await detectors[0]!.detect(marked())).toMatchObject([{ x: 16, y: 32, w: 16, h: 16 }]);
    expect(await detectors[1]!.detect(marked())).toHaveLength(4);
    expect(runtime.heapBytes).toBeGreaterThan(0);
  });

  it('tries again, with nothing left open, where one could not be opened', async () => {
    let opened = 0;
    let isWell = false;
    const failing = {
      ...runtime,
      InferenceSession: {
        create: async (model: Uint8Array) => {
          if (!isWell && opened === 1) throw new Error('no memory');
          const session = await runtime.InferenceSession.create(model);
          opened++;
          return Object.assign(session, { release: async () => void opened-- });
        },
      },
    };
    const [first] = deployedDetectors([stains(), plates()], failing).detectors;
    await expect(first!.detect(marked())).rejects.toThrow('no memory');
    expect(opened).toBe(0);
    isWell = true;
    expect(await first!.detect(marked())).toHaveLength(1);
    expect(opened).toBe(2);
  });
});

it('an isolate holds the runtime’s code and heap, and every model', () => {
  const models = [new ArrayBuffer(1000), new ArrayBuffer(24)];
  expect(heldBytes(models, 5000) - heldBytes([], 0)).toBe(6024);
  const path = 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm';
  expect(heldBytes([], 0)).toBeGreaterThan(readFileSync(path).length);
});
