import { expect, it } from 'vitest';
import { webpEncoder } from '../../src/codecs/webp/encoder.ts';
import { noisePicture, type Picture, photoPicture, rasterOf } from '../fixtures/raster.ts';
import { readBySharp } from '../fixtures/sharp_reader.ts';
import { softEdges } from '../fixtures/webp_pictures.ts';
import { browserPath, visit } from './chromium.ts';

const PICTURES: readonly (readonly [Picture, number])[] = [
  [photoPicture(1, 1, 1), 92],
  [photoPicture(301, 203, 2), 30],
  [photoPicture(640, 480, 3), 92],
  [noisePicture(33, 17, 4), 100],
  [softEdges(131, 77, 5), 80],
  [noisePicture(50, 31, 6, 'any'), 60],
];

it.skipIf(!browserPath)('Chromium shows what the WebP encoder writes, as libwebp reads it', async () => {
  await using visitor = await visit();
  for (const [picture, quality] of PICTURES) {
    using output = await webpEncoder.encode(rasterOf(picture), quality, 1 << 24);
    const file = output.bytes.slice();
    const shown = await visitor.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const options = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' } as const;
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/webp' }), options);
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      return { width: bitmap.width, height: bitmap.height, pixels: [...data] };
    }, Buffer.from(file).toString('base64'));
    const read = await readBySharp(file);
    expect([shown.width, shown.height]).toEqual([picture.width, picture.height]);
    let worst = 0;
    shown.pixels.forEach((value, i) => {
      // A canvas keeps colours multiplied by alpha: what is hardly seen comes back coarse.
      if ((i & 3) === 3 || read.pixels[i | 3]! > 250)
        worst = Math.max(worst, Math.abs(value - read.pixels[i]!));
    });
    expect(worst).toBeLessThanOrEqual(3);
  }
});
