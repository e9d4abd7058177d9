import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesOf } from '../../fixtures/colour_difference.ts';
import { pressProfile, profiles } from '../../fixtures/icc_writer.ts';
import { profiledJpeg } from '../../fixtures/profiled_files.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { sanitized } from '../../fixtures/sanitized.ts';

const WIDTH = 96;
const HEIGHT = 64;
const noFaces = { pixelate: { faces: false } };

const rgb = (file: Uint8Array, ignoreIcc = false) =>
  sharp(file, { ignoreIcc }).removeAlpha().toColourspace('srgb').raw().toBuffer();

describe('against sharp', () => {
  const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
  const names = ['displayP3', 'adobeRgb', 'proPhoto'] as const;
  const pathOf = (name: string) => join(folder, `${name}.icc`);
  beforeAll(() => {
    for (const name of names) writeFileSync(pathOf(name), profiles[name]());
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const picture = sharp(photoPicture(WIDTH, HEIGHT, 3).pixels, {
    raw: { width: WIDTH, height: HEIGHT, channels: 4 },
  }).removeAlpha();

  for (const name of names) {
    for (const [format, options] of [
      ['png', {}],
      ['tiff', { compression: 'lzw' }],
      ['webp', { lossless: true }],
      ['jpeg', { quality: 95, chromaSubsampling: '4:4:4' }],
      ['avif', { quality: 80, chromaSubsampling: '4:4:4' }],
    ] as const) {
      it(`reads ${format} in ${name} as sharp does`, async () => {
        const file = await picture.clone().withIccProfile(pathOf(name)).toFormat(format, options).toBuffer();
        expect((await sharp(file).metadata()).hasProfile).toBe(true);
        const { bytes, report } = await sanitized(file, noFaces);
        expect(report.colour.converted).toBe(true);
        const theirs = await rgb(file);
        const { mean, most } = differencesOf(await rgb(bytes, true), theirs);
        // Lossy files are decoded by other code there: a code of difference is stretched with the rest.
        const lossy = format === 'jpeg' || format === 'avif';
        expect(mean).toBeLessThan(lossy ? 0.5 : 0.15);
        expect(most).toBeLessThan(lossy ? 2.5 : 1.2);
        // Far from what dropping the profile would give.
        expect(differencesOf(await rgb(file, true), theirs).mean).toBeGreaterThan(mean * 4);
      });
    }
  }

  it('brings a 16-bit PNG back to what it was before sharp made it ProPhoto RGB', async () => {
    const source16 = picture.clone().withIccProfile(pathOf('proPhoto')).toColourspace('rgb16').png();
    const file = await source16.toBuffer();
    expect((await sharp(file).metadata()).depth).toBe('ushort');
    const { bytes } = await sanitized(file, noFaces);
    const { mean, most } = differencesOf(await rgb(bytes, true), await picture.clone().raw().toBuffer());
    // sharp's way there is not exact.
    expect(mean).toBeLessThan(0.5);
    expect(most).toBeLessThan(2);
  });
});

describe('cmyk against sharp', () => {
  it('equals libvips', async () => {
    const picture = sharp(photoPicture(WIDTH, HEIGHT, 3).pixels, {
      raw: { width: WIDTH, height: HEIGHT, channels: 4 },
    });
    const cmyk = await picture.removeAlpha().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    const file = profiledJpeg(cmyk, pressProfile());
    const { bytes, report } = await sanitized(file, noFaces);
    expect(report.colour).toEqual({ from: 'Made press', converted: true });
    const { mean, most } = differencesOf(await rgb(bytes, true), await rgb(file));
    expect(mean).toBeLessThan(0.5);
    expect(most).toBeLessThan(2);
  });
});
