import { ALL_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzGif } from './fuzz_suite.ts';

fuzzGif(ALL_MUTANTS);
