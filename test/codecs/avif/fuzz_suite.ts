import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import type { NamedFile } from '../../fixtures/avif_files.ts';

/** @param seeds whole files */
export function fuzzAvif(count: number, seed: number, seeds: readonly NamedFile[]): void {
  fuzzDecoder({
    decoder: avifDecoder,
    count,
    seed,
    columnsEvery: 4,
    factsOf: (bytes) => scan(bytes) ?? undefined,
    seeds,
  });
}
