import { describe, expect, it } from 'vitest';
import type { Colorimetry, DecodedRaster, Raster } from '../../src/codecs/types.ts';
import {
  type Conversion,
  convertCodes,
  type MatrixConversion,
  type Samples,
} from '../../src/pixels/colour/conversion.ts';
import { profileColour } from '../../src/pixels/colour/profile_colour.ts';
import { colourSourceOf } from '../../src/pixels/colour/source.ts';
import type { ToneConversion } from '../../src/pixels/colour/tone.ts';
import { narrowColumns } from '../../src/pixels/columns.ts';
import { colourCost, greyStep, matrixStep, toneStep, toSrgb } from '../../src/pixels/to_srgb.ts';
import { stepCases } from '../cases/step_cases.ts';
import { differencesOf } from '../fixtures/colour_difference.ts';
import {
  COLORANTS,
  greyProfile,
  matrixProfile,
  pressProfile,
  profiles,
  scannerProfile,
} from '../fixtures/icc_writer.ts';
import { convertedByLcms } from '../fixtures/lcms_reference.ts';
import {
  noisePicture,
  type Picture,
  rasterOf,
  readPicture,
  type StripHeights,
  stripsOf,
} from '../fixtures/raster.ts';

function decoded(picture: Picture, heights: StripHeights = 16): DecodedRaster {
  return { ...rasterOf(picture, heights), [Symbol.dispose]() {} };
}

/** The same, of 16 bits a sample alone, in pieces of any height. */
const in16Bits = (picture: Picture): DecodedRaster => ({
  ...decoded(picture),
  strips: () => expect.unreachable(),
  *strips16() {
    for (const { y, rows, pixels } of stripsOf(rasterOf(picture, [1, 7, 3]))) {
      yield { y, rows, samples: Uint16Array.from(pixels, (code) => code * 257) };
    }
  },
});

/** Every eighth code of each channel, ends included: 33 × 33 × 33 pixels. */
function gridPicture(): Picture {
  const pixels = new Uint8Array(33 ** 3 * 4);
  for (let i = 0; i < 33 ** 3; i++) {
    const codes = [i % 33, Math.floor(i / 33) % 33, Math.floor(i / 1089)].map((step) =>
      Math.min(255, step * 8),
    );
    pixels.set([...codes, 255], i * 4);
  }
  return { width: 33 * 33, height: 33, pixels };
}

/** Every grey code, 256 × 1. */
function greyPicture(): Picture {
  const pixels = new Uint8Array(1024);
  for (let code = 0; code < 256; code++) pixels.set([code, code, code, 255], code * 4);
  return { width: 256, height: 1, pixels };
}

const colours = (pixels: Uint8Array) => pixels.filter((_, i) => i % 4 < 3);

async function converted(picture: Picture, conversion: Conversion): Promise<Picture> {
  return readPicture((await toSrgb(decoded(picture), conversion))!);
}

const conversionOf = (profile: Uint8Array, samples: Samples = 'rgb') =>
  profileColour(profile, samples).conversion;

const sampledSrgb = Array.from({ length: 1024 }, (_, i) => {
  const code = i / 1023;
  return code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4;
});

