import { describe } from 'vitest';
import { intraPredictionSuite } from './intra_suite.ts';

describe('AV1 intra prediction, at length', () => intraPredictionSuite(60));
