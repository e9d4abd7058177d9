import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Orientation } from '../../src/codecs/types.ts';
import { orient } from '../../src/pixels/orient.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

describe('orientation against sharp', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8] as Orientation[])(
    '%i gives the pixels that sharp.autoOrient gives',
    async (orientation) => {
      const picture = noisePicture(21, 14, orientation);
      const { width, height } = picture;
      const tagged = await sharp(picture.pixels, { raw: { width, height, channels: 4 } })
        .withMetadata({ orientation })
        .png()
        .toBuffer();
      const { data, info } = await sharp(tagged)
        .autoOrient()
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const upright = readPicture(orient(rasterOf(picture), orientation, 256));
      expect([upright.width, upright.height]).toEqual([info.width, info.height]);
      expect(Buffer.compare(data, Buffer.from(upright.pixels))).toBe(0);
    },
  );
});
