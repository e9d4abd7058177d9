import { describe, expect, it } from 'vitest';
import { jpegEncoder } from '../../../src/codecs/jpeg/encoder.ts';
import { greyLevels } from '../../fixtures/jpeg_levels.ts';
import { noisePicture, type Picture, photoPicture, rasterOf } from '../../fixtures/raster.ts';

const ROOM = 1 << 26;
/** T.81 Figure A.6, as the place in zigzag order of each natural place. */
const ZIGZAG = [
  [0, 1, 5, 6, 14, 15, 27, 28],
  [2, 4, 7, 13, 16, 26, 29, 42],
  [3, 8, 12, 17, 25, 30, 41, 43],
  [9, 11, 18, 24, 31, 40, 44, 53],
  [10, 19, 23, 32, 39, 45, 52, 54],
  [20, 22, 33, 38, 46, 51, 55, 60],
  [21, 34, 37, 47, 50, 56, 59, 61],
  [35, 36, 48, 49, 57, 58, 62, 63],
];

/** The forward DCT of T.81 A.3.3, of a block of grey pixels, in zigzag order. */
function exactDct({ width, pixels }: Picture, left: number, top: number): number[] {
  const cosines = Array.from({ length: 8 }, (_, u) =>
    Array.from(
      { length: 8 },
      (_, x) => (u ? 0.5 : Math.SQRT1_2 / 2) * Math.cos(((2 * x + 1) * u * Math.PI) / 16),
    ),
  );
  const result = new Array<number>(64).fill(0);
  for (let v = 0; v < 8; v++) {
    for (let u = 0; u < 8; u++) {
      let sum = 0;
      for (let y = 0; y < 8; y++)
        for (let x = 0; x < 8; x++)
          sum += (pixels[((top + y) * width + left + x) * 4]! - 128) * cosines[u]![x]! * cosines[v]![y]!;
      result[ZIGZAG[v]![u]!] = sum;
    }
  }
  return result;
}

function grey(picture: Picture): Picture {
  const pixels = picture.pixels.slice();
  for (let i = 0; i < pixels.length; i += 4) pixels[i + 1] = pixels[i + 2] = pixels[i]!;
  return { ...picture, pixels };
}

/** Every coefficient of a file beside its exact value, in steps. */
async function levelsOf(picture: Picture, quality: number) {
  const { bytes } = await jpegEncoder.encode(rasterOf(picture), quality, ROOM);
  const { steps, blocks } = greyLevels(bytes);
  const across = picture.width / 8;
  return blocks.flatMap((levels, block) => {
    const exact = exactDct(picture, (block % across) * 8, Math.floor(block / across) * 8);
    return [...levels].map((level, place) => {
      const sign = exact[place]! < 0 ? -1 : 1;
      const step = steps[place]!;
      return { place, step, level: level * sign || 0, exact: (exact[place]! * sign) / step };
    });
  });
}

describe('levels of a JPEG', () => {
  const pictures = { photograph: grey(photoPicture(96, 64, 3)), noise: grey(noisePicture(64, 64, 4)) };

  it.each([1, 20, 40, 60, 75, 85, 92, 97])(
    'are off by less than one and a half steps, q%i',
    async (quality) => {
      for (const picture of Object.values(pictures)) {
        for (const { place, step, level, exact } of await levelsOf(picture, quality)) {
          // The integer DCT is off by up to 0.2.
          const nearest = Math.abs(level - exact) <= 0.5 + 0.2 / step;
          if (nearest) continue;
          if (place === 0) {
            // One of the two around it.
            expect(Math.abs(level - exact)).toBeLessThan(1 + 0.2 / step);
            continue;
          }
          expect({ level, exact }).toSatisfy(() => level < exact);
          // Else it is a one that was dropped, or a two that was hardly one.
          const most = level === 0 ? 1.5 : 1.75;
          const isChoice = level < 2 && exact < most + 0.2 / step;
          expect({ level, exact, isChoice }).toMatchObject({ isChoice: true });
        }
      }
    },
  );

  it('are chosen below quality 100 alone', async () => {
    // How many ones were dropped, and twos lowered.
    const chosen = async (quality: number) => {
      const all = [await levelsOf(pictures.photograph, quality), await levelsOf(pictures.noise, quality)];
      const off = all.flat().filter(({ level, exact, step }) => exact - level > 0.5 + 0.2 / step);
      return [0, 1].map((kept) => off.filter(({ level }) => level === kept).length);
    };
    const [dropped, lowered] = await chosen(85);
    expect(dropped).toBeGreaterThan(10);
    expect(lowered).toBeGreaterThan(10);
    expect(await chosen(100)).toEqual([0, 0]);
  });

  it('of one are kept where they are no less than a step', async () => {
    const first = await levelsOf(pictures.photograph, 85);
    const ones = first.filter(({ place, level }) => place > 0 && level === 1).length;
    const exactOnes = first.filter(({ place, exact }) => place > 0 && exact >= 1 && exact < 1.5);
    expect(ones).toBeGreaterThan(100);
    // What is a whole step is nearly always worth its bits.
    expect(exactOnes.filter(({ level }) => level === 0).length).toBeLessThan(exactOnes.length * 0.1);
  });

  it('of DC cost no more than the nearest ones, by bits and errors, and are other ones in part', async () => {
    for (const quality of [30, 60, 85]) {
      const { chosen, nearest, differing } = await dcCosts(grey(photoPicture(320, 240, 6)), quality);
      expect(differing).toBeGreaterThan(5);
      expect(chosen).toBeLessThan(nearest);
    }
  });
});

/** quantise.ts: MEAN_WEIGHT and DC_SHARE. */
const [MEAN_WEIGHT, DC_SHARE] = [14, 2];

/** What the DCs of a file cost in bits, errors weighed as the encoder does, beside those of rounding. */
async function dcCosts(picture: Picture, quality: number) {
  const { bytes } = await jpegEncoder.encode(rasterOf(picture), quality, ROOM);
  const { steps, blocks } = greyLevels(bytes);
  const step = steps[0]!;
  const meanRoot = steps.reduce((sum, each) => sum + Math.sqrt(each), 0) / 64;
  const weight = (DC_SHARE * MEAN_WEIGHT * Math.sqrt(step)) / meanRoot;
  const exact = blocks.map((_, i) => exactDc(picture, i) / step);
  const levels = blocks.map((block) => block[0]!);
  const rounded = exact.map((value) => Math.round(value));
  const sizes = (chain: readonly number[]) =>
    chain.map((level, i) => 32 - Math.clz32(Math.abs(level - (chain[i - 1] ?? 0))));
  const counts = new Array<number>(16).fill(1);
  for (const size of sizes(levels)) counts[size]!++;
  const bits = (size: number) => size + Math.log2((blocks.length + 16) / counts[size]!);
  const cost = (chain: readonly number[]) =>
    sizes(chain).reduce((sum, size, i) => sum + bits(size) + weight * (chain[i]! - exact[i]!) ** 2, 0);
  const differing = levels.filter((level, i) => level !== rounded[i]).length;
  return { chosen: cost(levels), nearest: cost(rounded), differing };
}

/** T.81 A.3.3: DC is an eighth of the sum. */
function exactDc({ width, pixels }: Picture, block: number): number {
  const across = width / 8;
  const [left, top] = [(block % across) * 8, Math.floor(block / across) * 8];
  let sum = 0;
  for (let y = top; y < top + 8; y++)
    for (let x = left; x < left + 8; x++) sum += pixels[(y * width + x) * 4]! - 128;
  return sum / 8;
}
