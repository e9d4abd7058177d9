import { ALL_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { plainAvifFiles, toolAvifFiles } from '../../fixtures/avif_files.ts';
import { haveAvifTools } from '../../fixtures/avif_tools.ts';
import { fuzzAvif } from './fuzz_suite.ts';

fuzzAvif(ALL_MUTANTS, 32, await plainAvifFiles());
// In two halves: larger pictures take longer than one test may.
if (haveAomTools && haveAvifTools) {
  const seeds = await toolAvifFiles();
  for (const seed of [33, 34]) fuzzAvif(ALL_MUTANTS / 2, seed, seeds);
}
