import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TableConversion } from '../../../src/pixels/colour/conversion.ts';
import { embeddedProfile } from '../../../src/pixels/colour/embedded.ts';
import { ProfileDefect, readProfile } from '../../../src/pixels/colour/icc.ts';
import { profileName } from '../../../src/pixels/colour/icc_text.ts';
import { openTransform } from '../../../src/pixels/colour/lcms.ts';
import { profileColour } from '../../../src/pixels/colour/profile_colour.ts';
import { MAX_PROFILE_BYTES } from '../../../src/pixels/colour/stored_profile.ts';
import {
  COLORANTS,
  type CurveRecipe,
  curveTag,
  greyProfile,
  matrixProfile,
  mlucTag,
  pressProfile,
  profiles,
  scannerProfile,
  tableTag,
  writeProfile,
  xyzTag,
} from '../../fixtures/icc_writer.ts';

const nameOf = (profile: Uint8Array) => profileName(readProfile(profile));

describe("a profile's name", () => {
  it('is read of both versions', () => {
    expect(nameOf(matrixProfile('Version two', COLORANTS.srgb, 'straight', 2))).toBe('Version two');
    expect(nameOf(matrixProfile('Größe 4 \u{1f600}', COLORANTS.srgb, 'straight', 4))).toBe(
      'Größe 4 \u{1f600}',
    );
  });

  it('is English where there is a choice, else the first', () => {
    const profile = (texts: Record<string, string>) =>
      writeProfile({ colourSpace: 'RGB', tags: [['desc', mlucTag(texts)]], named: false });
    expect(nameOf(profile({ deDE: 'Bildschirm', enUS: 'Display', frFR: 'Écran' }))).toBe('Display');
    expect(nameOf(profile({ deDE: 'Bildschirm', frFR: 'Écran' }))).toBe('Bildschirm');
  });

  it('is one printable line of 64 characters at most', () => {
    const name = nameOf(matrixProfile(`a\r\n\tb\u202e\u0007c${'é'.repeat(500)}`, COLORANTS.srgb, 'straight'));
    expect(name).toMatch(/^a b cé+$/);
    expect([...name]).toHaveLength(64);
    expect(nameOf(matrixProfile('seen\0hidden', COLORANTS.srgb, 'straight'))).toBe('seen');
    expect(nameOf(matrixProfile('\u0001 \u0002', COLORANTS.srgb, 'straight'))).toBe('');
    expect(profileColour(matrixProfile('', COLORANTS.srgb, 'straight'), 'rgb').name).toBe(
      'unnamed ICC profile',
    );
  });
});

