import { test } from 'vitest';
import { checkHistories } from './meter_model.ts';

test('1,000 random histories agree with the reference meter in every answer', () => {
  checkHistories(1000, 20_261_104);
});
