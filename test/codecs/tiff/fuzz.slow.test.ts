import { ALL_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzTiff } from './fuzz_suite.ts';

fuzzTiff(ALL_MUTANTS);
