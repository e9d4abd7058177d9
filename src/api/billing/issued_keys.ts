import { accountOf, type KeyAccount } from '../../metering/key_account.ts';
import type { Bindings } from '../env.ts';
import { askMeter } from './meter_client.ts';

type Namespace = Bindings['CALL_METER'];

/**
 * The object that keeps a key's account as it was issued. It is separate from the key's meter: an object
 * stays where it was first accessed, and the meter should be near the key's first caller.
 * https://developers.cloudflare.com/durable-objects/reference/data-location/
 */
const recordName = (keyId: string) => `issued_${keyId}`;

/**
 * Records a new key.
 * @throws MeterUnreachable
 */
export async function recordIssue(namespace: Namespace, keyId: string, account: KeyAccount): Promise<void> {
  await askMeter(namespace, recordName(keyId), async (stub) => await stub.issue(account));
}

/**
 * The account of a key as this deployment issued it. Later changes are known only to its meter.
 * @returns null for a key that was never issued here
 * @throws MeterUnreachable
 */
export async function issuedAccount(namespace: Namespace, keyId: string): Promise<KeyAccount | null> {
  const record = await askMeter(namespace, recordName(keyId), async (stub) => await stub.usage());
  if (!record) return null;
  const { plan, cap, issuedAt, label = null, expiresAt = null } = record;
  return accountOf({ plan, cap, issuedAt, label, expiresAt });
}
