import { describe } from 'vitest';
import { valueFiles } from '../../fixtures/metadata/value_files.ts';
import { cutAnywhere, fuzzValues, readable } from './properties_suite.ts';

const QUICK = ['Exif, little-endian', 'IPTC', 'C2PA in two segments', 'GIF comments'];

describe('values of any file', () => {
  fuzzValues(readable, 20);
  cutAnywhere(valueFiles.filter(({ name }) => QUICK.includes(name)));
});
