import { QUICK_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzWholeFrames } from './fuzz_suite.ts';

fuzzWholeFrames(QUICK_MUTANTS);
