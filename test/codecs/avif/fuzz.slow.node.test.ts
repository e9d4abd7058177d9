import { ALL_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzAvif } from './fuzz_suite.ts';

fuzzAvif(ALL_MUTANTS);