describe('conversion to sRGB', () => {
  const rgbProfiles: Readonly<Record<string, () => Uint8Array>> = {
    'Display P3': profiles.displayP3,
    'Adobe RGB': profiles.adobeRgb,
    ProPhoto: profiles.proPhoto,
    'sRGB v4': profiles.srgbV4,
    'sampled curves': () => matrixProfile('points', COLORANTS.displayP3, { points: sampledSrgb }, 2),
    'curves that differ': () =>
      matrixProfile('differ', COLORANTS.adobeRgb, [{ gamma: 1.8 }, 'straight', { gamma: 2.4 }]),
    'parametric functions of other types': () =>
      matrixProfile('types', COLORANTS.displayP3, [
        { parametric: 1, parameters: [2.2, 0.9, 0.1] },
        { parametric: 2, parameters: [2, 0.9, 0.05, 0.02] },
        { parametric: 4, parameters: [2.4, 0.94, 0.05, 0.08, 0.045, 0.01, 0.002] },
      ]),
    'a table': scannerProfile,
  };
  for (const [name, profile] of Object.entries(rgbProfiles)) {
    it(`equals LittleCMS for ${name}, inside and outside the gamut`, async () => {
      const picture = gridPicture();
      const ours = colours((await converted(picture, conversionOf(profile()))).pixels);
      const theirs = await convertedByLcms(profile(), 'rgb', colours(picture.pixels));
      const { mean, most } = differencesOf(ours, theirs);
      expect(mean).toBeLessThan(0.1);
      expect(most).toBeLessThan(1.2);
    });
  }

  for (const [name, profile] of Object.entries({
    'a gamma': profiles.greyGamma(),
    lightness: greyProfile('L*', 'straight', 'Lab'),
    points: greyProfile('points', { points: [0, 0.1, 0.5, 1] }),
  })) {
    it(`equals LittleCMS for grey by ${name}, and stays grey`, async () => {
      const picture = greyPicture();
      const raster = (await toSrgb(decoded(picture), conversionOf(profile, 'grey')))!;
      expect(raster.grey).toBe(true);
      const ours = colours(readPicture(raster).pixels);
      const theirs = await convertedByLcms(
        profile,
        'grey',
        picture.pixels.filter((_, i) => i % 4 === 0),
      );
      expect(differencesOf(ours, theirs).most).toBeLessThan(0.6);
    });
  }
});

