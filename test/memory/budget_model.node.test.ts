import { describe } from 'vitest';
import { checkAnySchedule, checkNobodyStarves, checkSmallOnesPass } from './budget_model_suite.ts';

describe('any schedule of arrivals, sizes, stalls and aborts', () => checkAnySchedule([0]));

describe('nobody starves', checkNobodyStarves);

describe('what is kept for small calls', checkSmallOnesPass);
