// Face detection: making the session, one pass of the model, and whole searches on photographs that are
// decoded already.
import '../../scripts/plain_node.mjs';
import { photoSizes } from './photos.ts';
import { megabytes, ms, race } from './timing.ts';

// After the hooks: these load the model and WebAssembly.
const { createFaceDetector } = await import('../../src/faces/detector.ts');
const { drawPeople } = await import('../fixtures/drawn_face.ts');
const { rasterOf } = await import('../fixtures/raster.ts');
const { totalBytes } = await import('../../src/memory/memory_cost.ts');
const { planDetection } = await import('../../src/faces/detection_plan.ts');
const { faceSession } = await import('../../src/faces/session.ts');

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

const start = performance.now();
const session = await faceSession();
console.log(`session: ${ms(performance.now() - start)}, runtime heap ${megabytes(session.heapBytes)}`);

const image = new Float32Array(3 * 640 * 640).map((_, i) => (i * 7919) % 256);
const passes = await race(
  {
    '640 × 640': () => session.run(image, 640, 640),
    '736 × 544': () => session.run(image.subarray(0, 3 * 736 * 544), 736, 544),
    '224 × 192': () => session.run(image.subarray(0, 3 * 224 * 192), 224, 192),
  },
  ROUNDS * 3,
);
for (const [size, time] of Object.entries(passes)) console.log(`one pass, ${size}: ${ms(time)}`);
console.log(`runtime heap after them: ${megabytes(session.heapBytes)}`);

const detector = createFaceDetector(async () => session);
for (const megapixels of [1, 12, 24]) {
  const [width, height] = photoSizes[megapixels]!;
  const photo = photograph(width, height);
  const { fine } = planDetection(photo);
  const tiles = fine ? fine.lefts.length * fine.tops.length : 0;
  const options = { confidence: 0.6, effort: 'thorough' } as const;
  const { faces, passes } = await detector.detect(photo, options);
  const times = await race(
    {
      thorough: () => detector.detect(photo, options),
      coarse: () => detector.detect(photo, { ...options, effort: 'coarse' }),
    },
    ROUNDS,
  );
  console.log(
    `${megapixels} MP: thorough ${ms(times.thorough)} (${faces.length} of 5 faces, ${tiles} tiles, ${passes} passes), ` +
      `coarse ${ms(times.coarse)}; counted ${megabytes(totalBytes(detector.cost(photo)))}`,
  );
}
console.log(`runtime heap in the end: ${megabytes(session.heapBytes)}`);
