import { describe, expect, it } from 'vitest';
import { blockNames } from '../../../src/metadata/block_names.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { u32 } from '../../fixtures/bytes.ts';
import { profiles } from '../../fixtures/icc_writer.ts';
import { data, header, png } from '../../fixtures/metadata/small_png.ts';
import { pngChunk, writePng } from '../../fixtures/png_writer.ts';
import {
  CHROMATICITIES,
  chromaticityChunk,
  codePointChunk,
  gammaChunk,
  profileChunk,
  srgbChunk,
} from '../../fixtures/profiled_files.ts';
import { sanitized } from '../../fixtures/sanitized.ts';

const palette = pngChunk('PLTE', [0, 0, 0, 255, 255, 255]);
const CHUNKS = [
  ['gAMA', gammaChunk(1)],
  ['cHRM', chromaticityChunk(CHROMATICITIES.displayP3)],
  ['sRGB', srgbChunk()],
  ['iCCP', profileChunk(profiles.displayP3())],
  ['cICP', codePointChunk(12, 13)],
  ['mDCV', pngChunk('mDCV', new Uint8Array(16), u32(10_000_000), u32(1))],
  ['cLLI', pngChunk('cLLI', u32(10_000_000), u32(1))],
] as const;

/** The chunk with one bit of its checksum flipped. */
function spoiled(chunk: Uint8Array): Uint8Array {
  const copy = chunk.slice();
  copy[copy.length - 1]! ^= 1;
  return copy;
}

const colorimetryOf = (file: Uint8Array) => scan(file)!.colorimetry!;

/** As Chromium 156 shows files made so. */
describe.each(CHUNKS)('a PNG with %s', (type, chunk) => {
  const used = colorimetryOf(png({ head: chunk }));
  const indexed = { header: header(1, 3) };

  it('heeds it before the image data', () => {
    expect(used).not.toEqual({});
  });

  it('ignores it behind the image data', () => {
    expect(colorimetryOf(png({ late: chunk }))).toEqual({});
    const other = type === 'sRGB' ? gammaChunk(1) : srgbChunk();
    expect(colorimetryOf(png({ head: other, late: chunk }))).toEqual(colorimetryOf(png({ head: other })));
    expect(colorimetryOf(png({ data: [data, chunk], late: chunk }))).toEqual({});
  });

  it('heeds it behind the palette, unless it is cICP', () => {
    const before = colorimetryOf(png({ ...indexed, head: [chunk, palette] }));
    const behind = colorimetryOf(png({ ...indexed, head: [palette, chunk] }));
    if (type === 'cICP') expect(behind).toEqual({});
    else expect(Object.keys(behind)).toEqual(Object.keys(before));
  });

  it('ignores it with a wrong checksum, and says so', async () => {
    expect(colorimetryOf(png({ head: spoiled(chunk) }))).toEqual({ damaged: type });
    const { damaged, ...rest } = colorimetryOf(png({ head: [spoiled(chunk), chunk] }));
    expect([damaged, Object.keys(rest)]).toEqual([type, Object.keys(used)]);
    const file = writePng({ width: 2, height: 2, colourType: 2, early: [spoiled(chunk)] });
    const { report } = await sanitized(file, {});
    expect(report.colour).toEqual({ from: 'untagged', converted: false });
    expect(report.warningCodes).toContain('colour_profile_ignored');
    expect(report.warnings.join()).toContain(`the checksum of the file's ${type} chunk is wrong`);
  });

  it('lists a profile that is ignored as a block', () => {
    const expected = type === 'iCCP' ? ['icc'] : [];
    expect(blockNames(scan(png({ late: chunk }))!)).toEqual(expected);
    expect(blockNames(scan(png({ head: spoiled(chunk) }))!)).toEqual(expected);
  });
});
