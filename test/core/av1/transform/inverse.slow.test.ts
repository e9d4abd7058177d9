import { describe } from 'vitest';
import { inverseTransformSuite } from './inverse_suite.ts';

describe('AV1 inverse transform, at length', () => inverseTransformSuite(30));
