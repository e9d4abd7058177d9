import { QUICK_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { plainAvifFiles } from '../../fixtures/avif_files.ts';
import { fuzzAvif } from './fuzz_suite.ts';

fuzzAvif(QUICK_MUTANTS, 32, await plainAvifFiles());
