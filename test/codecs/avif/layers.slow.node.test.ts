import { expect, it } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { decodeByAvifdec, haveAvifTools } from '../../fixtures/avif_tools.ts';
import { mostApart } from '../../fixtures/raster.ts';
import { choices, layeredFile, MOST_APART } from './layers_suite.ts';

it.skipIf(!haveAvifTools).each(choices)('avifdec shows the same layer: %s', async (_, size, chosen) => {
  const bytes = layeredFile(size, chosen);
  const { pixels } = await decodeWhole(avifDecoder, { bytes, facts: scan(bytes)! });
  const theirs = await decodeByAvifdec(bytes, 8);
  expect([theirs.width, theirs.height]).toEqual(size);
  expect(mostApart(pixels, theirs.pixels)).toBeLessThanOrEqual(MOST_APART);
});
