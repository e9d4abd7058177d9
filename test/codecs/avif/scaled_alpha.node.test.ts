import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { type AvifPicture, findPicture } from '../../../src/metadata/avif/coded_picture.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { attempt, decodeWhole } from '../../cases/decoder_cases.ts';
import { avifBySharp, obusOf } from '../../fixtures/avif_files.ts';
import { auxC, av1C, avif, ispe, pixi } from '../../fixtures/avif_writer.ts';
import { bytes } from '../../fixtures/bytes.ts';
import type { Picture } from '../../fixtures/raster.ts';

const [WIDTH, HEIGHT] = [96, 64];

/** Alpha from left to right, with a dark corner; colours are the same all over. */
function picture(width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 4).fill(120);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isCorner = x < width / 4 && y < height / 4;
      pixels[(y * width + x) * 4 + 3] = isCorner ? 0 : Math.round((255 * (x + 0.5)) / width);
    }
  }
  return { width, height, pixels };
}

const lossless = { lossless: true };
const colour = obusOf(await avifBySharp(picture(WIDTH, HEIGHT), lossless));

/** The picture with alpha of another size. @param declared the size that the container states of it */
async function withAlpha(width: number, height: number, declared = [width, height] as const) {
  const file = await avifBySharp(picture(width, height), lossless);
  const { alpha } = resultOf(findPicture(file)) as AvifPicture;
  const obus = bytes(...alpha!.tiles[0]!.extents.map(({ start, end }) => file.subarray(start, end)));
  return avif({
    items: [
      { id: 1, type: 'av01', extents: [colour], properties: [1, 2, 3] },
      { id: 2, type: 'av01', extents: [obus], properties: [4, 5, 6, 7] },
    ],
    properties: [
      ...[ispe(WIDTH, HEIGHT), pixi(8, 8, 8), av1C(0)],
      ...[ispe(...declared), pixi(8), av1C(0x1c), auxC('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha')],
    ],
    references: [{ type: 'auxl', from: 2, to: [1] }],
  });
}

const alphaOf = async (file: Uint8Array) => {
  const { pixels } = await decodeWhole(avifDecoder, { bytes: file, facts: scan(file)! });
  return pixels.filter((_, at) => at % 4 === 3);
};

/** Mean difference of two planes. */
const mean = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length;

describe('an AVIF whose alpha has another size', () => {
  it.each([
    [48, 32],
    [24, 16],
    [12, 8],
    [32, 21],
    [95, 63],
    [97, 65],
    [96, 32],
    [48, 64],
    [192, 128],
    [384, 256],
    [768, 512],
    [200, 40],
  ])('has it scaled, as sharp does: %i × %i', async (width, height) => {
    const file = await withAlpha(width, height);
    expect(scan(file)).toMatchObject({ complete: true, hasAlpha: true, width: WIDTH, height: HEIGHT });
    const alpha = await alphaOf(file);
    expect(mean(alpha, await alphaOf(await withAlpha(WIDTH, HEIGHT)))).toBeLessThan(
      WIDTH / width > 4 ? 9 : 4,
    );
    const theirs = new Uint8Array(await sharp(file).extractChannel(3).raw().toBuffer());
    expect(theirs.length).toBe(alpha.length);
    expect(mean(alpha, theirs)).toBeLessThan(WIDTH / width > 4 ? 12 : 4);
  });

  it('has it scaled where the container states the size of the picture of it', async () => {
    const file = await withAlpha(48, 32, [WIDTH, HEIGHT]);
    expect(await alphaOf(file)).toEqual(await alphaOf(await withAlpha(48, 32)));
  });

  it('gives the same columns, read in parts', async () => {
    const file = await withAlpha(48, 32);
    const whole = await decodeWhole(avifDecoder, { bytes: file, facts: scan(file)! });
    const bands = [
      { x: 0, width: 40 },
      { x: 40, width: WIDTH - 40 },
    ];
    using raster = await avifDecoder.open(file, scan(file)!, { columnBands: bands });
    for (const { x, width } of bands) {
      for (const strip of raster.columns!(x, width).strips()) {
        if (typeof strip === 'number') continue;
        for (let row = 0; row < strip.rows; row++) {
          const at = ((strip.y + row) * WIDTH + x) * 4;
          const expected = whole.pixels.subarray(at, at + width * 4);
          expect([...strip.pixels.subarray(row * width * 4, (row + 1) * width * 4)]).toEqual([...expected]);
        }
      }
    }
  });

  it('is refused at more than eight times the size, or less than an eighth', async () => {
    for (const [width, height] of [
      [11, 64],
      [96, 600],
    ] as const) {
      const file = await withAlpha(width, height);
      const outcome = await attempt(avifDecoder, { bytes: file, facts: scan(file)! });
      expect((outcome as Error).message).toMatch(/image data of alpha has/);
    }
  });
});
