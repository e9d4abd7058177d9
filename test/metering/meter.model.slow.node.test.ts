import { test } from 'vitest';
import { checkHistories } from './meter_model.ts';

test('100,000 random histories agree with the reference meter in every answer', { timeout: 900_000 }, () => {
  checkHistories(100_000, 20_261_127);
});
