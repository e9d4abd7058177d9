import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { webpByJsquash } from '../../fixtures/jsquash_webp.ts';
import { firstDifference, readLossy } from '../../fixtures/lossy_frame.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { noisePicture, type Picture, photoPicture } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { randomVp8, simpleWebp, type Vp8Header, vp8Payload } from '../../fixtures/vp8_writer.ts';

/** How our picture of a file differs from the one that sharp's libwebp makes. */
async function differenceFromSharp(file: Uint8Array): Promise<string | undefined> {
  return firstDifference(readLossy(vp8Payload(file)), await readBySharp(file));
}

const encodeBySharp = async ({ width, height, pixels }: Picture, quality: number, smartSubsample = false) => {
  const image = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  return new Uint8Array(await image.webp({ quality, smartSubsample, effort: 1 }).toBuffer());
};

describe('a lossy WebP frame has the pixels of libwebp', () => {
  it('at every size', async () => {
    const edges = [1, 2, 3, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 47, 48, 49];
    const wrong: string[] = [];
    for (const [i, width] of edges.entries()) {
      for (const [j, height] of edges.entries()) {
        const picture =
          (i + j) % 3 === 0 ? noisePicture(width, height, i) : photoPicture(width, height, j + 1);
        const difference = await differenceFromSharp(await encodeBySharp(picture, 20 + ((i * 16 + j) % 80)));
        if (difference) wrong.push(`${width} × ${height}: ${difference}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('at every quality', async () => {
    const wrong: string[] = [];
    for (let quality = 1; quality <= 100; quality++) {
      const picture = quality % 2 ? photoPicture(66, 51, quality) : noisePicture(35, 50, quality);
      const difference = await differenceFromSharp(await encodeBySharp(picture, quality, quality % 3 === 0));
      if (difference) wrong.push(`${quality}: ${difference}`);
    }
    expect(wrong).toEqual([]);
  });

  it('at the greatest width and height', async () => {
    for (const [width, height] of [
      [16383, 3],
      [3, 16383],
    ] as const) {
      const file = await encodeBySharp(noisePicture(width, height, 1), 50);
      expect(await differenceFromSharp(file)).toBeUndefined();
    }
  });
});

describe("a frame of libwebp's encoder has its pixels, with any setting", () => {
  const pictures = [photoPicture(93, 71, 7), noisePicture(50, 67, 7)];
  // All others: test/codecs/webp/cwebp.slow.node.test.ts.
  it.each([
    { segments: 3, sns_strength: 100 },
    { filter_strength: 80, filter_sharpness: 4, quality: 20 },
    { filter_strength: 60, filter_type: 0, quality: 15 },
    { method: 1, quality: 70 },
    { quality: 0 },
    { quality: 100, method: 6 },
  ])('%j', async (settings) => {
    for (const picture of pictures) {
      expect(await differenceFromSharp(await webpByJsquash(picture, settings))).toBeUndefined();
    }
  });
});

describe('a frame of chance has the pixels of libwebp', () => {
  /** Which of these frames differ. Pictures of few colours would prove little. */
  async function differences(headerOf: (seed: number) => Vp8Header, seeds: number): Promise<string[]> {
    const wrong: string[] = [];
    let richest = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const file = simpleWebp(randomVp8(headerOf(seed), seed));
      const theirs = await readBySharp(file);
      const difference = firstDifference(readLossy(vp8Payload(file)), theirs);
      if (difference) wrong.push(`seed ${seed}: ${difference}`);
      richest = Math.max(richest, new Set(new Uint32Array(theirs.pixels.buffer)).size);
    }
    expect(richest).toBeGreaterThan(25);
    return wrong;
  }

  const base: Vp8Header = { width: 75, height: 70, quantiser: 40, level: 12, updates: 200 };
  const data = { absolute: true, quantisers: [15, 40, 60, 90], levels: [0, 12, 30, 63] };
  const map = [120, 130, 140];
  const features: Readonly<Record<string, Vp8Header>> = {
    'no loop filter': { ...base, level: 0, segments: { map, data } },
    'a simple loop filter': { ...base, simpleFilter: true },
    'a simple and sharp loop filter': { ...base, simpleFilter: true, level: 50, sharpness: 6 },
    'filter deltas': { ...base, levelDeltas: { reference: [9, 1, 2, 3], mode: [-12, 1, 2, 3] } },
    'filter deltas past both limits': {
      ...base,
      levelDeltas: { reference: [-63, 0, 0, 0], mode: [63, 0, 0, 0] },
    },
    'filter deltas that are not sent': { ...base, levelDeltas: 'enabled' },
    'segments with values of their own': { ...base, segments: { map, data } },
    'segments with values that are added': {
      ...base,
      segments: { map, data: { absolute: false, quantisers: [-25, 0, 20, 50], levels: [-12, 0, 8, 51] } },
    },
    'segments past both limits': {
      ...base,
      segments: { map, data: { absolute: false, quantisers: [-90, 0, 6, 126], levels: [-63, 0, 8, 63] } },
    },
    'segments of sure and unsure probability': { ...base, segments: { map: [undefined, 0, 255], data } },
    'segments without data': { ...base, segments: { map } },
    'segments without a map': { ...base, segments: { data } },
    'two partitions': { ...base, partitions: 1 },
    'four partitions': { ...base, partitions: 2 },
    'eight partitions': { ...base, height: 200, partitions: 3 },
    'version 1': { ...base, version: 1 },
    'version 2': { ...base, version: 2 },
    'version 3': { ...base, version: 3 },
    'another colour space and no need to clamp': { ...base, colourSpace: 1, clampingOff: 1 },
    'hints for scaling': { ...base, scale: 3 },
    'probabilities that stay': { ...base, updates: 0, quantiser: 90 },
    'probabilities that all become others': { ...base, updates: 1056 },
    'macroblocks without coefficients': { ...base, skip: 100 },
    'few macroblocks without coefficients': { ...base, skip: 250 },
    'a skip probability of 0': { ...base, skip: 0 },
    'coarse quantisers': { ...base, quantiser: 127 },
    ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((n) => [`sharpness ${n}`, { ...base, sharpness: n }])),
    ...Object.fromEntries([5, 14, 15, 39, 40, 63].map((n) => [`filter level ${n}`, { ...base, level: n }])),
    ...Object.fromEntries(
      ['luma DC', 'Y2 DC', 'Y2 AC', 'chroma DC', 'chroma AC'].flatMap((name, i) =>
        [-15, 15].map((delta) => {
          const quantiserDeltas = [0, 1, 2, 3, 4].map((place) => (place === i ? delta : 0));
          return [`quantiser of ${name} changed by ${delta}`, { ...base, quantiserDeltas }];
        }),
      ),
    ),
  };

  it.each(Object.entries(features))('with %s', async (_, header) => {
    expect(await differences(() => header, 6)).toEqual([]);
  });

  it('with any header', async () => {
    const anyHeader = (seed: number): Vp8Header => {
      const random = seededRandom(seed + 1000);
      const below = (n: number) => Math.floor(random() * n);
      const signed = (n: number, count: number) => Array.from({ length: count }, () => below(2 * n + 1) - n);
      const segments = {
        ...(below(4) > 0 && { map: [below(256), below(256), below(2) === 1 ? below(256) : undefined] }),
        ...(below(4) > 0 && {
          data: { absolute: below(2) === 1, quantisers: signed(127, 4), levels: signed(63, 4) },
        }),
      };
      return {
        ...{ width: 1 + below(70), height: 1 + below(70), version: below(4), scale: below(4) },
        ...{ simpleFilter: below(2) === 1, level: below(64), sharpness: below(8), partitions: below(4) },
        ...{ quantiser: below(128), quantiserDeltas: signed(15, 5), updates: below(1057) },
        ...(below(2) === 1 && { skip: below(256) }),
        ...(below(2) === 1 && { segments }),
        ...(below(2) === 1 && { levelDeltas: { reference: signed(63, 4), mode: signed(63, 4) } }),
      };
    };
    expect(await differences(anyHeader, 60)).toEqual([]);
  });
});
