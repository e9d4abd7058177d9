import { test } from 'vitest';
import { checkAccounts } from './account_model.ts';

test('60 random histories of a key agree with the rules in every answer', async () => {
  await checkAccounts(60, 20_261_122);
});
