import { expect, test } from 'vitest';
import { issuedAccount, recordIssue } from '../../../src/api/billing/issued_keys.ts';
import { accountOf } from '../../../src/metering/key_account.ts';
import { bindings } from './counting_app.ts';

const { CALL_METER } = bindings;
const id = `key_${'6'.repeat(24)}`;

test('a key is found as it was issued, and one that never was is not', async () => {
  const account = accountOf({ plan: 2, cap: 7, issuedAt: 1000, label: 4711, expiresAt: 2000 });
  expect(await issuedAccount(CALL_METER, id)).toBeNull();
  await recordIssue(CALL_METER, id, account);
  expect(await issuedAccount(CALL_METER, id)).toEqual(account);
  expect(await issuedAccount(CALL_METER, id.replaceAll('6', '3'))).toBeNull();
});

test('a key that a version without accounts has issued is found', async () => {
  await CALL_METER.getByName(`issued_${id}a`).issue({ plan: 1, cap: 5, issuedAt: 1000 });
  const account = accountOf({ plan: 1, cap: 5, issuedAt: 1000 });
  expect(await issuedAccount(CALL_METER, `${id}a`)).toEqual(account);
});
