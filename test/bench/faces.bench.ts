// Face detection: the network beside onnxruntime-web on the same weights, in turns in one run, and whole
// searches on photographs that are decoded already.
import { readFileSync } from 'node:fs';
import '../../scripts/plain_node.mjs';
import { openReferenceModel } from '../fixtures/reference_model.ts';
import { photoSizes } from './photos.ts';
import { megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load the model and WebAssembly.
const { createFaceDetector } = await import('../../src/faces/detector.ts');
const { drawPeople } = await import('../fixtures/drawn_face.ts');
const { rasterOf } = await import('../fixtures/raster.ts');
const { totalBytes } = await import('../../src/memory/memory_cost.ts');
const { planDetection } = await import('../../src/faces/detection_plan.ts');
const { isolateNetworks } = await import('../../src/faces/isolate_detector.ts');
const { network: isolateNetwork, tileNetwork } = isolateNetworks;
const { isolateReadable } = await import('../../src/readable/isolate_detector.ts');
const { createCore } = await import('../../src/core/instance.ts');

const ROUNDS = 5;

/** Five people of 40 to 400 pixels. */
function photograph(width: number, height: number) {
  const people = [40, 64, 100, 200, 400].map((h, i) => ({
    x: (0.1 + 0.15 * i) * width,
    y: 0.3 * height,
    w: 0.76 * h,
    h,
  }));
  return rasterOf(drawPeople(width, height, people));
}

const reference = await openReferenceModel(readFileSync('models/face_detector.onnx'));
for (const [width, height] of [
  [640, 640],
  [736, 544],
  [224, 192],
] as const) {
  const bytes = isolateNetwork.workspaceBytes(width, height);
  using core = createCore();
  const workspace = { core, at: core.alloc(bytes), bytes };
  const values = Float32Array.from({ length: 3 * width * height }, (_, i) => (i * 7919) % 256);
  const at = core.alloc(values.byteLength);
  const image = new Float32Array(core.exports.memory.buffer as ArrayBuffer, at, values.length);
  const { ours, theirs } = await race(
    {
      ours: () => {
        image.set(values);
        return isolateNetwork.run(workspace, image, width, height);
      },
      theirs: () => reference.run(values, width, height),
    },
    ROUNDS * 3,
  );
  console.log(
    `one pass, ${width} × ${height}: ${ms(ours)}, onnxruntime-web ${ms(theirs)}, ${ratio(ours, theirs)}; ` +
      `workspace ${megabytes(bytes)}, onnxruntime-web's heap ${megabytes(reference.heapBytes())}`,
  );
}

const detector = createFaceDetector(isolateNetwork, undefined, tileNetwork);
for (const megapixels of [1, 12, 24]) {
  const [width, height] = photoSizes[megapixels]!;
  const photo = photograph(width, height);
  const { fine } = planDetection(photo);
  const tiles = fine ? fine.lefts.length * fine.tops.length : 0;
  const options = { confidence: 0.6, effort: 'thorough' } as const;
  const { faces, passes } = await detector.detect(photo, options);
  const least = new Map([
    ['text', 0.5],
    ['plate', 0.5],
  ] as const);
  const times = await race(
    {
      thorough: () => detector.detect(photo, options),
      readable: () => isolateReadable.read(photo, { least, effort: 'thorough' }),
      oneRead: () => detector.detect(photo, { ...options, effort: 'one_read' }),
    },
    ROUNDS,
  );
  console.log(
    `${megapixels} MP: thorough ${ms(times.thorough)} (${faces.length} of 5 faces, ${tiles} tiles, ${passes} passes), ` +
      `one read ${ms(times.oneRead)}; counted ${megabytes(totalBytes(detector.cost(photo)))}; ` +
      `text and plates ${ms(times.readable)}, ${ratio(times.readable, times.thorough)}, ` +
      `counted ${megabytes(totalBytes(isolateReadable.cost(photo)))}`,
  );
}
