import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { isolateMemoryPool } from '../../../src/core/memory_pool.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { fuzzDecoder } from '../../cases/decoder_fuzz.ts';
import type { NamedFile } from '../../fixtures/avif_files.ts';

/** Memories that are kept for the next file: a decoder's is larger than a new isolate keeps by itself. */
const IDLE_BYTES = 64 * 1024 * 1024;

/** @param seeds whole files */
export function fuzzAvif(count: number, seed: number, seeds: readonly NamedFile[]): void {
  isolateMemoryPool.limit = IDLE_BYTES;
  fuzzDecoder({
    decoder: avifDecoder,
    count,
    seed,
    columnsEvery: 4,
    factsOf: (bytes) => scan(bytes) ?? undefined,
    seeds,
  });
}
