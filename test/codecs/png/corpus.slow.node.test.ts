import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import { pngEncoder } from '../../../src/codecs/png/encoder.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { corpusCases } from '../../cases/corpus_cases.ts';
import { corpusBytes, corpusFiles } from '../../fixtures/corpus.ts';
import { rasterOf } from '../../fixtures/raster.ts';
import { pixelsBySharp, readBySharp } from '../../fixtures/sharp_reader.ts';

const ROOM = 1 << 26;

corpusCases({
  decoder: pngDecoder,
  // Colours are converted by profiles elsewhere.
  oracle: async (bytes) =>
    scan(bytes)?.blocks.some(({ name }) => name === 'icc') ? undefined : pixelsBySharp(bytes),
  // And the cost of none is more than a few megabytes.
  beside: (bytes) => Math.min(0, 4_000_000 - totalBytes(pngDecoder.cost(scan(bytes)!, {}))),
  compared: 170,
});

describe('PNG encoder on real photographs', () => {
  const photographs = corpusFiles('jpeg')
    .filter(({ file }) => file.startsWith('faces/'))
    .slice(0, 8);
  it.skipIf(photographs.length === 0)('writes them no larger than sharp does by default', async () => {
    for (const file of photographs) {
      const decoded = sharp(corpusBytes(file)).resize({ width: 900 }).toColourspace('srgb').removeAlpha();
      const theirs = await decoded.clone().png().toBuffer();
      const picture = await readBySharp(theirs);
      using output = await pngEncoder.encode(rasterOf(picture), 90, ROOM);
      expect(output.bytes.length, file.file).toBeLessThanOrEqual(theirs.length);
    }
  });
});
