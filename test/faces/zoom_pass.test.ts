import { describe, expect, it } from 'vitest';
import { DetectorMemory } from '../../src/faces/detector_memory.ts';
import { maxAtlases, maxCrowdAtlases, zoomAtlases, zoomPassCost } from '../../src/faces/zoom_pass.ts';
import { stripsOf } from '../fixtures/raster.ts';
import { redRaster } from '../fixtures/red_finder.ts';

const face = (x: number, y: number, side: number, confidence = 0.3) => ({
  x,
  y,
  w: side,
  h: side,
  confidence,
});

/** Bounding box of what is red on an atlas. */
function redOn({ width, pixels }: { width: number; pixels: Uint8Array }) {
  const xs: number[] = [];
  const ys: number[] = [];
  for (let i = 0; i < pixels.length / 3; i++) {
    if (pixels[i * 3]! - pixels[i * 3 + 1]! < 128) continue;
    xs.push(i % width);
    ys.push(Math.floor(i / width));
  }
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, w: Math.max(...xs) + 1 - x, h: Math.max(...ys) + 1 - y };
}

type Atlases = Parameters<typeof zoomAtlases>;

/** All atlases, each with a copy of its pixels. */
async function atlasesOf(source: Atlases[0], boxes: Atlases[1], scale: number, most = maxAtlases) {
  const atlases = [];
  using memory = DetectorMemory.open(zoomPassCost(source));
  for await (const { atlas, ...rest } of zoomAtlases(source, boxes, scale, most, memory))
    atlases.push({
      ...rest,
      atlas: { ...atlas, pixels: atlas.pixels.slice(0, atlas.width * atlas.height * 3) },
    });
  return atlases;
}

describe('zoomAtlases', () => {
  it.each([
    ['in the middle, in its own pixels', face(700, 500, 24), 1],
    ['in a corner', face(0, 0, 30), 1],
    ['in the far corner', face(1170, 870, 30), 1],
    ['shrunk to what the model knows well', face(300, 200, 72), 0.5],
  ])('shows a face %s, and finds the way back', async (_, box, zoom) => {
    const atlases = await atlasesOf(redRaster(1200, 900, box), [face(10, 700, 20), box], 0.25);
    expect(atlases).toHaveLength(1);
    const [{ atlas, locate, faces }] = atlases as [(typeof atlases)[0]];
    expect(faces).toHaveLength(2);
    expect(atlas).toMatchObject({ width: 640, height: 80 });
    const seen = { ...redOn(atlas), confidence: 0.8 };
    expect(seen.w).toBe(box.w * zoom);
    expect(Math.floor(seen.x / 80)).toBe(Math.floor((seen.x + seen.w - 1) / 80));
    expect(locate(seen)).toEqual({ box: { ...box, confidence: 0.8 }, face: box });
  });

  it('gives nothing where the picture has no more detail, or no face is uncertain', async () => {
    const picture = redRaster(600, 400, face(10, 10, 20));
    expect(await atlasesOf(picture, [face(10, 10, 20)], 1)).toEqual([]);
    expect(await atlasesOf(picture, [face(10, 10, 200)], 0.5)).toEqual([]);
    expect(await atlasesOf(picture, [], 0.1)).toEqual([]);
  });

  it('accepts only boxes at the place of the uncertain face', async () => {
    const uncertain = face(100, 100, 24);
    const [{ locate }] = (await atlasesOf(redRaster(600, 400, uncertain), [uncertain], 0.3)) as [
      Awaited<ReturnType<typeof atlasesOf>>[0],
    ];
    expect(locate({ x: 60, y: 60, w: 12, h: 12, confidence: 1 })).toBeUndefined();
    expect(locate({ x: 300, y: 300, w: 12, h: 12, confidence: 1 })).toBeUndefined();
    expect(locate({ x: -300, y: 30, w: 12, h: 12, confidence: 1 })).toBeUndefined();
    expect(locate({ x: 34, y: 34, w: 12, h: 12, confidence: 1 })).toBeDefined();
  });

  it('takes the most confident of many, no more at a time than memory is counted for', async () => {
    const many = Array.from({ length: 300 }, (_, i) => face(5 * i, 40, 20));
    let read = 0;
    const picture = redRaster(1600, 900, face(0, 0, 1));
    const counted = {
      ...picture,
      *strips() {
        for (const strip of stripsOf(picture)) {
          read = strip.y + strip.rows;
          yield strip;
        }
      },
    };
    const atlases = await atlasesOf(counted, many, 0.3, maxCrowdAtlases);
    expect(atlases.flatMap(({ faces }) => faces)).toEqual(many.slice(0, 96));
    expect(read).toBe(96);
  });

  it.each([
    [maxAtlases, 128],
    [maxCrowdAtlases, 448],
  ])('shows what fits on %i atlases, wherever it lies', async (most, count) => {
    const many = Array.from({ length: 700 }, (_, i) =>
      face(30 + ((i * 7) % 20) * 80, 30 + Math.floor(i / 20) * 180, 20),
    );
    const target = many[100]!;
    const atlases = await atlasesOf(redRaster(1600, 6400, target), many, 0.3, most);
    expect(atlases).toHaveLength(most);
    const shown = atlases.flatMap(({ faces }) => faces);
    expect(new Set(shown)).toEqual(new Set(many.slice(0, count)));
    const found = atlases.flatMap(({ atlas, locate }) => {
      const red = redOn(atlas);
      return Number.isFinite(red.x) && red.w === 20 ? [locate({ ...red, confidence: 1 })] : [];
    });
    expect(found).toEqual([{ box: { ...target, confidence: 1 }, face: target }]);
  });
});
