import { describe, expect, it } from 'vitest';
import { noisePicture, type Picture, photoPicture } from '../fixtures/pictures.ts';
import { seededRandom } from '../fixtures/random.ts';
import { ssimulacra2Beside } from './ssimulacra2.ts';

/** Each sample moved by up to this many levels. */
function noisy({ width, height, pixels }: Picture, most: number): Picture {
  const random = seededRandom(most);
  const moved = pixels.map((value, i) =>
    i % 4 === 3 ? value : Math.max(0, Math.min(255, Math.round(value + (random() * 2 - 1) * most))),
  );
  return { width, height, pixels: moved };
}

/** Means of 4 × 4, twelve pixels of each sixteen gone. */
function blocky({ width, height, pixels }: Picture): Picture {
  const result = pixels.map((_, i) => {
    const [x, y] = [((i >> 2) % width) & ~3, Math.floor((i >> 2) / width) & ~3];
    return pixels[(y * width + x) * 4 + (i & 3)]!;
  });
  return { width, height, pixels: result };
}

describe('SSIMULACRA 2', () => {
  const photo = photoPicture(211, 150, 3);
  const beside = ssimulacra2Beside(photo);

  it('is 100 for the same picture, and less the more it differs', () => {
    const scores = [0, 1, 3, 9, 27, 81].map((most) => beside(noisy(photo, most)));
    expect(scores[0]).toBe(100);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.at(-1)).toBeLessThan(20);
  });

  it.each([
    [93.513, noisy(photo, 3)],
    [83.225, noisy(photo, 9)],
    [55.224, noisy(photo, 27)],
    [-3.827, noisy(photo, 81)],
    [-62.991, blocky(photo)],
  ])('says %d, as its authors’ program does of PNGs of the same pixels', (score, picture) => {
    // Built of commit 81feacf. It reckons in 32 bits, which shows where pictures hardly differ.
    expect(Math.abs(beside(picture) - score)).toBeLessThan(0.1);
  });

  it('refuses pictures of other sizes, and those too small for six scales', () => {
    expect(() => beside(photoPicture(150, 211))).toThrow('211 × 150 was expected, not 150 × 211');
    expect(() => ssimulacra2Beside(noisePicture(300, 112, 1))).toThrow('at least 113 × 113');
  });
});
