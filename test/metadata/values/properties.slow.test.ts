import { describe } from 'vitest';
import { cutAnywhere, fuzzValues, readable } from './properties_suite.ts';

describe('values of any file', () => {
  fuzzValues(10_000);
  cutAnywhere(readable);
});
