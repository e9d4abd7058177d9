import { describe } from 'vitest';
import { fuzzScan } from './properties_suite.ts';

describe('any file', () => fuzzScan(10_000));
