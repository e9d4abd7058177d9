import { describe, expect, it } from 'vitest';
import { blocksOver, expectedMeans, rankOfTruth } from '../../scripts/eval_readable/attack.ts';
import { coverMask, shareCovered, shortSide } from '../../scripts/eval_readable/shares.ts';
import { inkOf } from '../../scripts/eval_readable/text.ts';
import { pixelate } from '../../src/pixels/pixelate.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

describe('what share of a label is covered', () => {
  const size = { width: 40, height: 30 };
  const label = [
    { x: 10, y: 5 },
    { x: 30, y: 5 },
    { x: 30, y: 15 },
    { x: 10, y: 15 },
  ];

  it('counts its pixels under any box, each once', () => {
    const half = { x: 10, y: 5, w: 10, h: 10 };
    expect(shareCovered(coverMask([], size), size, label)).toBe(0);
    expect(shareCovered(coverMask([half, half], size), size, label)).toBe(0.5);
    expect(shareCovered(coverMask([{ x: -5, y: -5, w: 99, h: 99 }], size), size, label)).toBe(1);
  });

  it('is of a turned label what lies in it, and of one beyond the picture all', () => {
    const turned = [
      { x: 20, y: 5 },
      { x: 30, y: 15 },
      { x: 20, y: 25 },
      { x: 10, y: 15 },
    ];
    expect(shareCovered(coverMask([{ x: 0, y: 0, w: 40, h: 15 }], size), size, turned)).toBeCloseTo(0.5, 1);
    expect(
      shareCovered(
        coverMask([], size),
        size,
        label.map(({ x, y }) => ({ x: x + 50, y })),
      ),
    ).toBe(1);
    expect(shortSide(turned)).toBeCloseTo(Math.hypot(10, 10));
    expect(shortSide(label)).toBe(10);
  });
});

describe('the attack on text under a mosaic', () => {
  it('expects of a text the very means that the service makes of it, blocks cut by the page too', () => {
    const [width, height, block] = [90, 50, 16];
    const place = { x: 57, y: 29 };
    const ink = inkOf(
      noisePicture(30, 20, 4).pixels.filter((_, at) => at % 4 === 0),
      30,
      20,
    );
    const pixels = new Uint8Array(width * height * 4).fill(255);
    for (let y = 0; y < 20; y++) {
      for (let x = 0; x < 30; x++) {
        const at = ((place.y + y) * width + place.x + x) * 4;
        pixels.fill(255 - ink.pixels[y * 30 + x]!, at, at + 3);
      }
    }
    const area = { ...place, width: 30, height: 20 };
    const hidden = readPicture(pixelate(rasterOf({ width, height, pixels }), [{ block, areas: [area] }], 0));
    const blocks = blocksOver({ ...place, w: 30, h: 20 }, block, { width, height });
    const means = expectedMeans(ink, place, blocks, { width, height });
    let at = 0;
    for (let row = blocks.top; row < blocks.bottom; row++) {
      for (let column = blocks.left; column < blocks.right; column++) {
        const seen = hidden.pixels[(row * block * width + column * block) * 4]!;
        expect(Math.abs(means[at++]! - seen)).toBeLessThanOrEqual(0.5);
      }
    }
    expect(at).toBe(means.length);
  });

  it('ranks the truth among candidates, those as near as it for half a place each', () => {
    const seen = Float64Array.of(10, 20);
    const near = Float64Array.of(11, 20);
    const far = Float64Array.of(90, 0);
    expect(rankOfTruth(seen, [far, near, far], 1)).toBe(1);
    expect(rankOfTruth(seen, [far, near, seen], 0)).toBe(3);
    expect(rankOfTruth(seen, [far, far, far], 0)).toBe(2);
  });
});
