import { expect, it } from 'vitest';
import { decodeByDwebp, encodeByCwebp, haveLibwebpTools } from '../../fixtures/libwebp_tools.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { decodeLossless, sameBytes } from '../../fixtures/webp_lossless_rows.ts';
import { fewColours } from '../../fixtures/webp_pictures.ts';
import { chunkOf } from '../../fixtures/webp_writer.ts';
import { checkAnyStreams, checkSparseGroups } from './lossless_suite.ts';

it('lossless streams are anything at all', async () => {
  await checkAnyStreams(61, 600);
});

it('lossless streams have sparse numbers of prefix code groups', async () => {
  await checkSparseGroups([
    [3, 0, 1200],
    [2500, 2, 600, 601],
  ]);
});

it.runIf(haveLibwebpTools)('reads photographs whose references fill the ring', () => {
  // 1.2 megapixels: more than the ring has, in repeated patches.
  const patch = photoPicture(300, 200, 3);
  const width = 1200;
  const height = 1000;
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x += 300) {
      const from = (y % 200) * 300 * 4;
      pixels.set(patch.pixels.subarray(from, from + 1200), (y * width + x) * 4);
    }
  }
  for (const picture of [{ width, height, pixels }, fewColours(1200, 1000, 30, 2)]) {
    const file = encodeByCwebp(picture, ['-lossless', '-m', '3']);
    expect(sameBytes(decodeLossless(chunkOf(file, 'VP8L')!), decodeByDwebp(file)!.pixels)).toBe(true);
  }
});
