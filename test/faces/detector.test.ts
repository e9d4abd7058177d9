import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Raster } from '../../src/codecs/types.ts';
import { overlap } from '../../src/faces/boxes.ts';
import { createFaceDetector } from '../../src/faces/detector.ts';
import { faceDetector } from '../../src/faces/isolate_detector.ts';
import { calibrated, judged, logit } from '../../src/faces/model.ts';
import type { FaceModel } from '../../src/faces/network/network.ts';
import { decodingFault } from '../../src/faults.ts';
import { totalBytes } from '../../src/memory/memory_cost.ts';
import { drawPeople, type FaceBox, peopleRaster, rotatePicture } from '../fixtures/drawn_face.ts';
import { rasterOf, stripsOf } from '../fixtures/raster.ts';
import { crowdFinder, redFinder, redRaster } from '../fixtures/red_finder.ts';

const thorough = { confidence: 0.6, effort: 'thorough' } as const;
const faceOf = (x: number, y: number, h: number): FaceBox => ({ x, y, w: h * 0.76, h });

describe('detect, with the model', () => {
  it.each([
    ['of 20 pixels', 320, 240, faceOf(200, 100, 20)],
    ['of 60 pixels', 320, 240, faceOf(40, 60, 60)],
    ['of 200 pixels', 480, 480, faceOf(150, 100, 200)],
    ['that fills the picture', 700, 900, faceOf(30, 30, 840)],
    ['of 24 pixels in 12 megapixels', 4000, 3000, faceOf(2750, 1810, 24)],
    ['across the border of two tiles', 1920, 1080, faceOf(1180, 500, 90)],
  ])('finds one face %s, where it is', async (_, width, height, face) => {
    const { faces } = await faceDetector.detect(peopleRaster(width, height, [face]), thorough);
    expect(overlap(faces[0]!, face)).toBeGreaterThan(0.6);
    // From afar a head with its shoulders may pass for a face of its own, around the one that is there.
    const [x, y] = [face.x + face.w / 2, face.y + face.h / 2];
    for (const f of faces) expect(f.x < x && f.x + f.w > x && f.y < y && f.y + f.h > y).toBe(true);
    expect(faces.length).toBeLessThanOrEqual(width * height > 10e6 ? 2 : 1);
  });

  it('finds several, the most confident first, and honours the confidence asked for', async () => {
    const people = [faceOf(60, 60, 40), faceOf(200, 80, 80), faceOf(400, 60, 120), faceOf(60, 220, 30)];
    const raster = peopleRaster(560, 320, people);
    const { faces } = await faceDetector.detect(raster, thorough);
    expect(faces).toHaveLength(4);
    for (const person of people)
      expect(Math.max(...faces.map((f) => overlap(f, person)))).toBeGreaterThan(0.6);
    const confidences = faces.map(({ confidence }) => confidence);
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
    for (const confidence of [0.05, 0.3, confidences[2]!, 0.99]) {
      const some = await faceDetector.detect(raster, { confidence, effort: 'one_read' });
      expect(some.faces.every((face) => face.confidence >= confidence)).toBe(true);
      if (confidence === 0.05) expect(some.belowConfidence).toEqual([]);
      if (confidence === confidences[2]) expect(some.belowConfidence.length).toBeGreaterThan(0);
    }
  });

  it('finds none in a picture without', async () => {
    const { faces } = await faceDetector.detect(peopleRaster(900, 700), thorough);
    expect(faces).toEqual([]);
  });

  it('finds people in pictures rotated by 90°, 180° and 270°', async () => {
    let picture = drawPeople(320, 320, [faceOf(60, 80, 140)]);
    const { faces } = await faceDetector.detect(rasterOf(picture), thorough);
    for (let turn = 1; turn < 4; turn++) {
      picture = rotatePicture(picture);
      // It is seen lying down, too, but not as surely: the picture is turned.
      const turned = await faceDetector.detect(rasterOf(picture), thorough);
      expect(turned.passes).toBeGreaterThan(2);
      expect(turned.faces[0]?.confidence).toBeCloseTo(faces[0]!.confidence, 1);
    }
  });

  it('gives the same for strips of any height', async () => {
    const picture = drawPeople(900, 700, [faceOf(250, 150, 70)]);
    const whole = await faceDetector.detect(rasterOf(picture, 700), thorough);
    expect(await faceDetector.detect(rasterOf(picture, [1, 13, 64]), thorough)).toEqual(whole);
  });
});

