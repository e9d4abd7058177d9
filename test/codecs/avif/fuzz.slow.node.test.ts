import { ALL_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { haveAomTools } from '../../fixtures/av1/aom_tools.ts';
import { plainAvifFiles, toolAvifFiles } from '../../fixtures/avif_files.ts';
import { haveAvifTools } from '../../fixtures/avif_tools.ts';
import { fuzzAvif } from './fuzz_suite.ts';

fuzzAvif(ALL_MUTANTS, 32, await plainAvifFiles());
if (haveAomTools && haveAvifTools) fuzzAvif(ALL_MUTANTS, 33, await toolAvifFiles());
