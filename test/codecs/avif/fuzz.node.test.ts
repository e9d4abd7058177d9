import { QUICK_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzAvif } from './fuzz_suite.ts';

fuzzAvif(QUICK_MUTANTS);
