import type { Context } from 'hono';
import type { KeyUsage } from '../../metering/call_meter.ts';
import { type AccountChange, accountOf, type KeyAccount, planOf } from '../../metering/key_account.ts';
import { isKeyId, KEY_ID_BYTES, keyIdFrom, signKey } from '../../metering/key_tokens.ts';
import { keyPlanNames, plans } from '../../metering/plans.ts';
import {
  type IssuedKey,
  type KeyRecord,
  keyChangeSchema,
  keyRequestSchema,
  keyRotationSchema,
  type RotatedKey,
} from '../../ops/responses.ts';
import { requireAdmin } from '../admin.ts';
import type { Env } from '../env.ts';
import { ApiError } from '../errors.ts';
import { issuedAccount, recordIssue } from '../issued_keys.ts';
import { askMeter } from '../meter_client.ts';
import { readSmallJson } from '../small_json.ts';
import { monthRecord } from '../usage_record.ts';

const noStore = { 'Cache-Control': 'no-store' };

/** POST /v1/keys: issues a key. The key is in this response only and stored nowhere. */
export async function issueKeyRoute(c: Context<Env>): Promise<Response> {
  const [secret] = await requireAdmin(c);
  const request = await readSmallJson(c.req.raw, keyRequestSchema, '{"plan": "pro"}');
  const id = keyIdFrom(crypto.getRandomValues(new Uint8Array(KEY_ID_BYTES)));
  const { plan, monthly_billable_cap: cap = plans[plan].monthlyBillableCap } = request;
  const issuedAt = Date.now();
  const key = await signKey({ id, plan, cap, issuedAt }, secret);
  const { label = null, expires_at = null } = request;
  const account = accountOf({
    plan: plans[plan].code,
    cap,
    issuedAt,
    label,
    expiresAt: unixTime(expires_at),
  });
  await recordIssue(c.env.CALL_METER, id, account);
  const issued: IssuedKey = issuedKey(key, id, account);
  return c.json(issued, 201, { ...noStore, Location: `/v1/keys/${id}` });
}

/** GET /v1/keys/{key_id}: state and usage of a key. */
export async function showKeyRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  const id = requireKeyId(c);
  const { CALL_METER } = c.env;
  const issued = await issuedAccount(CALL_METER, id);
  const usage = await askMeter(CALL_METER, id, async (stub) => await stub.usage(issued));
  return c.json(keyRecord(id, requireKnown(usage)), 200, noStore);
}

/** PATCH /v1/keys/{key_id}: changes the account of a key from its next call on. */
export async function changeKeyRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  const id = requireKeyId(c);
  const {
    plan,
    monthly_billable_cap: cap,
    label,
    expires_at,
  } = await readSmallJson(c.req.raw, keyChangeSchema, '{"plan": "pro"}');
  const change: AccountChange = {
    ...(plan !== undefined && { plan: plans[plan].code }),
    ...(cap !== undefined && { cap }),
    ...(label !== undefined && { label }),
    ...(expires_at !== undefined && { expiresAt: unixTime(expires_at) }),
  };
  const { CALL_METER } = c.env;
  const issued = await issuedAccount(CALL_METER, id);
  const usage = await askMeter(CALL_METER, id, async (stub) => await stub.change(change, issued));
  return c.json(keyRecord(id, requireKnown(usage)), 200, noStore);
}

/** POST /v1/keys/{key_id}/rotate: issues a new token of a key, which replaces the newest one. */
export async function rotateKeyRoute(c: Context<Env>): Promise<Response> {
  const [secret] = await requireAdmin(c);
  const id = requireKeyId(c);
  const { overlap_seconds } = await readSmallJson(c.req.raw, keyRotationSchema, '{"overlap_seconds": 86400}');
  const { CALL_METER } = c.env;
  const issued = await issuedAccount(CALL_METER, id);
  const known = requireKnown(await askMeter(CALL_METER, id, async (stub) => await stub.usage(issued)));
  // Later than the token before it, also where this isolate's clock is behind.
  const issuedAt = Math.max(Date.now(), (known.newestIssuedAt ?? known.issuedAt) + 1);
  const account = await askMeter(
    CALL_METER,
    id,
    async (stub) => await stub.rotate(issuedAt, 1000 * overlap_seconds, issued),
  );
  const { plan, cap, replacedUntil } = requireKnown(account);
  const name = keyPlanNames.find((each) => plans[each].code === plan);
  if (!name) throw new ApiError('internal_error');
  const key = await signKey({ id, plan: name, cap, issuedAt }, secret);
  const rotatedKey: RotatedKey = {
    ...issuedKey(key, id, requireKnown(account)),
    previous_valid_until: isoTime(replacedUntil ?? issuedAt),
  };
  return c.json(rotatedKey, 201, noStore);
}

/** DELETE /v1/keys/{key_id}: revokes a key for good. Idempotent. */
export async function revokeKeyRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  const id = requireKeyId(c);
  const { CALL_METER } = c.env;
  // Who mistypes an id must not go away believing that the key is revoked.
  const issued = await issuedAccount(CALL_METER, id);
  requireKnown(await askMeter(CALL_METER, id, async (stub) => await stub.usage(issued)));
  await askMeter(CALL_METER, id, async (stub) => await stub.revoke());
  return c.body(null, 204);
}

function issuedKey(key: string, id: string, account: KeyAccount): IssuedKey {
  return {
    key,
    key_id: id,
    plan: planOf(account),
    monthly_billable_cap: account.cap,
    label: account.label,
    expires_at: isoTimeOrNull(account.expiresAt),
    created_at: isoTime(account.newestIssuedAt),
  };
}

function keyRecord(id: string, usage: KeyUsage): KeyRecord {
  const plan = planOf(usage);
  const { expiresAt = null, newestIssuedAt = usage.issuedAt, replacedUntil = null } = usage;
  const earlier = usage.history.filter(({ month }) => month !== usage.month);
  return {
    key_id: id,
    plan,
    monthly_billable_cap: usage.cap,
    label: usage.label ?? null,
    expires_at: isoTimeOrNull(expiresAt),
    created_at: isoTime(usage.issuedAt),
    rotated_at: newestIssuedAt === usage.issuedAt ? null : isoTime(newestIssuedAt),
    previous_valid_until: isoTimeOrNull(replacedUntil),
    state: stateOf(usage.revokedAt, expiresAt),
    revoked_at: isoTimeOrNull(usage.revokedAt),
    usage: monthRecord(plan, usage.month, usage.current, usage.mills),
    earlier_usage: earlier.reverse().map(({ month, count, mills }) => monthRecord(plan, month, count, mills)),
  };
}

function stateOf(revokedAt: number | null, expiresAt: number | null): KeyRecord['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.now() >= expiresAt ? 'expired' : 'active';
}

function requireKeyId(c: Context<Env>): string {
  const id = c.req.param('key_id') ?? '';
  if (!isKeyId(id)) throw new ApiError('not_found', 'There is no key with this id.');
  return id;
}

/** @throws ApiError not_found for null */
function requireKnown<T>(value: T | null): T {
  if (value === null) throw new ApiError('not_found', 'There is no key with this id, or it is revoked.');
  return value;
}

const isoTime = (time: number) => new Date(time).toISOString();
const isoTimeOrNull = (time: number | null) => (time === null ? null : isoTime(time));
const unixTime = (time: string | null) => (time === null ? null : Date.parse(time));
