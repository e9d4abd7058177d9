import { readFileSync } from 'node:fs';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { onnxFaceModels } from '../../src/detectors/face_models.ts';
import { importedRuntime } from '../../src/detectors/imported_runtime.ts';
import { createFaceDetector } from '../../src/faces/detector.ts';
import { faceNetworks } from '../../src/faces/network/face_networks.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { faceTensors, integerTolerance } from '../fixtures/face_tensors.ts';
import { rasterOf } from '../fixtures/raster.ts';

const read = (name: string) => new Uint8Array(readFileSync(`models/${name}.onnx`)).buffer;
const [own, theirs] = [read('face_detector'), read('yunet_n')];
const inCore = faceNetworks(
  async () => own,
  async () => theirs,
);
const runtime = importedRuntime(wasm);
const onRuntime = onnxFaceModels(own, theirs, runtime, inCore.verifier.workspaceBytes);

describe.each(['network', 'tileNetwork'] as const)('%s', (name) => {
  it.each(faceTensors())('says on onnxruntime what it says in the core of $name', async (tensor) => {
    const { width, height, image: values } = tensor;
    const bytes = inCore[name].workspaceBytes(width, height);
    using core = createCore();
    const workspace = { core, at: core.alloc(bytes), bytes };
    const at = core.alloc(values.byteLength);
    const image = new Float32Array(core.exports.memory.buffer as ArrayBuffer, at, values.length);
    image.set(values);
    const there = await onRuntime[name].run(workspace, image, width, height);
    const here = await inCore[name].run(workspace, image, width, height);
    expect(there.scores).toHaveLength(here.scores.length);
    const { score: mostScore, pixels, ofSide } = integerTolerance;
    for (const [i, score] of here.scores.entries())
      expect(Math.abs(there.scores[i]! - score)).toBeLessThanOrEqual(mostScore);
    for (const [i, side] of here.boxes.entries()) {
      // Where there is surely no face the core makes no box.
      if (here.scores[i >> 2] === 0) continue;
      const [left, top, right, bottom] = there.boxes.subarray(i & ~3);
      const most = pixels + ofSide * Math.max(right! - left!, bottom! - top!);
      expect(Math.abs(there.boxes[i]! - side)).toBeLessThanOrEqual(most);
    }
  });
});

it('a search finds the same faces on onnxruntime as in the core', async () => {
  const people = [40, 100, 200].map((h, i) => ({ x: 60 + 220 * i, y: 150, w: 0.76 * h, h }));
  const picture = rasterOf(drawPeople(800, 600, people));
  const options = { confidence: 0.6, effort: 'thorough', slice: uninterrupted } as const;
  const [here, there] = await Promise.all(
    [inCore, { ...inCore, ...onRuntime }].map(({ network, verifier, tileNetwork }) =>
      createFaceDetector(network, verifier, tileNetwork).detect(picture, options),
    ),
  );
  expect(here!.faces.length).toBeGreaterThan(1);
  expect(there!.passes).toBe(here!.passes);
  expect(there!.faces).toHaveLength(here!.faces.length);
  for (const [i, face] of here!.faces.entries()) {
    for (const member of ['x', 'y', 'w', 'h'] as const) {
      expect(Math.abs(there!.faces[i]![member] - face[member])).toBeLessThan(0.1);
    }
    expect(there!.faces[i]!.confidence).toBeCloseTo(face.confidence, 2);
  }
});

it('opens nothing before what was to come first', async () => {
  const order: string[] = [];
  const watched = {
    ...runtime,
    InferenceSession: {
      create: async () => {
        order.push('open');
        throw new Error('no memory');
      },
    },
  };
  const before = async () => void order.push('before');
  const { network } = onnxFaceModels(own, theirs, watched, 0, before);
  await expect(network.run(undefined as never, new Float32Array(3072), 32, 32)).rejects.toThrow('no memory');
  expect(order).toEqual(['before', 'open']);
});
