import { describe, expect, it, vi } from 'vitest';
import { avifDecoder } from '../../../src/codecs/avif/decoder.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { decodeWhole } from '../../cases/decoder_cases.ts';
import { ALL_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { type NamedFile, plainAvifFiles } from '../../fixtures/avif_files.ts';
import { toolAvifFiles } from '../../fixtures/avif_tool_files.ts';
import { haveAvifTools } from '../../fixtures/avif_tools.ts';
import { fuzzAvif } from './fuzz_suite.ts';

/** AVIF_MUTANTS=20000: so many of every seed file, each a test of its own; AVIF_SEED: other ones. */
const { AVIF_MUTANTS, AVIF_SEED = '32' } = process.env;
const haveTools = haveAomTools && haveAvifTools;
const [plain, made] = [await plainAvifFiles(), haveTools ? await toolAvifFiles() : []];
describe('AVIF files that are mutated', () => {
  it.each(plain)('$name is read', reads);
  it.skipIf(!haveTools).each(made)('$name is read', reads);
});

async function reads({ bytes }: NamedFile): Promise<void> {
  const { width, height } = await decodeWhole(avifDecoder, { bytes, facts: scan(bytes)! });
  expect(width * height).toBeGreaterThan(400);
}

if (AVIF_MUTANTS) {
  vi.setConfig({ testTimeout: 3_600_000 });
  for (const file of [...plain, ...made]) fuzzAvif(Number(AVIF_MUTANTS), Number(AVIF_SEED), [file]);
} else {
  fuzzAvif(ALL_MUTANTS, 32, plain);
  // In two halves: larger pictures take longer than one test may.
  if (made.length > 0) for (const seed of [33, 34]) fuzzAvif(ALL_MUTANTS / 2, seed, made);
}
