import { describe } from 'vitest';
import { checkAnySchedule } from './budget_model_suite.ts';

describe('any schedule of arrivals, sizes, stalls and aborts, thousands more', () =>
  checkAnySchedule([1, 2, 3, 4]));
