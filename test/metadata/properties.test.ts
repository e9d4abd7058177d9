import { describe } from 'vitest';
import { cutAnywhere, fuzzScan } from './properties_suite.ts';

describe('any file', () => {
  cutAnywhere();
  // Of each of some two hundred fixtures.
  fuzzScan(100);
});
