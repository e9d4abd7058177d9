import { describe, expect, it } from 'vitest';
import { tiffDecoder } from '../../../src/codecs/tiff/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { randomJpeg, samplingOf } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';
import { type Picture, readPicture } from '../../fixtures/raster.ts';
import { writeTiff } from '../../fixtures/tiff_writer.ts';

const sampling = samplingOf('22 11 11 22');
const recipe = randomJpeg({ width: 45, height: 37, sampling, mode: 'baseline', seed: 3 });

/** The plain formula, from CMYK. */
function formula({ pixels: cmyk }: Picture): Uint8Array {
  return cmyk.map((ink, i) => {
    if (i % 4 === 3) return 255;
    return Math.round(((255 - ink) * (255 - cmyk[i | 3]!)) / 255);
  });
}

describe('cmyk of a JPEG', () => {
  it.each([
    ['CMYK without a marker, inverted, too', undefined],
    ['CMYK inverted by Adobe', 0],
    ['YCCK', 2],
  ] as const)('%s: by the plain formula they are its pixels', (_, adobe) => {
    const { adobe: _default, ...plain } = recipe;
    using raster = openJpeg(writeJpeg({ ...plain, ...(adobe !== undefined && { adobe }) }));
    const cmyk = readPicture(raster.cmyk!);
    expect(formula(cmyk)).toEqual(readPicture(raster).pixels);
    // Readings take turns, and either can come first.
    expect(readPicture(raster.cmyk!)).toEqual(cmyk);
    expect(new Set(cmyk.pixels).size).toBeGreaterThan(50);
  });

  it('are read by columns, too, and shrunk', () => {
    const bytes = writeJpeg(recipe);
    using raster = openJpeg(bytes);
    const whole = readPicture(raster.cmyk!);
    const part = readPicture(raster.cmyk!.columns!(7, 20));
    const expected = whole.pixels.filter((_, i) => (i >> 2) % 45 >= 7 && (i >> 2) % 45 < 27);
    expect(part.pixels).toEqual(expected);
    using half = openJpeg(bytes, { minWidth: 20 });
    expect(half.cmyk).toMatchObject({ width: 23, height: 19, opaque: false });
    expect(formula(readPicture(half.cmyk!))).toEqual(readPicture(half).pixels);
  });

  it('are not there in other pictures', () => {
    using raster = openJpeg(
      writeJpeg(randomJpeg({ width: 9, height: 9, sampling: [[1, 1]], mode: 'baseline' })),
    );
    expect(raster.cmyk).toBeUndefined();
  });

  it('come out of a TIFF that holds JPEG data', async () => {
    const { adobe: _, ...plain } = recipe;
    const jpeg = writeJpeg(plain);
    const bytes = writeTiff({
      width: 45,
      height: 37,
      samples: 4,
      photometric: 5,
      compression: 7,
      rowsPerStrip: 37,
      stored: [jpeg],
      value: () => 0,
    });
    using tiff = await tiffDecoder.open(bytes, scan(bytes)!, { preferHighBitDepth: true });
    using alone = openJpeg(jpeg, { colour: 'rgb' });
    expect(readPicture(tiff.cmyk!).pixels).toEqual(readPicture(alone.cmyk!).pixels);
  });
});
