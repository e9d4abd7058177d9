import { describe } from 'vitest';
import { intraPredictionSuite } from './intra_suite.ts';

describe('AV1 intra prediction', () => intraPredictionSuite(2));
