import { type KeyAccount, planOf } from '../../metering/key_account.ts';
import type { ListedKey } from '../../metering/key_index.ts';
import type { KeyUsage } from '../../metering/meter_answers.ts';
import type { IssuedKey, KeyList, KeyRecord } from '../../ops/account.ts';
import { monthRecord } from './usage_record.ts';

/** @param key the token */
export function issuedKey(key: string, id: string, account: KeyAccount): IssuedKey {
  return {
    key,
    key_id: id,
    plan: planOf(account),
    monthly_billable_cap: account.cap,
    label: account.label,
    expires_at: isoDateTimeOrNull(account.expiresAt),
    created_at: isoDateTime(account.newestIssuedAt),
  };
}

export function keyRecord(id: string, usage: KeyUsage): KeyRecord {
  const plan = planOf(usage);
  const { expiresAt = null, newestIssuedAt = usage.issuedAt, replacedUntil = null } = usage;
  const earlier = usage.history.filter(({ month }) => month !== usage.month);
  return {
    key_id: id,
    plan,
    monthly_billable_cap: usage.cap,
    label: usage.label ?? null,
    expires_at: isoDateTimeOrNull(expiresAt),
    created_at: isoDateTime(usage.issuedAt),
    rotated_at: newestIssuedAt === usage.issuedAt ? null : isoDateTime(newestIssuedAt),
    previous_valid_until: isoDateTimeOrNull(replacedUntil),
    state: stateOf(usage.revokedAt, expiresAt),
    revoked_at: isoDateTimeOrNull(usage.revokedAt),
    usage: monthRecord(plan, usage.month, usage.current, usage.mills),
    earlier_usage: earlier.reverse().map(({ month, count, mills }) => monthRecord(plan, month, count, mills)),
  };
}

function stateOf(revokedAt: number | null, expiresAt: number | null): KeyRecord['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.now() >= expiresAt ? 'expired' : 'active';
}

/** A key as the list of keys shows it. */
export function listedKey({ id, revokedAt, expiresAt, ...key }: ListedKey): KeyList['keys'][number] {
  return {
    key_id: id,
    plan: planOf(key),
    monthly_billable_cap: key.cap,
    label: key.label,
    expires_at: isoDateTimeOrNull(expiresAt),
    created_at: isoDateTime(key.issuedAt),
    state: stateOf(revokedAt, expiresAt),
    revoked_at: isoDateTimeOrNull(revokedAt),
  };
}

export const isoDateTime = (time: number) => new Date(time).toISOString();
const isoDateTimeOrNull = (time: number | null) => (time === null ? null : isoDateTime(time));
