import { describe } from 'vitest';
import { HOSTILE_LENGTH } from '../../fixtures/metadata/hostile_files.ts';
import { hostileValues } from './hostile_suite.ts';

describe(`values of hostile files of ${HOSTILE_LENGTH} bytes`, () => hostileValues(HOSTILE_LENGTH));
