import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { readingNetwork } from '../../src/readable/reading_network.ts';
import { noisePicture } from '../fixtures/raster.ts';
import { openOutputs } from '../fixtures/reference_model.ts';

const file = readFileSync('models/readable_detector.onnx');
const network = readingNetwork(async () => new Uint8Array(file).buffer);

describe('readable_detector, beside onnxruntime-web', async () => {
  const reference = await openOutputs(file);

  /** The largest difference of both models' answers; the workspace is full of what must not matter. */
  async function expectSame(values: Float32Array, width: number, height: number) {
    const bytes = network.workspaceBytes(width, height);
    using core = createCore();
    const workspace = { core, at: core.alloc(bytes), bytes };
    const at = core.alloc(values.byteLength);
    core.view(workspace.at, bytes).fill(0xff);
    const image = new Float32Array(core.exports.memory.buffer as ArrayBuffer, at, values.length);
    image.set(values);
    const ours = await network.run(workspace, image, width, height);
    const { maps } = await reference({ image: { data: values, dims: [1, 3, height, width] } });
    const cells = ours.width * ours.height;
    expect([1, 2, ours.height, ours.width]).toEqual(maps!.dims);
    let most = 0;
    for (let cell = 0; cell < cells; cell++) {
      for (const kind of [0, 1]) {
        most = Math.max(most, Math.abs(ours.values[2 * cell + kind]! - maps!.data[kind * cells + cell]!));
      }
    }
    // Within what rounding to 16 bits makes of it: 0.0015 over these.
    expect(most).toBeLessThanOrEqual(3e-3);
    return ours;
  }

  it('says the same of noise of any shape', async () => {
    const side = fc.integer({ min: 1, max: 8 }).map((count) => count * 32);
    await fc.assert(
      fc.asyncProperty(side, side, fc.integer({ min: 1, max: 255 }), async (width, height, seed) => {
        const { pixels } = noisePicture(width, height, seed);
        const plane = width * height;
        const values = Float32Array.from(
          { length: 3 * plane },
          (_, i) => pixels[(i % plane) * 4 + Math.floor(i / plane)]!,
        );
        await expectSame(values, width, height);
      }),
      { numRuns: 12, seed: 1 },
    );
  });

  it.each([
    [32, 640],
    [640, 32],
    [320, 256],
  ])('says the same of bars in %i × %i, and not one value everywhere', async (width, height) => {
    const values = Float32Array.from({ length: 3 * width * height }, (_, i) => (i % 29 < 3 ? 20 : 235));
    const { values: ours } = await expectSame(values, width, height);
    expect(new Set(ours).size).toBeGreaterThan(10);
  });
});
