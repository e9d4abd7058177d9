import { test } from 'vitest';
import { checkAccounts } from './account_model.ts';

test('1,000 random histories of a key agree with the rules in every answer', {
  timeout: 900_000,
}, async () => {
  await checkAccounts(1000, 20_261_123);
});
