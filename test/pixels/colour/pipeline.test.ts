import { describe, expect, it } from 'vitest';
import { scan } from '../../../src/metadata/scan.ts';
import type { SanitizeOpsInput } from '../../../src/ops/schema.ts';
import { differencesOf } from '../../fixtures/colour_difference.ts';
import { greyProfile, pressProfile, profiles, scannerProfile } from '../../fixtures/icc_writer.ts';
import { randomJpeg } from '../../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../../fixtures/jpeg_writer/writer.ts';
import { convertedByLcms } from '../../fixtures/lcms_reference.ts';
import { gpsFields } from '../../fixtures/metadata/payloads.ts';
import { openJpeg } from '../../fixtures/open_jpeg.ts';
import { type PngRecipe, writePng } from '../../fixtures/png_writer.ts';
import { codePointChunk, profileChunk, profiledJpeg, srgbChunk } from '../../fixtures/profiled_files.ts';
import { photoPicture, readPicture } from '../../fixtures/raster.ts';
import { sampleFile } from '../../fixtures/samples.ts';
import { pictureOfPng, sanitized } from '../../fixtures/sanitized.ts';
import { tagJpeg } from '../../fixtures/tagged_jpeg.ts';
import { writeTiff } from '../../fixtures/tiff_writer.ts';

const run = (bytes: Uint8Array, ops: SanitizeOpsInput = {}) =>
  sanitized(bytes, { pixelate: { faces: false }, ...ops });

const pixelsOf = async (png: Uint8Array) => (await pictureOfPng(png)).pixels;

const colours = (pixels: Uint8Array) => pixels.filter((_, i) => i % 4 < 3);

const photo = photoPicture(64, 48, 7);
const samples = colours(photo.pixels);
const png = (early: readonly Uint8Array[], recipe: Partial<PngRecipe> = {}) =>
  writePng({ width: 64, height: 48, samples, early, ...recipe });

describe('a picture that is not sRGB', () => {
  // By matrices sharp.node.test.ts, in every format.
  it('leaves as sRGB by tables', async () => {
    const { bytes, report } = await run(png([profileChunk(scannerProfile())]));
    expect(report).toMatchObject({
      colour: { from: 'Made scanner', converted: true },
      warnings: [],
      sourceMetadataFound: ['icc'],
    });
    const theirs = await convertedByLcms(scannerProfile(), 'rgb', samples);
    expect(differencesOf(colours(await pixelsOf(bytes)), theirs).most).toBeLessThan(1.5);
  });

  it('is cropped, turned and resized after that, the same pixels in any order', async () => {
    const jpeg = await sampleFile('jpeg', photo);
    const upright = await run(profiledJpeg(jpeg, profiles.displayP3(), 200));
    expect(upright.report.colour).toEqual({ from: 'Display P3', converted: true });
    for (const orientation of [2, 3, 4, 5, 6, 7, 8] as const) {
      const turned = await run(
        tagJpeg(profiledJpeg(jpeg, profiles.displayP3()), { orientation, gps: gpsFields }),
      );
      const found = await pixelsOf(turned.bytes);
      const sorted = (pixels: Uint8Array) => new Uint32Array(pixels.slice().buffer).toSorted();
      expect(sorted(found)).toEqual(sorted(await pixelsOf(upright.bytes)));
    }
    const area = { x: 10, y: 8, width: 20, height: 16 };
    const cut = await run(profiledJpeg(jpeg, profiles.displayP3()), { crop: area });
    const whole = await pixelsOf(upright.bytes);
    const expected = whole.filter((_, i) => {
      const [x, y] = [(i >> 2) % 64, Math.floor(i / 256)];
      return x >= 10 && x < 30 && y >= 8 && y < 24;
    });
    expect(await pixelsOf(cut.bytes)).toEqual(expected);
  });

  it('keeps its alpha', async () => {
    const { pixels } = photoPicture(64, 48, 8);
    for (let i = 3; i < pixels.length; i += 4) pixels[i] = 1 + (i % 255);
    for (const profile of [profiles.displayP3(), scannerProfile()]) {
      const { bytes } = await run(png([profileChunk(profile)], { colourType: 6, samples: pixels }));
      const found = await pixelsOf(bytes);
      expect(found.filter((_, i) => i % 4 === 3)).toEqual(pixels.filter((_, i) => i % 4 === 3));
    }
  });

  it('stays grey when it is', async () => {
    const profile = greyProfile('Dot gain', { gamma: 1.75 });
    const greys = Array.from({ length: 64 * 48 }, (_, i) => i % 256);
    const { bytes, report } = await run(png([profileChunk(profile)], { colourType: 0, samples: greys }));
    expect(report.colour).toEqual({ from: 'Dot gain', converted: true });
    expect(scan(bytes)!.colour).toBe('grey');
    const theirs = await convertedByLcms(profile, 'grey', Uint8Array.from(greys));
    expect(differencesOf(colours(await pixelsOf(bytes)), theirs).most).toBeLessThan(0.6);
  });

  it('is converted with all of its 16 bits', async () => {
    // A dark ramp in linear light: 8 bits of it would make 26 codes.
    const ramp = Array.from({ length: 64 * 48 * 3 }, (_, i) => Math.floor(i / 3) * 2);
    const linear = { early: [codePointChunk(1, 8)], depth: 16, samples: ramp } as const;
    const { bytes } = await run(writePng({ width: 64, height: 48, ...linear }));
    const found = await pixelsOf(bytes);
    const reds = found.filter((_, i) => i % 4 === 0);
    for (let i = 0; i < reds.length; i++) {
      const light = (i * 2) / 65_535;
      const code = 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
      expect(Math.abs(reds[i]! - code)).toBeLessThanOrEqual(0.65);
    }
    expect(new Set(reds).size).toBeGreaterThan(80);
  });

  it.each([
    ['PNG', 'rgb', profiles.adobeRgb()],
    ['PNG', 'rgb', scannerProfile()],
    ['TIFF', 'rgb', profiles.adobeRgb()],
    ['TIFF', 'grey', profiles.greyGamma()],
  ] as const)(
    'of 16 bits (%s, %s) comes to what LittleCMS makes of 16 bits',
    async (format, kind, profile) => {
      const channels = kind === 'rgb' ? 3 : 1;
      const deep = Uint16Array.from({ length: 64 * 48 * channels }, (_, i) => (i * 40_503) & 65_535);
      const file =
        format === 'PNG'
          ? png([profileChunk(profile)], { depth: 16, samples: deep })
          : writeTiff({
              width: 64,
              height: 48,
              bits: 16,
              samples: channels,
              photometric: channels === 3 ? 2 : 1,
              value: (x, y, sample) => deep[(y * 64 + x) * channels + sample]!,
              tags: { 34675: { type: 'byte', values: [...profile] } },
            });
      const { bytes } = await run(file);
      const theirs = Uint8Array.from(await convertedByLcms(profile, kind, deep), (code) =>
        Math.round(code / 257),
      );
      const { mean, most } = differencesOf(colours(await pixelsOf(bytes)), theirs);
      expect(mean).toBeLessThan(0.1);
      expect(most).toBeLessThan(1.2);
    },
  );
});

