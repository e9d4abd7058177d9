import { ALL_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzWholeFrames } from './fuzz_suite.ts';

fuzzWholeFrames(ALL_MUTANTS);
