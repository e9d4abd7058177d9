import { describe } from 'vitest';
import { pngDecoder } from '../../../src/codecs/png/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import { chunksOf, kindRecipes, recipeName } from '../../fixtures/png_samples.ts';
import { joined, pngChunk, writePng } from '../../fixtures/png_writer.ts';

const seeds = kindRecipes({ width: 11, height: 7 }).map((recipe) => ({
  name: recipeName(recipe),
  bytes: writePng(recipe),
}));

/** Mutated PNG files, as they are and with their CRCs made right again. */
export function fuzzPng(count: number): void {
  describe('PNG decoder on mutated files', () => {
    fuzzDecoder({
      decoder: pngDecoder,
      seeds,
      count,
      seed: 20,
      factsOf: (bytes) => scan(bytes) ?? undefined,
    });
  });

  describe('PNG decoder on mutated files whose CRCs were made right again', () => {
    fuzzDecoder({
      decoder: pngDecoder,
      seeds,
      count,
      seed: 21,
      factsOf: (bytes) => {
        // In place: the decoder gets the same bytes.
        bytes.set(withSoundCrcs(bytes).subarray(0, bytes.length));
        return scan(bytes) ?? undefined;
      },
    });
  });
}

function withSoundCrcs(bytes: Uint8Array): Uint8Array {
  const rest = chunksOf(bytes).map(({ type, data }) =>
    pngChunk(/^[A-Za-z]{4}$/.test(type) ? type : 'teXt', data),
  );
  return joined([bytes.subarray(0, 8), ...rest]);
}
