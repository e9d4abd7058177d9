import { describe } from 'vitest';
import { hostileSuite } from './hostile_suite.ts';

describe('hostile files of 1 MB', () => hostileSuite(1 << 20));
