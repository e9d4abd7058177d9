import { describe, expect, it } from 'vitest';
import { pngEncoder } from '../../../src/codecs/png/encoder.ts';
import { firstDifference } from '../../cases/decoder_cases.ts';
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

describe('PNG encoder, read by libvips', () => {
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
