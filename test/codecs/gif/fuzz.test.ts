import { QUICK_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzGif } from './fuzz_suite.ts';

fuzzGif(QUICK_MUTANTS);
