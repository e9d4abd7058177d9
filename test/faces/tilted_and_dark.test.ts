import { describe, expect, it } from 'vitest';
import type { Raster } from '../../src/codecs/types.ts';
import { overlap } from '../../src/faces/boxes.ts';
import { createFaceDetector } from '../../src/faces/detector.ts';
import { calibrated, logit } from '../../src/faces/model.ts';
import type { FaceModel } from '../../src/faces/network/network.ts';
import { darkened, redFinder, redRaster } from '../fixtures/red_finder.ts';

const thorough = { confidence: 0.6, effort: 'thorough' } as const;
const lying = { x: 40, y: 60, w: 90, h: 60 };

const view = (raster: Raster, model: FaceModel) => createFaceDetector(model).detect(raster, thorough);

describe('views of tilted and dark pictures', () => {
  it('tilts a picture with a doubtful face, and finds its place', async () => {
    // Sure of it only on the canvas of the tilted half.
    const model = redFinder((_, width, height) => (width === 384 && height === 352 ? 0.99 : 0.35));
    const red = { x: 300, y: 200, w: 90, h: 90 };
    const { faces } = await view(redRaster(640, 400, red), model);
    expect(model.inputs.slice(-2)).toEqual([
      [384, 352],
      [384, 352],
    ]);
    expect(faces).toHaveLength(1);
    // A square's corners stick out when it is tilted, so the box is larger, but about the same centre.
    expect(overlap(faces[0]!, red)).toBeGreaterThan(0.5);
    const { x, y, w, h } = faces[0]!;
    expect([Math.abs(x + w / 2 - 345), Math.abs(y + h / 2 - 245)].every((off) => off < 2)).toBe(true);
    expect(faces[0]!.confidence).toBeCloseTo(calibrated(logit(0.99) - 0.8), 5);
  });

  it.each([
    [90, 90, 0.9, 2],
    [90, 110, 0.9, 0],
    [110, 90, 0.9, 0],
    [90, 90, 0.99, 0],
  ])(
    'tilts a picture whose surest face, %i × %i pixels at %d, is sure but as wide as high in %i views',
    async (w, h, confidence, views) => {
      const model = redFinder(() => confidence);
      await view(redRaster(640, 400, { x: 300, y: 200, w, h }), model);
      expect(model.inputs.filter(([width, height]) => width === 384 && height === 352)).toHaveLength(views);
    },
  );

  /** A sure face and a doubtful one of this side; nothing turned, tilted or in the smallest views. */
  const doubtfulBesideSure = (side: number) => {
    const inputs: [number, number][] = [];
    const model: FaceModel = {
      workspaceBytes: () => 0,
      async run(_workspace, _image, width, height) {
        inputs.push([width, height]);
        // Both are seen in the whole, and the doubtful one in the middle of what is enlarged for it.
        const isPart = width === height;
        if (width !== 640 && !isPart) return { boxes: new Float32Array(), scores: new Float32Array() };
        const box = (x: number, y: number, length: number) => [x, y, x + length, y + length];
        const place = isPart ? box(2.25 * side, 2.25 * side, 1.5 * side) : box(200, 200, side);
        return isPart
          ? { boxes: Float32Array.from(place), scores: Float32Array.of(0.5) }
          : { boxes: Float32Array.from([...box(60, 60, 70), ...place]), scores: Float32Array.of(0.99, 0.5) };
      },
    };
    return { model, inputs };
  };

  it.each([
    [30, 0],
    [60, 2],
  ])(
    'tilts a picture with a doubtful face of %i pixels beside a sure one in %i views',
    async (side, views) => {
      const { model, inputs } = doubtfulBesideSure(side);
      const { faces } = await createFaceDetector(model).detect(redRaster(640, 400, lying), thorough);
      expect(faces[0]!.confidence).toBeGreaterThan(0.9);
      expect(inputs.filter(([width, height]) => width === 384 && height === 352)).toHaveLength(views);
    },
  );

  it('looks at a dark picture with its shadows lifted, too, and finds the place', async () => {
    const red = { x: 100, y: 100, w: 70, h: 90 };
    const half = ([width]: [number, number]) => width === 320;
    const light = redFinder();
    await view(redRaster(640, 480, red), light);
    const dark = redFinder((_, width) => (width === 320 ? 0.99 : 0.6));
    const { faces } = await view(darkened(redRaster(640, 480, red)), dark);
    // One is turned by 180°.
    expect([light, dark].map(({ inputs }) => inputs.filter(half).length)).toEqual([1, 2]);
    expect(faces).toHaveLength(1);
    expect(overlap(faces[0]!, red)).toBeGreaterThan(0.95);
  });

  it('at night has both networks see the whole lifted, and enlarges no noise', async () => {
    const picture = redRaster(640, 480, { x: 100, y: 100, w: 40, h: 50 });
    const inputsOf = async (shown: Raster) => {
      const [own, other] = [redFinder(), redFinder()];
      await createFaceDetector(own, undefined, other).detect(shown, thorough);
      const wholes = [own, other].map(({ inputs }) => inputs.filter(([width]) => width === 640).length);
      return { wholes, enlarged: other.inputs.filter(([, height]) => height === 320).length };
    };
    const day = await inputsOf(picture);
    expect(day.wholes).toEqual([1, 1]);
    expect(day.enlarged).toBe(1);
    expect(await inputsOf(darkened(darkened(picture)))).toEqual({ wholes: [2, 2], enlarged: 0 });
  });
});
