import type { Context } from 'hono';
import type { MonthCount } from '../metering/journal.ts';
import { planOf } from '../metering/key_account.ts';
import { periodOf } from '../metering/months.ts';
import { costOf, moneyOf, type PlanName } from '../metering/plans.ts';
import type { UsageRecord } from '../ops/responses.ts';
import { countedCallerOf, refusedKeyError } from './caller.ts';
import type { Env } from './env.ts';
import { ApiError } from './errors.ts';
import { issuedAccount } from './issued_keys.ts';
import { CallerMeter } from './meter_client.ts';
import { rateLimitStatus } from './rate_limit_status.ts';

/**
 * The usage of the calling key in the current UTC month. Also sets the request's rate limit status.
 * @throws ApiError as `countedCallerOf`; invalid_api_key without a key or with a revoked one; overloaded when
 * the meter can't be reached
 */
export async function usageRecord(c: Context<Env>): Promise<UsageRecord> {
  const caller = await countedCallerOf(c);
  if (caller.keyId === null) throw new ApiError('invalid_api_key', 'Usage is kept per API key; send yours.');
  const { CALL_METER } = c.env;
  const usage = await new CallerMeter(CALL_METER, caller).peek((id) => issuedAccount(CALL_METER, id));
  c.set('rateLimitStatus', rateLimitStatus(caller.plan, usage, false));
  if (usage.revoked) throw refusedKeyError(c, 'revoked');
  if (usage.refusal) throw refusedKeyError(c, usage.refusal);
  const count = { calls: usage.calls, billable: usage.billableCalls };
  const plan = usage.key ? planOf(usage.key) : caller.plan;
  return { key_id: caller.keyId, plan, ...monthRecord(plan, usage.month, count, usage.key?.mills) };
}

/**
 * The usage of one UTC month as usage records show it.
 * @param mills its cost, where the meter tells it; else all of it costs what the plan says
 */
export function monthRecord(
  plan: PlanName,
  month: number,
  { calls, billable }: MonthCount,
  mills: number | undefined,
): Omit<UsageRecord, 'key_id' | 'plan'> {
  const { cents, usd } = mills === undefined ? costOf(plan, billable) : moneyOf(mills);
  return { period: periodOf(month), calls, billable_calls: billable, cost_cents: cents, cost_usd: usd };
}
