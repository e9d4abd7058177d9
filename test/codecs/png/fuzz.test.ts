import { QUICK_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzPng } from './fuzz_suite.ts';

fuzzPng(QUICK_MUTANTS);
