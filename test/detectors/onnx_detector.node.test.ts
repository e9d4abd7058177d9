import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-web/wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DetectedBox, View } from '../../src/detectors/detector.ts';
import { type ManifestInput, parseManifest } from '../../src/detectors/manifest.ts';
import { openOnnxDetector } from '../../src/detectors/onnx_detector.ts';
import type { OnnxRuntime } from '../../src/detectors/onnx_runtime.ts';
import { searchViews } from '../../src/detectors/search.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { mapNetwork, trainedOn, yoloNetwork } from '../fixtures/onnx_networks.ts';
import { onnxFile } from '../fixtures/onnx_writer.ts';
import { seededRandom } from '../fixtures/random.ts';
import { rasterOf } from '../fixtures/raster.ts';

const runtime = ort as unknown as OnnxRuntime;

beforeAll(() => {
  const wasm = readFileSync('node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm');
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = new Uint8Array(wasm).buffer;
});

const random = seededRandom(380);

/** Red things on other colours: what both networks learn. */
const red = trainedOn(
  Array.from({ length: 400 }, () => {
    const [r, g, b] = [random(), random(), random()];
    return [r, g, b, r > 0.7 && g < 0.35 && b < 0.35] as const;
  }),
);

/** Grey-blue, with red squares at these places. */
function picture(
  width: number,
  height: number,
  side: number,
  places: readonly (readonly [number, number])[],
) {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < pixels.length; at += 4) pixels.set([90, 110, 130, 255], at);
  for (const [left, top] of places) {
    for (let y = top; y < top + side; y++) {
      for (let x = left; x < left + side; x++) pixels.set([230, 20, 30, 255], (y * width + x) * 4);
    }
  }
  return { width, height, pixels };
}

const viewOf = ({ width, height, pixels }: ReturnType<typeof picture>): View => ({
  width,
  height,
  data: new Uint8ClampedArray(pixels),
});

const places = (boxes: readonly DetectedBox[]) =>
  boxes.map(({ x, y, w, h }) => [x, y, w, h].map(Math.round)).sort(([a], [b]) => a! - b!);

const yolo: ManifestInput = {
  name: 'red',
  kinds: ['red'],
  views: [{ tiles: 64, overlap: 32 }],
  input: { width: 64, height: 64, scale: 1 / 255 },
  output: { head: 'yolov8', threshold: 0.5 },
};

it('runs a network with a YOLO head over tiles', async () => {
  const detector = await openOnnxDetector(parseManifest(yolo, 'red'), yoloNetwork(red, 64, 8), runtime);
  const raster = rasterOf(
    picture(160, 96, 8, [
      [24, 40],
      [136, 80],
    ]),
  );
  const found = await searchViews(raster, detector, 0.6, uninterrupted);
  expect(places(found)).toEqual([
    [24, 40, 8, 8],
    [136, 80, 8, 8],
  ]);
  expect(detector.memory).toBeGreaterThan(64 * 64 * 12);
  await detector.release();
});

it('runs a network that gives a map, on inputs of any size', async () => {
  const manifest: ManifestInput = {
    name: 'stains',
    kinds: ['stain'],
    views: [{ whole: 256 }],
    input: { multiple: 4, scale: 1 / 255 },
    output: { head: 'map', threshold: 0.5 },
  };
  const detector = await openOnnxDetector(parseManifest(manifest, 'stains'), mapNetwork(red, 4), runtime);
  const found = await searchViews(
    rasterOf(
      picture(250, 90, 20, [
        [40, 20],
        [200, 60],
      ]),
    ),
    detector,
    0.5,
    uninterrupted,
  );
  expect(places(found)).toEqual([
    [40, 20, 20, 20],
    [200, 60, 20, 20],
  ]);
  const calls = [1, 2, 3].map(() => detector.detect(viewOf(picture(60, 60, 20, [[8, 8]]))));
  // Calls beside each other wait for one another.
  for (const boxes of await Promise.all(calls)) expect(places(boxes)).toEqual([[8, 8, 20, 20]]);
});

describe('refuses', () => {
  const open = (changes: object, model = yoloNetwork(red, 64, 8)) =>
    openOnnxDetector(parseManifest({ ...yolo, ...changes }, 'red'), model, runtime);

  it.each([
    [
      'an input of another name',
      { input: { ...yolo.input, name: 'picture' } },
      /one input, picture, but the model has images/,
    ],
    ['an input of another size', { input: { ...yolo.input, width: 96, height: 96 } }, /Detector red/],
    ['more classes than it has', { kinds: ['red', 'green'] }, /shape \[1, 6, n\].*\[1, 5, 64\]/],
    ['another head', { output: { head: 'yunet' } }, /Expected output cls_8 but the model has output0/],
  ])('%s', async (_, changes, message) => {
    await expect(open(changes)).rejects.toThrow(message);
  });

  it('a model that is cut off, none, and one that onnxruntime does not run', async () => {
    const whole = yoloNetwork(red, 64, 8);
    await expect(open({}, whole.subarray(0, whole.length >> 1))).rejects.toThrow(/Expected an ONNX model/);
    await expect(open({}, new Uint8Array())).rejects.toThrow(/empty/);
    const unknown = onnxFile({
      inputs: { images: [1, 3, 64, 64] },
      outputs: { output0: [1, 5, 64] },
      nodes: [{ operator: 'NoSuchOperator', inputs: ['images'], outputs: ['output0'] }],
    });
    await expect(open({}, unknown)).rejects.toThrow(/onnxruntime runs but it says/);
    // The next one is opened.
    await (await open({})).release();
  });
});

it('our own face network gives the same boxes as its outputs say', async () => {
  const manifest = parseManifest(
    {
      name: 'faces',
      kinds: ['face'],
      sameBox: 0.45,
      input: { name: 'image', multiple: 32 },
      output: { head: 'boxes', boxes: 'boxes', scores: 'scores', threshold: 0.05 },
    },
    'faces',
  );
  const bytes = readFileSync('models/face_detector.onnx');
  const detector = await openOnnxDetector(manifest, bytes, runtime);
  const noise = picture(128, 96, 8, [[24, 40]]);
  for (let at = 0; at < noise.pixels.length; at++) if (at % 4 !== 3) noise.pixels[at] = random() * 256;
  const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4 });
  const planes = new Float32Array(3 * 128 * 96);
  for (let at = 0; at < 128 * 96; at++) {
    for (let c = 0; c < 3; c++) planes[c * 128 * 96 + at] = noise.pixels[at * 4 + c]!;
  }
  const { boxes, scores } = await session.run({ image: new ort.Tensor('float32', planes, [1, 3, 96, 128]) });
  const best = Math.max(...(scores!.data as Float32Array));
  const found = await detector.detect(viewOf(noise));
  if (best < 0.05) expect(found).toEqual([]);
  else {
    const at = (scores!.data as Float32Array).indexOf(best);
    const [x1, y1, x2, y2] = (boxes!.data as Float32Array).subarray(4 * at, 4 * at + 4);
    expect(found[0]!.confidence).toBeCloseTo(best, 5);
    expect([found[0]!.x, found[0]!.y, found[0]!.x + found[0]!.w, found[0]!.y + found[0]!.h]).toEqual(
      [x1, y1, x2, y2].map((value) => expect.closeTo(value!, 3)),
    );
  }
});
