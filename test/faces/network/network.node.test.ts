import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import type { Candidates } from '../../../src/faces/network/candidates.ts';
import { faceNetworks } from '../../../src/faces/network/face_networks.ts';
import { faceTensors, integerTolerance } from '../../fixtures/face_tensors.ts';
import { noisePicture } from '../../fixtures/raster.ts';
import { openReferenceModel } from '../../fixtures/reference_model.ts';

const read = (name: string) => readFileSync(`models/${name}.onnx`);
const { network: whole, tileNetwork } = faceNetworks(
  async () => new Uint8Array(read('face_detector')).buffer,
  async () => new Uint8Array(read('yunet_n')).buffer,
);

describe.each([
  ['face_detector', whole],
  ['yunet_n', tileNetwork],
])('%s, beside onnxruntime-web', async (file, network) => {
  const reference = await openReferenceModel(read(file));

  /** Both models' answers to one picture; the network's workspace is full of what must not matter. */
  async function both(values: Float32Array, width: number, height: number) {
    const bytes = network.workspaceBytes(width, height);
    using core = createCore();
    const workspace = { core, at: core.alloc(bytes), bytes };
    const at = core.alloc(values.byteLength);
    core.view(workspace.at, bytes).fill(0xff);
    const image = new Float32Array(core.exports.memory.buffer as ArrayBuffer, at, values.length);
    image.set(values);
    const ours = await network.run(workspace, image, width, height);
    return { ours, theirs: await reference.run(values, width, height) };
  }

  /** Within what rounding to 16 bits makes of it; most cells say next to nothing, all the same. */
  function expectSame(ours: Candidates, theirs: Candidates): void {
    const { score: mostScore, pixels, ofSide } = integerTolerance;
    expect(ours.scores).toHaveLength(theirs.scores.length);
    expect(ours.boxes).toHaveLength(theirs.boxes.length);
    let sum = 0;
    for (const [i, score] of theirs.scores.entries()) {
      const error = Math.abs(ours.scores[i]! - score);
      expect(error).toBeLessThanOrEqual(mostScore);
      sum += error;
    }
    expect(sum / theirs.scores.length).toBeLessThanOrEqual(2e-4);
    for (const [i, side] of theirs.boxes.entries()) {
      // Where there is surely no face there is no box.
      if (ours.scores[i >> 2] === 0) continue;
      const [left, top, right, bottom] = theirs.boxes.subarray(i & ~3);
      const most = pixels + ofSide * Math.max(right! - left!, bottom! - top!);
      expect(Math.abs(ours.boxes[i]! - side)).toBeLessThanOrEqual(most);
    }
  }

  it.each(faceTensors())('says the same of $name', async ({ name, image, width, height }) => {
    const { ours, theirs } = await both(image, width, height);
    expectSame(ours, theirs);
    expect(Math.max(...theirs.scores)).toBeGreaterThan(name.startsWith('noise') ? 0 : 0.8);
  });

  it('says the same of noise of any shape', async () => {
    const side = fc.integer({ min: 1, max: 9 }).map((count) => count * 32);
    await fc.assert(
      fc.asyncProperty(side, side, fc.integer({ min: 1, max: 255 }), async (width, height, seed) => {
        const { pixels } = noisePicture(width, height, seed);
        const values = Float32Array.from({ length: 3 * width * height }, (_, i) => {
          const plane = width * height;
          return pixels[(i % plane) * 4 + Math.floor(i / plane)]!;
        });
        const { ours, theirs } = await both(values, width, height);
        expectSame(ours, theirs);
      }),
      { numRuns: 12, seed: 1 },
    );
  });

  it.each([
    [32, 640],
    [640, 32],
  ])(
    'says the same of a strip of %i × %i, black on one side and white on the other',
    async (width, height) => {
      const values = Float32Array.from({ length: 3 * width * height }, (_, i) =>
        i % width < width / 2 ? 0 : 255,
      );
      const { ours, theirs } = await both(values, width, height);
      expectSame(ours, theirs);
    },
  );
});
