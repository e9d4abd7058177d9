import { describe, expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { mostApart } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { choices, layeredFile, lsel, MOST_APART, predicted } from './layers_suite.ts';

describe('layers of an AVIF', () => {
  it.each(choices)('the picture is %s, as libaom decodes it alone', async (_, size, chosen, alone) => {
    const bytes = layeredFile(size, chosen);
    const facts = scan(bytes)!;
    expect(facts).toMatchObject({ width: size[0], height: size[1] });
    const { pixels } = await decodeWhole(avifDecoder, { bytes, facts });
    const theirs = await readBySharp(alone);
    expect([theirs.width, theirs.height]).toEqual(size);
    expect(mostApart(pixels, theirs.pixels)).toBeLessThanOrEqual(MOST_APART);
  });

  it('what decoding the chosen one holds is known from the headers, behind the data of others', () => {
    expect(scan(layeredFile([150, 100], []))!.avif!.colour.decoderBytes).toBeGreaterThan(
      scan(layeredFile([130, 70], [lsel(0)]))!.avif!.colour.decoderBytes,
    );
  });

  it('a lower one comes out where it is chosen, whatever is predicted from it', async () => {
    const bytes = layeredFile([130, 70], [lsel(0)], predicted);
    const facts = scan(bytes)!;
    expect(facts.avif!.predicted).toBeUndefined();
    await expect(decodeWhole(avifDecoder, { bytes, facts })).resolves.toBeDefined();
  });

  it('one of another size than its header promises is refused, not stretched', async () => {
    const bytes = layeredFile([150, 100], [lsel(0)]);
    await expect(decodeWhole(avifDecoder, { bytes, facts: scan(bytes)! })).rejects.toThrow(
      'promises 150 × 100',
    );
  });
});
