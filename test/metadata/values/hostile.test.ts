import { describe } from 'vitest';
import { hostileValues } from './hostile_suite.ts';

describe('values of hostile files of a quarter of a megabyte', () => hostileValues(1 << 18));
