import type { Context } from 'hono';
import { type AccountChange, accountOf } from '../../metering/key_account.ts';
import { isKeyId, KEY_ID_BYTES, keyIdFrom, signKey } from '../../metering/key_tokens.ts';
import type { KeyUsage } from '../../metering/meter_answers.ts';
import { keyPlanNames, plans } from '../../metering/plans.ts';
import {
  DEFAULT_LISTED_KEYS,
  type IssuedKey,
  type KeyList,
  keyChangeSchema,
  keyRequestSchema,
  keyRotationSchema,
  MAX_LISTED_KEYS,
  type RotatedKey,
} from '../../ops/account.ts';
import { ApiError } from '../answers/errors.ts';
import { issuedAccount, recordIssue } from '../billing/issued_keys.ts';
import { isoDateTime, issuedKey, keyRecord, listedKey } from '../billing/key_records.ts';
import { enlistKey, keyPage } from '../billing/listed_keys.ts';
import { askMeter } from '../billing/meter_client.ts';
import { requireAdmin } from '../caller/admin.ts';
import type { Env } from '../env.ts';
import { readSmallJson } from '../small_json.ts';

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
  const { CALL_METER } = c.env;
  await recordIssue(CALL_METER, id, account);
  await enlistKey(CALL_METER, id, { ...account, revokedAt: null });
  const issued: IssuedKey = issuedKey(key, id, account);
  return c.json(issued, 201, { ...noStore, Location: `/v1/keys/${id}` });
}

/** GET /v1/keys: the keys that were issued, in pages. */
export async function listKeysRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  const { limit = String(DEFAULT_LISTED_KEYS), cursor } = c.req.query();
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LISTED_KEYS)
    throw new ApiError('bad_request', `Expected limit to be a whole number from 1 to ${MAX_LISTED_KEYS}.`);
  const after = cursor === undefined ? null : idOfCursor(cursor);
  const page = await keyPage(c.env.CALL_METER, after, Number(limit));
  if (!page) throw unknownCursor();
  const last = page.more ? page.keys.at(-1) : undefined;
  const list: KeyList = {
    keys: page.keys.map(listedKey),
    next_cursor: last ? cursorOf(last.id) : null,
  };
  return c.json(list, 200, noStore);
}

/** GET /v1/keys/{key_id}: state and usage of a key. */
export async function showKeyRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  const id = requireKeyId(c);
  const { CALL_METER } = c.env;
  const issued = await issuedAccount(CALL_METER, id);
  const usage = requireKnown(await askMeter(CALL_METER, id, async (stub) => await stub.usage(issued)));
  await enlist(c, id, usage);
  return c.json(keyRecord(id, usage), 200, noStore);
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
  const usage = requireKnown(
    await askMeter(CALL_METER, id, async (stub) => await stub.change(change, issued)),
  );
  await enlist(c, id, usage);
  return c.json(keyRecord(id, usage), 200, noStore);
}

/** POST /v1/keys/{key_id}/rotate: issues a new token for a key, which replaces its newest one. */
export async function rotateKeyRoute(c: Context<Env>): Promise<Response> {
  const [secret] = await requireAdmin(c);
  const id = requireKeyId(c);
  const { overlap_seconds } = await readSmallJson(c.req.raw, keyRotationSchema, '{"overlap_seconds": 86400}');
  const { CALL_METER } = c.env;
  const issued = await issuedAccount(CALL_METER, id);
  const known = requireKnown(await askMeter(CALL_METER, id, async (stub) => await stub.usage(issued)));
  // Later than the previous token, even if this isolate's clock is behind.
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
    previous_valid_until: isoDateTime(replacedUntil ?? issuedAt),
  };
  return c.json(rotatedKey, 201, noStore);
}

/** DELETE /v1/keys/{key_id}: revokes a key for good. Idempotent. */
export async function revokeKeyRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  const id = requireKeyId(c);
  const { CALL_METER } = c.env;
  // Someone who mistypes an id must not believe that the key is revoked.
  const issued = await issuedAccount(CALL_METER, id);
  requireKnown(await askMeter(CALL_METER, id, async (stub) => await stub.usage(issued)));
  await askMeter(CALL_METER, id, async (stub) => await stub.revoke());
  const usage = await askMeter(CALL_METER, id, async (stub) => await stub.usage(issued));
  await enlist(c, id, requireKnown(usage));
  return c.body(null, 204);
}

/** Updates the key's entry in the index, and adds it if a version without an index issued the key. */
function enlist(c: Context<Env>, id: string, usage: KeyUsage): Promise<void> {
  return enlistKey(c.env.CALL_METER, id, { label: null, expiresAt: null, ...usage });
}

/** The cursor of the page that follows a key. */
function cursorOf(id: string): string {
  return new TextEncoder().encode(id).toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** @throws ApiError bad_request for a text that is not a cursor */
function idOfCursor(cursor: string): string {
  try {
    const id = new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: 'base64url' }));
    if (isKeyId(id) && cursorOf(id) === cursor) return id;
  } catch {
    // Not base64url: refused like any other text.
  }
  throw unknownCursor();
}

const unknownCursor = () =>
  new ApiError('bad_request', 'Expected cursor to be the next_cursor of a page before, or absent.');

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

const unixTime = (time: string | null) => (time === null ? null : Date.parse(time));
