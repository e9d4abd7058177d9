import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { firstDifference, readWhole } from '../../cases/decoder_cases.ts';
import { inkOracle, oracle } from '../../fixtures/jpeg_oracle.ts';
import { type RandomJpeg, randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';
import { photoPicture } from '../../fixtures/raster.ts';

async function difference(recipe: RandomJpeg): Promise<string> {
  const bytes = writeJpeg(randomJpeg(recipe));
  using raster = openJpeg(bytes);
  const expected = recipe.sampling.length === 4 ? await inkOracle(bytes) : await oracle(bytes);
  return firstDifference(readWhole(raster), expected);
}

const [whole, halved] = [[1, 1] as const, [2, 2] as const];
const colour420 = [halved, whole, whole];
const colour444 = [whole, whole, whole];
const modes = ['baseline', 'lone scans', 'progressive'] as const;
const factors = [1, 2, 3, 4];
const pairs = factors.flatMap((h) => factors.map((v) => [h, v] as const));

describe('JPEG decoder against libjpeg-turbo', () => {
  describe.each(modes)('%s', (mode) => {
    it('equals it at every sampling factor, with and without restarts', async () => {
      const differences: string[] = [];
      let seed = 0;
      for (const [h, v] of pairs) {
        for (const chroma of [[1, 1] as const, [h % 2 === 0 ? h / 2 : 1, v % 2 === 0 ? v / 2 : 1] as const]) {
          if (mode !== 'lone scans' && h * v + chroma[0] * chroma[1] + 1 > 10) continue;
          for (const [width, height] of [
            [37, 29],
            [3, 67],
            [65, 2],
          ] as const) {
            const restart = seed % 2 === 0 ? 0 : 1 + (seed % 5);
            const recipe = {
              width,
              height,
              sampling: [[h, v] as const, chroma, [1, 1] as const],
              mode,
              restart,
            };
            const found = await difference({ ...recipe, seed: ++seed });
            if (found !== 'none') differences.push(`${JSON.stringify(recipe)}: ${found}`);
          }
        }
      }
      expect(differences).toEqual([]);
    });

    it('equals it where rows of blocks are so long that they are decoded in parts', async () => {
      for (const [sampling, restart] of [
        [colour420, 0],
        [colour444, 7],
      ] as const) {
        expect(await difference({ width: 36_000, height: 18, sampling, mode, restart, seed: 1 })).toBe(
          'none',
        );
      }
    });

    it('equals it at every size from 1 to 70', async () => {
      const differences: string[] = [];
      const samplings = [
        [[1, 1]],
        samplingOf('11 11 11'),
        samplingOf('21 11 11'),
        samplingOf('22 11 11'),
      ] as const;
      for (let size = 1; size <= 70; size++) {
        for (const sampling of samplings) {
          const restart = size % 3 === 0 ? 2 : 0;
          const recipe = { width: size, height: 71 - size, sampling, mode, restart, seed: size };
          const found = await difference(recipe);
          if (found !== 'none') differences.push(`${JSON.stringify(recipe)}: ${found}`);
        }
      }
      expect(differences).toEqual([]);
    });

    it('equals it with four components', async () => {
      for (const first of samplingOf('11 21 22')) {
        const sampling = [first, [1, 1], [1, 1], first] as const;
        for (const [width, height] of [
          [33, 31],
          [1, 9],
        ] as const) {
          expect(await difference({ width, height, sampling, mode, restart: 3, seed: 5 })).toBe('none');
        }
      }
    });
  });

  it.each([
    [30, false, '4:2:0'],
    [75, true, '4:4:4'],
    [92, false, '4:4:4'],
    [92, true, '4:2:0'],
    [100, true, '4:2:0'],
    [100, false, '4:4:4'],
  ] as const)(
    'equals it on a picture at quality %i, progressive %s, %s',
    async (quality, progressive, subsampling) => {
      const { width, height, pixels } = photoPicture(301, 203);
      const raw = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
      const bytes = await raw.jpeg({ quality, progressive, chromaSubsampling: subsampling }).toBuffer();
      using raster = openJpeg(bytes);
      expect(firstDifference(readWhole(raster), await oracle(bytes))).toBe('none');
    },
  );
});
