import { describe, expect, it } from 'vitest';
import { changesNothing, convertCodes } from '../../../src/pixels/colour/conversion.ts';
import { colourSourceOf } from '../../../src/pixels/colour/source.ts';
import { COLORANTS, curveTag, writeProfile, xyzTag } from '../../fixtures/icc_writer.ts';

/** A profile of sRGB's primaries and gamma 2.2, with a cicp tag (ICC.1:2022 section 10.3) of these codes. */
function profileWith(codes: readonly number[] | undefined): Uint8Array {
  const [red, green, blue] = COLORANTS.srgb;
  const curve = curveTag({ gamma: 2.2 });
  const cicp = Uint8Array.of(...new TextEncoder().encode('cicp'), 0, 0, 0, 0, ...(codes ?? []));
  return writeProfile({
    description: 'Made',
    colourSpace: 'RGB',
    tags: [
      ['rXYZ', xyzTag(red)],
      ['gXYZ', xyzTag(green)],
      ['bXYZ', xyzTag(blue)],
      ['rTRC', curve],
      ['gTRC', curve],
      ['bTRC', curve],
      ...(codes ? ([['cicp', cicp]] as const) : []),
    ],
  });
}

const byProfile = (codes?: readonly number[], colour: 'rgb' | 'grey' = 'rgb') => {
  const file = profileWith(codes);
  const icc = { pieces: [{ start: 0, end: file.length }], encoding: 'raw' as const };
  return colourSourceOf({ format: 'jpeg', colour, colorimetry: { icc } }, file);
};
const byCodes = (primaries: number, transfer: number) =>
  colourSourceOf(
    {
      format: 'avif',
      colour: 'rgb',
      colorimetry: { codePoints: { primaries, transfer, matrix: 0, fullRange: true } },
    },
    new Uint8Array(0),
  );

const COLOURS = [
  [0, 0, 0],
  [255, 255, 255],
  [128, 128, 128],
  [200, 40, 90],
  [20, 180, 60],
] as const;

/** What a source makes of some colours. */
const shown = ({ conversion }: ReturnType<typeof byProfile>) =>
  COLOURS.map((codes) =>
    conversion && conversion.kind !== 'table' && !changesNothing(conversion)
      ? convertCodes(conversion, codes)
      : [...codes],
  );

describe('code points in an ICC profile', () => {
  it.each([
    ['PQ of BT.2020', 9, 16],
    ['HLG of BT.2020', 9, 18],
    ['PQ of Display P3', 12, 16],
    ['HLG of BT.709', 1, 18],
    ['linear light', 1, 8],
    ['linear light of BT.2020', 9, 8],
    ['gamma 2.8', 5, 5],
    ['Display P3', 12, 13],
    ['sRGB', 1, 13],
    ['BT.709', 1, 1],
  ])('go before its curves, as in Chromium: %s', (_, primaries, transfer) => {
    const source = byProfile([primaries, transfer, 0, 1]);
    expect(source.name).toBe('Made');
    expect(shown(source)).toEqual(shown(byCodes(primaries, transfer)));
  });

  it.each([
    ['of a matrix', [9, 16, 1, 1]],
    ['of a narrow range', [9, 16, 0, 0]],
    ['of an unspecified transfer', [9, 2, 0, 1]],
    ['of a logarithmic transfer', [9, 9, 0, 1]],
    ['of unspecified primaries', [2, 13, 0, 1]],
    ['of reserved codes', [3, 3, 0, 1]],
    ['that are cut off', [9, 16]],
  ])('do not count %s', (_, codes) => {
    expect(shown(byProfile(codes))).toEqual(shown(byProfile()));
  });

  it('do not count for grey', () => {
    expect(shown(byProfile([9, 16, 0, 1], 'grey'))).toEqual(shown(byProfile(undefined, 'grey')));
  });
});
