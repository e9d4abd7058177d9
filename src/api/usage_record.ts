import type { Context } from 'hono';
import type { MonthCount } from '../metering/journal.ts';
import { periodOf } from '../metering/months.ts';
import { costOf, type PlanName } from '../metering/plans.ts';
import type { UsageRecord } from '../ops/responses.ts';
import { countedCallerOf } from './caller.ts';
import type { Env } from './env.ts';
import { ApiError } from './errors.ts';
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
  const usage = await new CallerMeter(c.env.CALL_METER, caller).peek();
  c.set('rateLimitStatus', rateLimitStatus(caller.plan, usage, false));
  if (usage.revoked) throw new ApiError('invalid_api_key', 'This API key has been revoked.');
  const count = { calls: usage.calls, billable: usage.billableCalls };
  return { key_id: caller.keyId, plan: caller.plan, ...monthRecord(caller.plan, usage.month, count) };
}

/** The usage of one UTC month as usage records show it. */
export function monthRecord(
  plan: PlanName,
  month: number,
  { calls, billable }: MonthCount,
): Omit<UsageRecord, 'key_id' | 'plan'> {
  const { cents, usd } = costOf(plan, billable);
  return { period: periodOf(month), calls, billable_calls: billable, cost_cents: cents, cost_usd: usd };
}
