import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import type { SanitizeOpsInput } from '../../src/ops/schema.ts';
import { QUARTER_TURNS } from '../../src/vocabulary/vocabulary.ts';
import { avifBySharp, fileOfItem, obusOf } from '../fixtures/avif_files.ts';
import { av1C, clapOf, irot, ispe, pixi } from '../fixtures/avif_writer.ts';
import { noisePicture, photoPicture } from '../fixtures/raster.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';
import { readBySharp } from '../fixtures/sharp_reader.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';

type Ops = Omit<SanitizeOpsInput, 'response'>;

const png = { pixelate: { faces: false }, output: { format: 'png' } } as const satisfies Ops;

async function cleaned(file: Uint8Array, ops: Ops) {
  const { bytes, report } = await sanitize(file, ops);
  const picture = await readBySharp(bytes);
  expect([report.width, report.height]).toEqual([picture.width, picture.height]);
  return { bytes, picture };
}

/** What sharp makes of a clean picture by turning it. */
const turnedBySharp = async (clean: Uint8Array, turn: number) =>
  readBySharp(await sharp(clean).rotate(turn).png().toBuffer());

describe.each(QUARTER_TURNS)('rotate by %i degrees', (rotate) => {
  it.each(inputFormats)('turns a picture as sharp turns the clean one: %s', async (format) => {
    const file = await sampleFile(format, photoPicture(61, 40, 2));
    const { bytes } = await cleaned(file, png);
    const { picture } = await cleaned(file, { ...png, rotate });
    expect(picture).toEqual(await turnedBySharp(bytes, rotate));
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('comes after what the file says: orientation %i', async (orientation) => {
    const file = tagJpeg(await sampleFile('jpeg', photoPicture(61, 40, 2)), { orientation });
    const { bytes } = await cleaned(file, png);
    const { picture } = await cleaned(file, { ...png, rotate });
    expect(picture).toEqual(await turnedBySharp(bytes, rotate));
  });

  it.each([0, 1, 2, 3])(
    'shows no more of an AVIF than its aperture, itself turned by %i',
    async (quarters) => {
      const obus = obusOf(
        await avifBySharp(noisePicture(90, 70, 1), { lossless: true, chromaSubsampling: '4:4:4' }),
      );
      const aperture = clapOf({ width: 90, height: 70 }, { x: 21, y: 8, width: 33, height: 40 });
      const properties = [ispe(90, 70), pixi(8, 8, 8), av1C(0), aperture, irot(quarters)];
      const file = fileOfItem(obus, { width: 90, height: 70 }, { properties });
      const { bytes } = await cleaned(file, png);
      const { picture } = await cleaned(file, { ...png, rotate });
      expect(picture).toEqual(await turnedBySharp(bytes, rotate));
    },
  );

  it('goes before the crop, the resize and what is hidden', async () => {
    const file = await sampleFile('png', photoPicture(90, 64, 2));
    const ops = {
      crop: { x: 6, y: 10, width: 40, height: 44 },
      pixelate: { faces: false, regions: [{ x: 2, y: 3, w: 12, h: 7 }], fill: 'solid' },
      output: { format: 'png', maxWidth: 20 },
    } as const satisfies Ops;
    const upright = await sharp(file).rotate(rotate).png().toBuffer();
    expect((await cleaned(file, { ...ops, rotate })).picture).toEqual((await cleaned(upright, ops)).picture);
  });
});

it('refuses what is no quarter turn, and says which there are', async () => {
  const file = await sampleFile('png', photoPicture(9, 6, 2));
  for (const rotate of [45, -90, 0, 360, '90', true, null]) {
    await expect(sanitize(file, { rotate } as unknown as Ops)).rejects.toThrow(/90.*180.*270/);
  }
});
