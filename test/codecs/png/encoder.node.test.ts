import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pngEncoder } from '../../../src/codecs/png/encoder.ts';
import { firstDifference } from '../../cases/decoder_cases.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { noisePicture, type Picture, photoPicture, rasterOf } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';

const ROOM = 1 << 26;

/** Noise of so many colours, of which a share is translucent. */
function ofFewColours(width: number, height: number, colours: number, translucent = 0): Picture {
  const { pixels: palette } = noisePicture(colours, 1, 9);
  for (let i = 0; i < colours * translucent; i++) palette[i * 4 + 3] = i;
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const i = (at * 7919 + (at >> 4)) % colours;
    pixels.set(palette.subarray(i * 4, i * 4 + 4), at * 4);
  }
  return { width, height, pixels };
}

/** Pixels of the first so many colours, in even stretches of random lengths. */
function stretches(width: number, height: number, colours: Uint32Array, seed: number): Picture {
  const random = seededRandom(seed);
  const words = new Uint32Array(width * height);
  for (let at = 0; at < words.length; ) {
    const end = at + 1 + Math.floor(random() ** 3 * 40);
    words.fill(colours[Math.floor(random() * colours.length)]!, at, end);
    at = end;
  }
  return { width, height, pixels: new Uint8Array(words.buffer) };
}

describe('PNG encoder, read by libvips', () => {
  it('gives identical pixels at every depth and width', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(2, 3, 4, 5, 16, 17, 256),
        fc.constantFrom('levels', 'greys', 'colours', 'translucent'),
        fc.nat(1_000_000),
        async (width, height, count, kind, seed) => {
          const noise = new Uint32Array(noisePicture(count, 1, seed).pixels.buffer);
          const step = 255 / (2 ** Math.ceil(Math.log2(count)) - 1);
          const colours = noise.map((colour, i) => {
            if (kind === 'colours') return colour;
            if (kind === 'translucent') return i % 2 ? colour : (colour & 0xffffff) | (i << 24);
            const level = kind === 'levels' ? Math.floor(i * step) : colour & 255;
            return (level * 0x010101) | (255 << 24);
          });
          const picture = stretches(width, height, colours, seed);
          const { bytes } = await pngEncoder.encode(rasterOf(picture, 1 + (seed % 9)), 90, ROOM);
          expect(firstDifference((await readBySharp(bytes)).pixels, picture.pixels)).toBe('none');
        },
      ),
      { numRuns: 150, seed: 36 },
    );
  });

  it('gives identical pixels', async () => {
    for (const picture of [
      photoPicture(333, 250),
      noisePicture(47, 31, 1),
      noisePicture(47, 31, 2, 'any'),
      noisePicture(1, 700, 3),
      noisePicture(70_000, 2, 4),
      ofFewColours(300, 200, 250),
      ofFewColours(300, 200, 256, 0.5),
    ]) {
      const { bytes } = await pngEncoder.encode(rasterOf(picture), 90, ROOM);
      expect(firstDifference((await readBySharp(bytes)).pixels, picture.pixels)).toBe('none');
    }
  });
});
