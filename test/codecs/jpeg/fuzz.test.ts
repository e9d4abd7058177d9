import { QUICK_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzJpeg } from './fuzz_suite.ts';

fuzzJpeg(QUICK_MUTANTS);
