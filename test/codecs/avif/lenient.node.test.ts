import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { fileOfItem, obusOf, plainAvifFiles } from '../../fixtures/avif_files.ts';
import { type AvifOptions, av1C, clap, ispe, pixi } from '../../fixtures/avif_writer.ts';

const decode = (bytes: Uint8Array<ArrayBuffer>) => decodeWhole(avifDecoder, { bytes, facts: scan(bytes)! });

describe('an AVIF that strict readers refuse and browsers show', async () => {
  const files = await plainAvifFiles();
  const file = files.find(({ name }) => name === 'lossy')!.bytes;
  const { width, height, pixels } = await decode(file);
  const obus = obusOf(file);
  const [size, depths, configuration] = [ispe(width, height), pixi(8, 8, 8), av1C(0x0c)];

  it.each<[string, Partial<AvifOptions>]>([
    ['no pixi', { properties: [size, configuration] }],
    ['no ispe', { properties: [depths, configuration] }],
    [
      'a clap of whole numbers',
      { properties: [size, depths, configuration, clap([8, 1], [6, 1], [0, 1], [0, 1])] },
    ],
    [
      'a clap whose width is no whole number',
      { properties: [size, depths, configuration, clap([33, 2], [6, 1], [1, 3], [0, 1])] },
    ],
    [
      'a clap that divides by nothing',
      { properties: [size, depths, configuration, clap([8, 0], [6, 0], [0, 0], [0, 0])] },
    ],
    ['properties linked twice, by two ipma boxes', { linkedTwice: 'boxes' }],
    ['properties linked twice, in one ipma box', { linkedTwice: 'entries' }],
  ])('is read where it has %s', async (_, container) => {
    const changed = fileOfItem(obus, { width, height }, container);
    expect(scan(changed)).toMatchObject({ width, height, complete: true });
    const found = await decode(changed);
    expect([found.width, found.height]).toEqual([width, height]);
    expect(found.pixels).toEqual(pixels);
  });
});
