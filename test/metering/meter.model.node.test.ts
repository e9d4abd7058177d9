import { test } from 'vitest';
import { checkHistories } from './meter_model.ts';

test('3,000 random histories agree with the reference meter in every answer', () => {
  checkHistories(3000, 20_261_104);
});