/** What is done, seen through a model that takes red for a face. */
describe('detect, step by step', () => {
  const view = (raster: Raster, model = redFinder()) => createFaceDetector(model).detect(raster, thorough);

  it('puts the box where the face is, to the pixel of the finest scale', async () => {
    const place = fc.record({
      width: fc.integer({ min: 300, max: 2600 }),
      height: fc.integer({ min: 300, max: 2000 }),
      left: fc.double({ min: 0, max: 0.9, noNaN: true }),
      top: fc.double({ min: 0, max: 0.9, noNaN: true }),
      side: fc.integer({ min: 24, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(place, async ({ width, height, left, top, side }) => {
        const red = {
          x: Math.round(left * (width - side)),
          y: Math.round(top * (height - side)),
          w: side,
          h: side,
        };
        const { faces } = await view(redRaster(width, height, red));
        expect(faces).toHaveLength(1);
        expect(overlap(faces[0]!, red)).toBeGreaterThan(0.6);
      }),
      { seed: 4, numRuns: 25 },
    );
  });

  it('reads the picture once where only that is wanted, however doubtful or crowded it is', async () => {
    let reads = 0;
    const raster = redRaster(3600, 2600, { x: 100, y: 100, w: 40, h: 40 });
    const counted: Raster = {
      ...raster,
      strips() {
        reads++;
        return raster.strips();
      },
    };
    for (const model of [crowdFinder(0.99, 0.99), redFinder(() => 0.2), lyingFinder(0.95)]) {
      reads = 0;
      await createFaceDetector(model).detect(counted, { confidence: 0.6, effort: 'one_read' });
      expect(reads).toBe(1);
    }
    reads = 0;
    await createFaceDetector(crowdFinder(0.99, 0.99)).detect(counted, thorough);
    expect(reads).toBeGreaterThan(1);
  });

  /** Only a face higher than wide is known, and only in a lying input. */
  const lyingFinder = (confidence: number) =>
    redFinder(({ w, h }, width, height) => (h > w && width > height ? confidence : 0.01));
  const lying = { x: 40, y: 60, w: 90, h: 60 };
  const upright = [
    [160, 224],
    [96, 128],
    [160, 192],
  ];
  const turns = [
    [224, 160],
    [160, 224],
    [224, 160],
  ];

  it('counts nothing that is seen in another turn where it is not sure there', async () => {
    const model = lyingFinder(0.6);
    const { faces } = await view(redRaster(160, 224, lying), model);
    expect(model.inputs).toEqual([...upright, ...turns]);
    expect(faces).toEqual([]);
  });

  it.each([
    [0.8, 0.8, 1, 2],
    [0.8, 0.4, 0, 1],
    [0.95, 0.4, 1, 1],
  ])(
    'a turn where one network says %f and the other %f counts for %i',
    async (whole, other, count, shown) => {
      // Of the other one only that answer counts: of all else it sees nothing. What it is shown first is the
      // half size, then the whole, of the same size here, where the turn counts.
      const tiles = redFinder(({ w, h }, width, height) =>
        h > w && width === 224 && height === 160 ? other : 0,
      );
      const detector = createFaceDetector(lyingFinder(whole), undefined, tiles);
      const { belowConfidence, faces } = await detector.detect(redRaster(160, 224, lying), thorough);
      const found = [...faces, ...belowConfidence].filter((face) => overlap(face, lying) > 0.9);
      expect(found).toHaveLength(count);
      expect(tiles.inputs.filter(([width]) => width === 224)).toHaveLength(shown);
    },
  );

  it('sees the smallest view again with a border, and finds the place', async () => {
    const model = redFinder((_, width, height) => (width === 192 && height === 192 ? 0.99 : 0));
    const red = { x: 0, y: 60, w: 420, h: 520 };
    const { faces, belowConfidence } = await view(redRaster(640, 580, red), model);
    expect(overlap([...faces, ...belowConfidence][0]!, red)).toBeGreaterThan(0.95);
  });

  it.each([
    [700, 30],
    [30, 740],
  ])('enlarges a small box of a megapixel, from its own pixels, and finds a face at %i, %i', async (x, y) => {
    const red = { x, y, w: 12, h: 12 };
    // Hardly a face where it is not enlarged.
    const model = redFinder(({ w }) => (w >= 16 ? 0.99 : 0.3));
    const { faces, belowConfidence } = await view(redRaster(1024, 768, red), model);
    const [found] = [...faces, ...belowConfidence];
    expect(overlap(found!, red)).toBeGreaterThan(0.8);
    expect(found!.confidence).toBeGreaterThan(calibrated(logit(0.3)) + 0.2);
    expect(model.inputs.some(([width]) => width === 160)).toBe(true);
  });

  it('enlarges nothing where there are only large boxes', async () => {
    const model = redFinder();
    await view(redRaster(1024, 768, { x: 300, y: 300, w: 90, h: 110 }), model);
    const work = model.inputs.reduce((sum, [width, height]) => sum + width * height, 0);
    expect(work).toBeLessThan(5 * 640 ** 2);
  });

  it('shows the whole to both networks', async () => {
    const tiles = redFinder();
    const detector = createFaceDetector(redFinder(), undefined, tiles);
    await detector.detect(redRaster(640, 400, { x: 300, y: 200, w: 90, h: 90 }), thorough);
    expect(tiles.inputs.filter(([width]) => width === 640)).toHaveLength(1);
  });

  it('makes all passes in the turn with the most confident face, and finds its place', async () => {
    const model = lyingFinder(0.95);
    const { faces } = await view(redRaster(160, 224, lying), model);
    expect(model.inputs.slice(upright.length + turns.length)).toEqual(
      upright.map(([width, height]) => [height, width]),
    );
    expect(faces).toHaveLength(1);
    expect(overlap(faces[0]!, lying)).toBeGreaterThan(0.97);
    expect(faces[0]!.confidence).toBeCloseTo(calibrated(logit(0.95)), 5);
  });

  it('shows tiles turned as well, read once more, and finds the place', async () => {
    const large = { x: 1300, y: 900, w: 110, h: 70 };
    const model = lyingFinder(0.95);
    const { faces } = await view(redRaster(1500, 2000, large), model);
    expect(faces).toHaveLength(1);
    expect(overlap(faces[0]!, large)).toBeGreaterThan(0.9);
  });

  it('goes on to other turns where one face is sure upright', async () => {
    const seen = (width: number, height: number): readonly [number, number] =>
      height > width ? [0.2, 0.2] : [0.6, 0.6];
    const model: FaceModel = {
      workspaceBytes: () => 0,
      async run(_workspace, _image, width, height) {
        const [x, y] = seen(width, height).map((part, at) => part * (at ? height : width)) as [
          number,
          number,
        ];
        const side = 0.15 * Math.max(width, height);
        return { boxes: Float32Array.of(x, y, x + side, y + side), scores: Float32Array.of(0.99) };
      },
    };
    const { faces } = await view(redRaster(640, 416, lying), model as never);
    expect(faces.length).toBeGreaterThan(1);
  });

  it('runs a zoom pass over an uncertain small face, in the picture’s own pixels', async () => {
    const red = { x: 2750, y: 1810, w: 24, h: 24 };
    const seen: number[] = [];
    const model = redFinder(({ w }) => {
      seen.push(w);
      return w >= 24 ? 0.99 : 0.3;
    });
    const detection = await view(redRaster(4000, 3000, red), model);
    expect(seen.filter((w) => w >= 14)).toEqual([24]);
    expect(model.inputs).toContainEqual([640, 96]);
    expect(detection.faces).toHaveLength(1);
    expect(overlap(detection.faces[0]!, red)).toBeGreaterThan(0.97);
    expect(detection.belowConfidence).toEqual([]);
  });

  /** Passes of 640² pixels that a search takes. */
  it.each([
    [3, 'raises'],
    [-3, 'lowers'],
  ])('lets a verdict of %i speak of a face, and %s it; not at coarse effort', async (verdict) => {
    const red = { x: 300, y: 200, w: 90, h: 90 };
    const verifier = verifierOf(verdict);
    const detector = createFaceDetector(
      redFinder(() => 0.9),
      verifier,
    );
    const { faces, belowConfidence } = await detector.detect(redRaster(640, 400, red), thorough);
    const [found] = [...faces, ...belowConfidence];
    expect(found!.confidence).toBeCloseTo(
      calibrated(judged(logit(0.9), { animal: verdict, other: 9, sharpness: 1 })),
      2,
    );
    expect(found!.confidence > calibrated(logit(0.9))).toBe(verdict > 0);
    expect(verifier.asked).toBe(1);
  });

  it('shows the verifier at most 64 of a crowd: less than three passes', async () => {
    const verifier = verifierOf(0);
    const detector = createFaceDetector(crowdFinder(0.99, 0.99), verifier);
    await detector.detect(redRaster(640, 640, { x: 0, y: 0, w: 10, h: 10 }), thorough);
    expect(verifier.asked).toBeGreaterThan(32);
    expect(verifier.asked).toBeLessThanOrEqual(64);
  });

  it('rethrows what the picture throws, and works for the next one', async () => {
    const picture = redRaster(900, 900, { x: 100, y: 100, w: 60, h: 60 });
    const broken: Raster = {
      ...picture,
      *strips() {
        for (const strip of stripsOf(picture)) {
          if (strip.y > 600) throw decodingFault('The data ends at row 600 of 900');
          yield strip;
        }
      },
    };
    await expect(view(broken)).rejects.toThrow('row 600');
    expect((await view(picture)).faces).toHaveLength(1);
  });

  it('considers a bounded number of candidates of a hostile picture', async () => {
    const scores = new Float32Array(8400).fill(0.9);
    const boxes = new Float32Array(8400 * 4);
    for (let i = 0; i < 8400; i++) boxes.set([i * 30, 0, i * 30 + 20, 20], i * 4);
    const hostile = { workspaceBytes: () => 0, run: async () => ({ boxes, scores }) };
    const { faces, belowConfidence, passes } = await createFaceDetector(hostile).detect(
      redRaster(200, 200, { x: 0, y: 0, w: 1, h: 1 }),
      { confidence: 0.05, effort: 'thorough' },
    );
    expect(faces.length + belowConfidence.length).toBeGreaterThan(400);
    expect(faces.length + belowConfidence.length).toBeLessThanOrEqual(passes * 500);
  });
});

/** A verifier of one logit, which counts what it is asked. */
const verifierOf = (verdict: number) => ({
  asked: 0,
  workspaceBytes: 0,
  async verify(_workspace: unknown, _crops: Float32Array, count: number) {
    this.asked += count;
    return Array.from({ length: count }, () => ({ animal: verdict, other: 9 }));
  },
});

describe('cost and wantedWidth', () => {
  it('stay far from a frame whatever the picture', () => {
    for (const [width, height] of [
      [100, 100],
      [4000, 3000],
      [8160, 6120],
      [50_000, 1000],
      [1000, 50_000],
    ] as const) {
      const cost = totalBytes(faceDetector.cost({ width, height }));
      expect(cost).toBeGreaterThan(640 * 640 * 12);
      expect(cost).toBeLessThan(30 * 1024 * 1024);
      expect(faceDetector.wantedWidth({ width, height })).toBeLessThanOrEqual(width);
    }
    expect(faceDetector.wantedWidth({ width: 4000, height: 3000 })).toBe(4000);
    expect(faceDetector.wantedWidth({ width: 600, height: 400 })).toBe(600);
  });
});
