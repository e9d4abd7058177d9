import { QUICK_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzJpegParts } from './fuzz_parts_suite.ts';

fuzzJpegParts(QUICK_MUTANTS);