describe('a picture of cmyk', () => {
  const cmyk = writeJpeg(
    randomJpeg({
      width: 40,
      height: 24,
      sampling: [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      mode: 'baseline',
      seed: 5,
    }),
  );

  it('is converted by its profile from TIFF; from JPEG as sharp does', async () => {
    const profile = pressProfile();
    const value = (x: number, y: number, ink: number) => (x * 29 + y * 53 + ink * 71) & 255;
    const file = writeTiff({
      width: 30,
      height: 20,
      samples: 4,
      photometric: 5,
      value,
      tags: { 34675: { type: 'byte', values: [...profile] } },
    });
    const stored = Uint8Array.from({ length: 30 * 20 * 4 }, (_, i) =>
      value((i >> 2) % 30, Math.floor(i / 120), i % 4),
    );
    const { bytes } = await run(file);
    const theirs = await convertedByLcms(profile, 'cmyk', stored);
    const { mean, most } = differencesOf(colours(await pixelsOf(bytes)), theirs);
    expect(mean).toBeLessThan(0.5);
    expect(most).toBeLessThan(2);
  });

  it('is rotated by columns as any other', async () => {
    const profiled = profiledJpeg(cmyk, pressProfile());
    const upright = await pixelsOf((await run(profiled)).bytes);
    const turned = await pixelsOf((await run(tagJpeg(profiled, { orientation: 6 }))).bytes);
    const at = (pixels: Uint8Array, width: number, x: number, y: number) => [
      ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
    ];
    for (const [x, y] of [
      [0, 0],
      [39, 23],
      [11, 7],
    ] as const) {
      expect(at(turned, 24, 23 - y, x)).toEqual(at(upright, 40, x, y));
    }
  });

  it('is taken by the plain formula without a profile, or with one that can not be used', async () => {
    const plain = await run(cmyk);
    expect(plain.report).toMatchObject({ colour: { from: 'untagged CMYK', converted: false }, warnings: [] });
    using raster = openJpeg(cmyk);
    expect(await pixelsOf(plain.bytes)).toEqual(readPicture(raster).pixels);

    // Its table says that it has more points than it holds: only LittleCMS looks.
    const broken = pressProfile();
    const table = broken.length - 3 * 8;
    broken.fill(0xff, table - 40, table);
    const gridAt =
      broken.findIndex((_, i) => String.fromCharCode(...broken.subarray(i, i + 4)) === 'mft2') + 10;
    broken[gridAt] = 20;
    const result = await run(profiledJpeg(cmyk, broken));
    expect(result.bytes).toEqual(plain.bytes);
    expect(result.report).toMatchObject({
      colour: { from: 'untagged', converted: false },
      warnings: [expect.stringContaining('"Made press" holds tables')],
      warningCodes: ['colour_profile_ignored'],
    });
  });
});

describe('a picture that is sRGB', () => {
  it('gives the same bytes as an untagged one', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const ops = { output: { format } };
      const { bytes, report } = await run(png([]), ops);
      expect(report.colour).toEqual({ from: 'untagged', converted: false });
      for (const chunk of [srgbChunk(), profileChunk(profiles.srgbV4()), codePointChunk(1, 13)]) {
        const told = await run(png([chunk]), ops);
        expect(told.bytes).toEqual(bytes);
        expect(told.report.colour.converted).toBe(false);
        expect(told.report.colour.from).toMatch(/^sRGB/);
      }
    }
  });

  it('keeps its stored JPEG samples', async () => {
    const jpeg = await sampleFile('jpeg', photo);
    const ops = { output: { format: 'jpeg' as const } };
    expect((await run(profiledJpeg(jpeg, profiles.srgbV4()), ops)).bytes).toEqual(
      (await run(jpeg, ops)).bytes,
    );
  });

  it('is assumed when its profile is broken, with a warning', async () => {
    const { bytes, report } = await run(png([profileChunk(profiles.displayP3().slice(0, 200))]));
    expect(report).toMatchObject({
      colour: { from: 'untagged', converted: false },
      warnings: [expect.stringMatching(/^the colour profile was ignored: it is cut short/)],
    });
    expect(bytes).toEqual((await run(png([]))).bytes);
  });
});
