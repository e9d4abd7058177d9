import { describe, expect, it } from 'vitest';
import type { Chromaticities, Colorimetry } from '../../../src/codecs/types.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { convertCodes, type MatrixConversion } from '../../../src/pixels/colour/conversion.ts';
import { colourSourceOf } from '../../../src/pixels/colour/source.ts';
import { type ColourFacts, type ColourSource, unconverted } from '../../../src/pixels/colour/stated.ts';
import { COLORANTS, greyProfile, matrixProfile, pressProfile, profiles } from '../../fixtures/icc_writer.ts';
import { pngChunk, writePng } from '../../fixtures/png_writer.ts';
import {
  CHROMATICITIES,
  chromaticityChunk,
  codePointChunk,
  gammaChunk,
  profileChunk,
  srgbChunk,
} from '../../fixtures/profiled_files.ts';

const NOTHING = new Uint8Array(0);

/** What a PNG with these chunks means. */
function pngColour(chunks: readonly Uint8Array[], colourType: 0 | 2 | 3 = 2): ColourSource {
  const bytes = writePng({ width: 2, height: 2, colourType, early: chunks });
  return colourSourceOf(scan(bytes)!, bytes);
}

const said = (colorimetry: Colorimetry, more: Partial<ColourFacts> = {}): ColourFacts => ({
  format: 'jpeg',
  colour: 'ycbcr',
  colorimetry,
  ...more,
});

/** What 8-bit codes become. */
const codesBy = (source: ColourSource, ...codes: readonly [red: number, green: number, blue: number]) =>
  convertCodes(source.conversion as MatrixConversion, codes);

const chromaticities = ([wx, wy, rx, ry, gx, gy, bx, by]: readonly number[]) =>
  ({ white: [wx, wy], red: [rx, ry], green: [gx, gy], blue: [bx, by] }) as Chromaticities;

describe('what a PNG says of its colours', () => {
  const p3 = profileChunk(profiles.displayP3());
  const gamma = gammaChunk(1 / 2.2);

  it('follows cICP, iCCP, sRGB, gAMA and cHRM, in this order', () => {
    const all = [
      codePointChunk(9, 13),
      p3,
      srgbChunk(),
      gammaChunk(1),
      chromaticityChunk(CHROMATICITIES.adobeRgb),
    ];
    const names = all.map((_, first) => pngColour(all.slice(first)).name);
    expect(names).toEqual([
      'BT.2020',
      'Display P3',
      'sRGB',
      'Adobe RGB (1998) gamma 1.0',
      'Adobe RGB (1998)',
    ]);
  });

  it('needs no conversion where it is sRGB, whichever chunk states it', () => {
    const plain = [
      [],
      [srgbChunk()],
      [gamma],
      [gamma, chromaticityChunk(CHROMATICITIES.srgb)],
      [chromaticityChunk(CHROMATICITIES.srgb)],
      [codePointChunk(1, 13)],
      [codePointChunk(1, 1)],
      [codePointChunk(2, 2)],
      [profileChunk(profiles.srgbV4())],
      [profileChunk(matrixProfile('sRGB', COLORANTS.srgb, { points: sampledSrgb() }, 2))],
    ].map((chunks) => pngColour(chunks));
    for (const source of plain) expect(source).toEqual({ name: expect.any(String) });
    expect(plain.map(({ name }) => name)).toEqual([
      'untagged',
      ...Array.from({ length: 6 }, () => 'sRGB'),
      'untagged',
      'sRGB v4',
      'sRGB',
    ]);
  });

  it('goes on to the next statement where one is broken, with a note', () => {
    const broken = profileChunk(profiles.displayP3().slice(0, 300));
    expect(pngColour([broken])).toEqual({
      name: 'untagged',
      note: {
        code: 'colour_profile_ignored',
        text: expect.stringMatching(/^the colour profile was ignored: it is cut short/),
      },
    });
    expect(pngColour([broken, gammaChunk(1)])).toMatchObject({
      name: 'BT.709 gamma 1.0',
      note: { text: expect.any(String) },
    });
    const garbage = profileChunk(profiles.displayP3());
    garbage.fill(0x55, 30, 40);
    const corrupt = pngChunk('iCCP', garbage.subarray(8, -4));
    expect(pngColour([corrupt]).note?.text).toMatch(/corrupt|cut short|signature/);
  });

  it('takes narrow range as stretched to full', () => {
    const source = pngColour([codePointChunk(1, 13, false)]);
    expect(codesBy(source, 16, 126, 235)).toEqual([0, 128, 255]);
  });

  it('makes linear light bright, and keeps grey grey', () => {
    const source = pngColour([gammaChunk(1)], 0);
    expect(source.conversion).toMatchObject({ kind: 'grey' });
    expect(codesBy(source, 55, 0, 0)).toEqual([128, 128, 128]);
  });

  it('is ignored where chromaticities or gamma fit no display', () => {
    expect(pngColour([gammaChunk(0.001)])).toMatchObject({
      name: 'untagged',
      note: { text: expect.stringContaining('gamma') },
    });
    const line = chromaticityChunk([0.3127, 0.329, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3]);
    expect(pngColour([line])).toMatchObject({
      name: 'untagged',
      note: { text: expect.stringContaining('chromaticities') },
    });
  });

  it('gives Display P3 by chromaticities and by its profile within one code', () => {
    const byPoints = pngColour([gamma, chromaticityChunk(CHROMATICITIES.displayP3)]);
    const byProfile = pngColour([p3]);
    expect(byPoints.name).toBe('Display P3');
    const colours: readonly (readonly [number, number, number])[] = [
      [200, 100, 50],
      [30, 180, 90],
      [120, 120, 120],
    ];
    for (const codes of colours) {
      const [one, other] = [codesBy(byPoints, ...codes), codesBy(byProfile, ...codes)];
      expect(Math.max(...one.map((code, i) => Math.abs(code - other[i]!)))).toBeLessThanOrEqual(1);
    }
  });
});