describe('the colour step', () => {
  const p3 = conversionOf(profiles.displayP3());
  const grey: Conversion = { kind: 'grey', curve: (code) => code ** 1.8 };

  describe('in matrix colours', () => stepCases((source) => stepped(source, p3)));
  describe('in grey', () => stepCases((source) => stepped(allGrey(source), grey)));
  describe('in colours of high dynamic range', () => stepCases((source) => stepped(source, hdr())));

  it('converts narrowed columns where the source can be narrowed', async () => {
    const picture = noisePicture(30, 9, 3);
    const narrowed: number[] = [];
    const source: DecodedRaster = {
      ...decoded(picture),
      columns(x, width) {
        narrowed.push(x, width);
        return narrowColumns(rasterOf(picture), x, width);
      },
    };
    const whole = readPicture((await toSrgb(source, p3))!);
    const part = readPicture((await toSrgb(source, p3))!.columns!(4, 11));
    expect(narrowed).toEqual([4, 11]);
    expect(part.pixels).toEqual(whole.pixels.filter((_, i) => (i >> 2) % 30 >= 4 && (i >> 2) % 30 < 15));
    expect((await toSrgb(decoded(picture), p3))!.columns).toBeUndefined();
  });

  it('reads 16-bit strips where the source has them, in pieces of any height', async () => {
    const picture = noisePicture(50, 21, 4, 'any');
    for (const conversion of [p3, conversionOf(scannerProfile())]) {
      const ours = await toSrgb(in16Bits(picture), conversion);
      const { pixels } = readPicture(ours!);
      const flat = (await converted(picture, conversion)).pixels;
      expect(differencesOf(colours(pixels), colours(flat)).most).toBeLessThan(1.2);
      expect(pixels.filter((_, i) => i % 4 === 3)).toEqual(picture.pixels.filter((_, i) => i % 4 === 3));
    }
  });

  it.each([16, 18])('tones 8- and 16-bit samples of transfer %i down as numbers do', async (transfer) => {
    const conversion = hdr(transfer);
    const picture = noisePicture(60, 40, transfer, 'any');
    const results = [await toSrgb(in16Bits(picture), conversion), await toSrgb(decoded(picture), conversion)];
    for (const { pixels } of results.map((result) => readPicture(result!))) {
      let most = 0;
      for (let i = 0; i < pixels.length; i += 4) {
        const [red, green, blue] = picture.pixels.subarray(i, i + 3);
        const wanted = convertCodes(conversion, [red!, green!, blue!]);
        // Dark codes are several to a step of light.
        for (let c = 0; c < 3; c++)
          if (wanted[c]! >= 16) most = Math.max(most, Math.abs(pixels[i + c]! - wanted[c]!));
        expect(pixels[i + 3]).toBe(picture.pixels[i + 3]);
      }
      expect(most).toBeLessThanOrEqual(1);
    }
  });

  it('gives the same bytes through tables whatever the strip height, and rows wider than one call', async () => {
    const table = conversionOf(scannerProfile());
    const picture = noisePicture(40_000, 2, 5, 'any');
    const whole = readPicture((await toSrgb(decoded(picture), table))!);
    expect(readPicture((await toSrgb(decoded(picture, 1), table))!)).toEqual(whole);
    const theirs = await convertedByLcms(scannerProfile(), 'rgb', colours(picture.pixels));
    expect(differencesOf(colours(whole.pixels), theirs).most).toBeLessThan(2);
  });

  it('tells of the work within a row that takes tables longer than a slice', async () => {
    const [width, height] = [262_144, 1];
    const raster = await toSrgb(decoded(noisePicture(width, height, 5)), conversionOf(scannerProfile()));
    const works = [...raster!.strips()].filter((item) => typeof item === 'number');
    expect(works.length).toBeGreaterThan(4);
    expect(Math.max(...works)).toBeLessThan(width / 4);
  });

  it('returns undefined for CMYK tables without CMYK strips, and for tables that LittleCMS refuses', async () => {
    const picture = noisePicture(3, 3, 6);
    const cmyk = conversionOf(pressProfile(), 'cmyk');
    expect(await toSrgb(decoded(picture), cmyk)).toBeUndefined();
    const nonsense: Conversion = { kind: 'table', profile: new Uint8Array(400), samples: 'rgb' };
    expect(await toSrgb(decoded(picture), nonsense)).toBeUndefined();
  });

  it('costs kilobytes for curves and a matrix, and the heap of LittleCMS for tables', () => {
    expect(colourCost(grey, { width: 4000, height: 3000 }, false)).toBeLessThan(64 * 1024);
    expect(colourCost(p3, { width: 4000, height: 3000 }, false)).toBeLessThan(400 * 1024);
    expect(colourCost(p3, { width: 4000, height: 3000 }, true)).toBeLessThan(2 * 1024 * 1024);
    expect(colourCost(hdr(), { width: 4000, height: 3000 }, true)).toBeLessThan(2 * 1024 * 1024);
    expect(colourCost(conversionOf(scannerProfile()), { width: 4000, height: 3000 }, true)).toBeGreaterThan(
      19 * 1024 * 1024,
    );
  });
});

/** The step as a function of rasters only, for conversions that wait for nothing. */
function stepped(source: Raster, conversion: Conversion): Raster {
  const wanted = { ...source, [Symbol.dispose]() {} };
  if (conversion.kind === 'tone') return toneStep(wanted, conversion);
  return conversion.kind === 'grey'
    ? greyStep(wanted, conversion)
    : matrixStep(wanted, conversion as MatrixConversion);
}

/** What BT.2020 code points of this transfer mean; PQ where absent. */
function hdr(transfer = 16, colorimetry: Colorimetry = {}): ToneConversion {
  const codePoints = { primaries: 9, transfer, matrix: 9, fullRange: true };
  const facts = { format: 'avif', colour: 'ycbcr', colorimetry: { ...colorimetry, codePoints } } as const;
  return colourSourceOf(facts, new Uint8Array(0)).conversion as ToneConversion;
}

/** Red for all three. */
function allGrey(source: Raster): Raster {
  return {
    ...source,
    grey: true,
    *strips() {
      for (const strip of stripsOf(source)) {
        for (let i = 0; i < strip.pixels.length; i += 4) strip.pixels.fill(strip.pixels[i]!, i, i + 3);
        yield strip;
      }
    },
  };
}
