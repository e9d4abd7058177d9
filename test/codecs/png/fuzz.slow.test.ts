import { ALL_MUTANTS } from '../../cases/decoder_fuzz.ts';
import { fuzzPng } from './fuzz_suite.ts';

fuzzPng(ALL_MUTANTS);