describe('a broken profile', () => {
  const p3 = profiles.displayP3();
  const patched = (at: number, ...bytes: number[]) => {
    const profile = p3.slice();
    profile.set(bytes, at);
    return profile;
  };
  const curves = (curve: CurveRecipe) => matrixProfile('c', COLORANTS.srgb, curve);
  const withTag = (name: string, data: Uint8Array) =>
    writeProfile({
      colourSpace: 'RGB',
      tags: [
        ['rXYZ', xyzTag(COLORANTS.srgb[0])],
        ['gXYZ', xyzTag(COLORANTS.srgb[1])],
        ['bXYZ', xyzTag(COLORANTS.srgb[2])],
        ...['rTRC', 'gTRC', 'bTRC'].map((curve) => [curve, curveTag('straight')] as const),
      ].map(([tag, content]) => [tag, tag === name ? data : content] as [string, Uint8Array]),
    });

  it.each([
    ['nothing', new Uint8Array(0), /0 bytes/],
    ['a header only', p3.slice(0, 128), /128 bytes/],
    ['no signature', patched(36, 0x41), /no profile signature/],
    ['a size beyond', patched(0, 0x7f), /cut short/],
    ['a size of nothing', patched(0, 0, 0, 0, 0), /says that it has 0 bytes/],
    ['many tags', patched(128, 0, 0, 1, 0), /256 tags/],
    ['a tag table beyond the end', patched(128, 0, 0, 0, 100), /tag table/],
    ['a device link', patched(12, 0x6c, 0x69, 0x6e, 0x6b), /class "link"/],
    ['another colour space', patched(16, 0x48, 0x53, 0x56, 0x20), /colour space "HSV"/],
    ['no tags', writeProfile({ colourSpace: 'RGB', tags: [] }), /no rTRC tag/],
    [
      'no colorants',
      writeProfile({
        colourSpace: 'RGB',
        tags: ['r', 'g', 'b'].map((c) => [`${c}TRC`, curveTag('straight')]),
      }),
      /no usable rXYZ/,
    ],
    [
      'black colorants',
      matrixProfile(
        'b',
        [
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
        ],
        'straight',
      ),
      /0\.00 times/,
    ],
    ['a gamma of nothing', curves({ gamma: 0 }), /broken rTRC/],
    ['a negative gamma', curves({ parametric: 0, parameters: [-1] }), /broken rTRC/],
    ['a curve that divides by 0', curves({ parametric: 1, parameters: [2, 0, 1] }), /broken rTRC/],
    [
      'an unknown function',
      withTag(
        'gTRC',
        Uint8Array.of(...curveTag({ parametric: 0, parameters: [1] }).map((b, i) => (i === 9 ? 9 : b))),
      ),
      /broken gTRC/,
    ],
    [
      'a curve of more points than it has',
      withTag(
        'bTRC',
        curveTag({ points: [0, 1] }).map((b, i) => (i === 10 ? 1 : b)),
      ),
      /broken bTRC/,
    ],
    [
      'a curve of too many points',
      curves({ points: Array.from({ length: 32_768 }, () => 0) }),
      /broken rTRC/,
    ],
    ['another type for a curve', withTag('rTRC', xyzTag([1, 1, 1])), /broken rTRC/],
    ['cmyk without tables', writeProfile({ colourSpace: 'CMYK', tags: [] }), /no tables|CMYK pictures/],
  ])('(%s) is refused by name', (_, profile, message) => {
    const read = () => profileColour(profile, 'rgb');
    expect(read).toThrow(ProfileDefect);
    expect(read).toThrow(message);
  });

  it('throws ProfileDefect only, for any mutation', () => {
    const sound = [
      p3,
      profiles.adobeRgb(),
      greyProfile('g', { points: [0, 0.5, 1] }),
      scannerProfile('s', 3),
      pressProfile('p', 2),
    ];
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.nat(4),
        edits,
        fc.nat(),
        fc.constantFrom('grey', 'rgb', 'cmyk'),
        (which, changes, cut, samples) => {
          const profile = sound[which]!.slice(0, cut % 3 === 0 ? cut % sound[which]!.length : undefined);
          // Half of the changes fall on header and tag table.
          changes.forEach(([at, value], i) => {
            if (profile.length > 0)
              profile[at % (i % 2 === 0 ? Math.min(300, profile.length) : profile.length)] = value;
          });
          try {
            const { name, conversion } = profileColour(profile, samples);
            expect([...name].length).toBeLessThanOrEqual(64);
            if (conversion.kind === 'matrix') expect(conversion.matrix.every(Number.isFinite)).toBe(true);
          } catch (error) {
            if (!(error instanceof ProfileDefect)) throw error;
          }
        },
      ),
      { numRuns: 4000, seed: 6 },
    );
  });
});

