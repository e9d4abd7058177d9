import type { Context } from 'hono';
import type { z } from 'zod';
import type { KeyUsage } from '../../metering/call_meter.ts';
import { isKeyId, KEY_ID_BYTES, keyIdFrom, signKey } from '../../metering/key_tokens.ts';
import { plans, planWithCode } from '../../metering/plans.ts';
import { type IssuedKey, type KeyRecord, keyRequestSchema } from '../../ops/responses.ts';
import { validateOps } from '../../ops/validate.ts';
import { requireAdmin } from '../admin.ts';
import { parseHeaderValue } from '../body/header_value.ts';
import type { Env } from '../env.ts';
import { ApiError } from '../errors.ts';
import { askMeter } from '../meter_client.ts';
import { readSmallBody } from '../small_body.ts';
import { monthRecord } from '../usage_record.ts';

/** Most bytes of the body of POST /v1/keys, far more than a valid one has. */
const MAX_BODY_BYTES = 4096;
const noStore = { 'Cache-Control': 'no-store' };

/**
 * The object that keeps the facts of an issued key for the operator. It is not the key's meter: an object
 * stays where it was first asked from, and the meter shall be near the key's first caller.
 * https://developers.cloudflare.com/durable-objects/reference/data-location/
 */
const issueRecordName = (keyId: string) => `issued_${keyId}`;

/** POST /v1/keys: issues a key. The key is in this response only and stored nowhere. */
export async function issueKeyRoute(c: Context<Env>): Promise<Response> {
  const [secret] = await requireAdmin(c);
  const request = await readKeyRequest(c.req.raw);
  const id = keyIdFrom(crypto.getRandomValues(new Uint8Array(KEY_ID_BYTES)));
  const { plan, monthly_billable_cap: cap = plans[plan].monthlyBillableCap } = request;
  const issuedAt = Date.now();
  const key = await signKey({ id, plan, cap, issuedAt }, secret);
  await askMeter(
    c.env.CALL_METER,
    issueRecordName(id),
    async (stub) => await stub.issue({ plan: plans[plan].code, cap, issuedAt }),
  );
  const issued: IssuedKey = {
    key,
    key_id: id,
    plan,
    monthly_billable_cap: cap,
    created_at: isoTime(issuedAt),
  };
  return c.json(issued, 201, { ...noStore, Location: `/v1/keys/${id}` });
}

/** GET /v1/keys/{key_id}: state and usage of a key. */
export async function showKeyRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  const id = requireKeyId(c);
  const { CALL_METER } = c.env;
  const record = await askMeter(CALL_METER, issueRecordName(id), async (stub) => await stub.usage());
  const issued = record && { plan: record.plan, cap: record.cap, issuedAt: record.issuedAt };
  const usage = await askMeter(CALL_METER, id, async (stub) => await stub.usage(issued));
  if (!usage) throw new ApiError('not_found', 'There is no key with this id.');
  return c.json(keyRecord(id, usage), 200, noStore);
}

/** DELETE /v1/keys/{key_id}: revokes a key for good. Idempotent. */
export async function revokeKeyRoute(c: Context<Env>): Promise<Response> {
  await requireAdmin(c);
  await askMeter(c.env.CALL_METER, requireKeyId(c), async (stub) => await stub.revoke());
  return c.body(null, 204);
}

function keyRecord(id: string, usage: KeyUsage): KeyRecord {
  const plan = planWithCode(usage.plan) ?? 'free';
  const earlier = usage.history.filter(({ month }) => month !== usage.month);
  return {
    key_id: id,
    plan,
    monthly_billable_cap: usage.cap,
    created_at: isoTime(usage.issuedAt),
    state: usage.revokedAt === null ? 'active' : 'revoked',
    revoked_at: usage.revokedAt === null ? null : isoTime(usage.revokedAt),
    usage: monthRecord(plan, usage.month, usage.current),
    earlier_usage: earlier.reverse().map(({ month, count }) => monthRecord(plan, month, count)),
  };
}

/** @throws ApiError unsupported_media_type, bad_request */
async function readKeyRequest(request: Request): Promise<z.output<typeof keyRequestSchema>> {
  const { value: type } = parseHeaderValue(request.headers.get('Content-Type') ?? '');
  if (type !== '' && type !== 'application/json')
    throw new ApiError('unsupported_media_type', 'Expected application/json such as {"plan": "pro"}.');
  const text = await readSmallBody(request, MAX_BODY_BYTES);
  if (text === null) throw new ApiError('bad_request', 'The body is too long to ask for a key.');
  const result = validateOps(keyRequestSchema, parseJson(text));
  if (result.ok) return result.ops;
  const [first] = result.issues;
  const message = `${first?.path || 'The body'}: ${first?.message}`;
  throw new ApiError('bad_request', message, { issues: result.issues });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('bad_request', 'Expected a JSON body such as {"plan": "pro"}.');
  }
}

function requireKeyId(c: Context<Env>): string {
  const id = c.req.param('key_id') ?? '';
  if (!isKeyId(id)) throw new ApiError('not_found', 'There is no key with this id.');
  return id;
}

const isoTime = (time: number) => new Date(time).toISOString();