function sampledSrgb(): number[] {
  return Array.from({ length: 1024 }, (_, i) => {
    const code = i / 1023;
    return code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4;
  });
}

describe('what other files say', () => {
  it('Exif R03, or ColorSpace 2, means Adobe RGB; ColorSpace 1 means sRGB; of RGB only', () => {
    const adobe = colourSourceOf(said({ interopIndex: 'R03', exifColorSpace: 65_535 }), NOTHING);
    expect(adobe.name).toBe('Adobe RGB (1998)');
    // Its green is outside of sRGB; its greys are a little darker or equal.
    expect(codesBy(adobe, 0, 255, 0)).toEqual([0, 255, 0]);
    expect(codesBy(adobe, 200, 150, 100)[0]).toBeGreaterThan(210);
    expect(colourSourceOf(said({ exifColorSpace: 2 }), NOTHING).name).toBe('Adobe RGB (1998)');
    expect(colourSourceOf(said({ exifColorSpace: 1, interopIndex: 'R03' }), NOTHING)).toEqual({
      name: 'sRGB',
    });
    expect(colourSourceOf(said({ exifColorSpace: 65_535 }), NOTHING)).toEqual({ name: 'untagged' });
    expect(colourSourceOf(said({ interopIndex: 'R98' }), NOTHING)).toEqual({ name: 'untagged' });
    expect(colourSourceOf(said({ interopIndex: 'R03' }, { colour: 'grey' }), NOTHING)).toEqual({
      name: 'untagged',
    });
  });

  it('a profile comes before code points, those before Exif', () => {
    const profile = profiles.adobeRgb();
    const icc = { pieces: [{ start: 0, end: profile.length }], encoding: 'raw' } as const;
    const codePoints = { primaries: 12, transfer: 13, matrix: 6, fullRange: false };
    const facts = { format: 'avif', colour: 'ycbcr' } as const;
    expect(colourSourceOf(said({ icc, codePoints }, facts), profile).name).toBe('Adobe RGB (1998)');
    const byPoints = colourSourceOf(said({ codePoints, interopIndex: 'R03' }, facts), NOTHING);
    expect(byPoints.name).toBe('Display P3');
    // Ranges of YCbCr are the decoder's business.
    expect(codesBy(byPoints, 255, 255, 255)).toEqual([255, 255, 255]);
  });

  it.each([
    [9, 14, 'BT.2020'],
    [9, 16, 'BT.2020 PQ', 'tone'],
    [9, 18, 'BT.2020 HLG', 'tone'],
    [12, 8, 'Display P3 linear'],
    [11, 17, 'DCI-P3 gamma 2.6'],
    [4, 4, 'BT.470 M gamma 2.2'],
  ])('names code points %i/%i "%s"', (primaries, transfer, name, kind = 'matrix') => {
    const facts = said(
      { codePoints: { primaries, transfer, matrix: 9, fullRange: true } },
      { format: 'avif' },
    );
    expect(colourSourceOf(facts, NOTHING)).toMatchObject({ name, conversion: { kind } });
  });

  it('does not convert where a matrix is derived from the primaries, and says so', () => {
    const codePoints = { primaries: 12, transfer: 16, matrix: 12, fullRange: true };
    const source = colourSourceOf(said({ codePoints }, { format: 'avif' }), NOTHING);
    const note = { code: 'colours_taken_as_srgb', text: expect.stringContaining('derived') };
    expect(source).toEqual({ name: 'Display P3 PQ', note });
    const srgb = { primaries: 1, transfer: 13, matrix: 12, fullRange: true };
    expect(colourSourceOf(said({ codePoints: srgb }, { format: 'avif' }), NOTHING)).toEqual({ name: 'sRGB' });
    const png = { format: 'png', colour: 'rgb' } as const;
    expect(colourSourceOf(said({ codePoints }, png), NOTHING)).not.toHaveProperty('note');
  });

  it.each([16, 18])(
    'tones HDR (transfer %i) down: black stays, diffuse white is half of the light, highlights keep order',
    (transfer) => {
      const facts = said(
        { codePoints: { primaries: 9, transfer, matrix: 9, fullRange: true } },
        { format: 'avif' },
      );
      const source = colourSourceOf(facts, NOTHING);
      const greys = Array.from({ length: 256 }, (_, code) => codesBy(source, code, code, code)[0]);
      expect(greys[0]).toBe(0);
      // 203 candelas a square metre: 58 % of PQ, 75 % of HLG (BT.2408 table 1).
      expect(greys[Math.round(255 * (transfer === 16 ? 0.58 : 0.75))]).toBeGreaterThan(183);
      expect(greys[Math.round(255 * (transfer === 16 ? 0.58 : 0.75))]).toBeLessThan(193);
      for (let code = 1; code < 256; code++) expect(greys[code]).toBeGreaterThanOrEqual(greys[code - 1]!);
      expect(greys[255]).toBeGreaterThanOrEqual(254);
    },
  );

  it('a grey picture under an RGB profile becomes grey by its luminance', () => {
    const profile = profiles.proPhoto();
    const icc = { pieces: [{ start: 0, end: profile.length }], encoding: 'raw' } as const;
    const source = colourSourceOf(said({ icc }, { colour: 'grey' }), profile);
    expect(source).toMatchObject({ name: 'ProPhoto RGB', conversion: { kind: 'grey' } });
    // (128 / 255) ** 1.8 is 0.289 of the light; sRGB's code for that is 146.4.
    expect(codesBy(source, 128, 0, 0)[0]).toBe(146);
  });

  it.each([
    ['grey', 'ycbcr', () => greyProfile('g', { gamma: 2 }), /is for grey pictures and this one is RGB/],
    ['cmyk', 'ycbcr', pressProfile, /is for CMYK pictures and this one is RGB/],
    ['RGB', 'cmyk', profiles.displayP3, /is for RGB pictures and this one is CMYK/],
  ] as const)('a profile for %s is ignored on %s', (_, colour, make, note) => {
    const profile = make();
    const icc = { pieces: [{ start: 0, end: profile.length }], encoding: 'raw' } as const;
    const source = colourSourceOf(said({ icc }, { colour }), profile);
    expect(source.conversion).toBeUndefined();
    expect(source.note?.text).toMatch(note);
  });

  it('knows pictures of cmyk without a profile, and of L*a*b*', () => {
    expect(colourSourceOf(said({}, { colour: 'cmyk' }), NOTHING)).toEqual({ name: 'untagged CMYK' });
    expect(colourSourceOf(said({}, { colour: 'lab' }), NOTHING)).toEqual({
      name: 'CIE L*a*b*',
      decoded: true,
    });
  });

  it('reads a profile in pieces', () => {
    const profile = profiles.displayP3();
    const file = new Uint8Array(profile.length + 10);
    file.set(profile.subarray(0, 100), 5);
    file.set(profile.subarray(100), 110);
    const pieces = [
      { start: 5, end: 105 },
      { start: 110, end: profile.length + 10 },
    ];
    expect(colourSourceOf(said({ icc: { pieces, encoding: 'raw' } }), file).name).toBe('Display P3');
  });

  it('names cHRM by what it is, in any format that has it', () => {
    const facts = said(
      { chromaticities: chromaticities(CHROMATICITIES.adobeRgb) },
      { format: 'png', colour: 'rgb' },
    );
    expect(colourSourceOf(facts, NOTHING).name).toBe('Adobe RGB (1998)');
  });

  it('falls back with a note when tables cannot be used', () => {
    const source = {
      name: 'Press',
      conversion: { kind: 'table', profile: NOTHING, samples: 'cmyk' },
    } as const;
    const note = { code: 'colour_profile_ignored', text: expect.stringContaining('"Press"') };
    expect(unconverted(source)).toEqual({ name: 'untagged', note });
    expect(unconverted({ name: 'sRGB' })).toEqual({ name: 'sRGB' });
  });
});
