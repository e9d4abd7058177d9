import { QUICK_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzWebp } from './fuzz_suite.ts';

fuzzWebp(QUICK_MUTANTS);
