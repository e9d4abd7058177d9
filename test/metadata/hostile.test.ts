import { describe } from 'vitest';
import { hostileSuite } from './hostile_suite.ts';

describe('hostile files of a quarter of a megabyte', () => hostileSuite(1 << 18));
