import { describe } from 'vitest';
import { allFixtures } from '../../fixtures/metadata/all.ts';
import { valueFiles } from '../../fixtures/metadata/value_files.ts';
import { cutAnywhere, fuzzValues, readable } from './properties_suite.ts';

describe('values of any file', () => {
  fuzzValues(valueFiles, 10_000);
  // the scan's own suite gives these ten times as many, for what comes before the values
  fuzzValues(allFixtures, 1000);
  cutAnywhere(readable);
});