describe('tables of more values than LittleCMS reads in a slice', () => {
  /** A profile whose table declares a grid that is nowhere in it. */
  const declaring = (type: string, grid: number, tag = 'A2B0') => {
    const table = new Uint8Array(80);
    table.set(new TextEncoder().encode(type));
    table.set([4, 3, grid], 8);
    table.set([0, 0, 0, 52], 24);
    table.set([grid, grid, grid, grid], 52);
    const sound = tableTag(4, 2, () => [50, 0, 0]);
    const tags = [
      ['A2B0', tag === 'A2B0' ? table : sound] as const,
      ...(tag === 'A2B0' ? [] : [[tag, table] as const]),
    ];
    return writeProfile({ colourSpace: 'CMYK', connectionSpace: 'Lab', tags });
  };

  it('are refused, in both directions: 3.7 MB of them held the thread for 45 ms', () => {
    for (const type of ['mft1', 'mft2', 'mAB ', 'mBA ']) {
      expect(profileColour(declaring(type, 23), 'cmyk').conversion.kind).toBe('table');
      expect(() => profileColour(declaring(type, 24), 'cmyk')).toThrow('more than 900000 values');
      expect(() => profileColour(declaring(type, 24, 'B2A0'), 'cmyk')).toThrow('more than 900000 values');
    }
  });

  it('count only where they are used', () => {
    expect(profileColour(declaring('mft2', 24, 'A2B2'), 'cmyk').conversion.kind).toBe('table');
  });
});

describe('multi-process elements', () => {
  const elements = new Uint8Array(400).fill(1);
  const table = tableTag(3, 5, ([red = 0, green = 0, blue = 0]) => [
    100 * red,
    100 * (green - red),
    100 * (blue - red),
  ]);
  const profileWith = (...tags: (readonly [string, Uint8Array])[]) =>
    writeProfile({ colourSpace: 'RGB', connectionSpace: 'Lab', tags });

  it('are never run: the table beside them is', () => {
    const { conversion } = profileColour(
      profileWith(['A2B0', table], ['D2B1', elements], ['B2D0', elements]),
      'rgb',
    );
    const { profile } = conversion as TableConversion;
    expect([...readProfile(profile).tags.keys()]).toEqual(['desc', 'wtpt', 'A2B0', '_2B1', '_2D0']);
    const samples = Uint8Array.of(200, 180, 220, 255);
    const plain = openTransform(profileWith(['A2B0', table]), 'rgb', 1)!.convert(samples);
    expect(openTransform(profile, 'rgb', 1)!.convert(samples)).toEqual(plain);
  });

  it('without tables count as no tables', () => {
    expect(() => profileColour(profileWith(['D2B1', elements]), 'rgb')).toThrow(/no rTRC/);
  });

  it('are removed from a copy, not from the file', () => {
    const file = profileWith(['A2B0', table], ['D2B1', elements]);
    const before = file.slice();
    profileColour(file, 'rgb');
    expect(file).toEqual(before);
  });
});

describe('an embedded profile', () => {
  const whole = (file: Uint8Array, encoding: 'raw' | 'zlib') =>
    embeddedProfile(file, { pieces: [{ start: 0, end: file.length }], encoding });
  const deflated = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(
      await new Response(
        new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate')),
      ).arrayBuffer(),
    );

  it('is not copied where it need not be', () => {
    const file = profiles.displayP3();
    expect(whole(file, 'raw').buffer).toBe(file.buffer);
  });

  it('is inflated as far as its header says, no further', async () => {
    const profile = profiles.displayP3();
    const padded = new Uint8Array(profile.length + 10_000_000);
    padded.set(profile);
    expect(whole(await deflated(padded), 'zlib')).toEqual(profile);
    expect(whole(await deflated(profile.slice(0, 200)), 'zlib')).toHaveLength(200);
  });

  it('is refused when it is too long, or corrupt', async () => {
    const long = { pieces: [{ start: 0, end: MAX_PROFILE_BYTES + 1 }], encoding: 'raw' } as const;
    expect(() => embeddedProfile(new Uint8Array(MAX_PROFILE_BYTES + 1), long)).toThrow(/longer than 4194304/);
    const claims = Uint8Array.of(0xff, 0, 0, 0, ...new Uint8Array(200));
    expect(() => whole(claims, 'raw')).not.toThrow();
    const bomb = await deflated(claims);
    expect(() => whole(bomb, 'zlib')).toThrow(/longer than/);
    expect(() => whole(Uint8Array.of(1, 2, 3, 4, 5), 'zlib')).toThrow(/corrupt/);
    expect(() => whole(new Uint8Array(0), 'zlib')).toThrow(ProfileDefect);
  });
});
