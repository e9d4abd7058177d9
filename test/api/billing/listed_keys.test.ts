import { expect, test } from 'vitest';
import { enlistKey, enlistUsedKey, keyPage } from '../../../src/api/billing/listed_keys.ts';
import type { Bindings } from '../../../src/api/env.ts';
import { accountOf } from '../../../src/metering/key_account.ts';
import { bindings, WatchedNamespace } from './counting_app.ts';

const { CALL_METER } = bindings;
const account = accountOf({ plan: 2, cap: 7, issuedAt: 1000, label: 4711, expiresAt: 2000 });
const id = (digit: string) => `key_${digit.repeat(24)}`;
const watch = () => {
  const watched = new WatchedNamespace();
  return { watched, namespace: watched as unknown as Bindings['CALL_METER'] };
};
const idsListed = async () => (await keyPage(CALL_METER, null, 100))?.keys.map((key) => key.id);

test('a key of a version without the index enters it when it is used, with what its meter knows', async () => {
  await CALL_METER.getByName(id('1')).issue(account);
  expect(await idsListed()).not.toContain(id('1'));
  await enlistUsedKey(CALL_METER, id('1'));
  const page = await keyPage(CALL_METER, null, 100);
  const { plan, cap, issuedAt, label, expiresAt } = account;
  expect(page?.keys).toContainEqual({
    ...{ id: id('1'), plan, cap, issuedAt, label, expiresAt },
    revokedAt: null,
  });
});

test('the index is asked once for a key, and never for one that was just entered', async () => {
  const { watched, namespace } = watch();
  await enlistKey(namespace, id('2'), { ...account, revokedAt: null });
  await enlistUsedKey(namespace, id('2'));
  expect(watched.asked).toEqual(['key_index']);
  await CALL_METER.getByName(id('3')).issue(account);
  for (let call = 0; call < 3; call++) await enlistUsedKey(namespace, id('3'));
  expect(watched.asked).toEqual(['key_index', 'key_index', id('3'), 'key_index']);
});

test('an index that is down is not asked at every call', async () => {
  const { watched, namespace } = watch();
  watched.broken = Number.POSITIVE_INFINITY;
  watched.error = () => new Error('down');
  await expect(enlistUsedKey(namespace, id('4'))).rejects.toMatchObject({ code: 'overloaded' });
  await enlistUsedKey(namespace, id('4'));
  expect(watched.asked).toEqual(['key_index']);
});

test('a key of which its meter knows nothing is not entered', async () => {
  await enlistUsedKey(CALL_METER, id('5'));
  expect(await idsListed()).not.toContain(id('5'));
});
