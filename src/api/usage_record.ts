import type { Context } from 'hono';
import type { MonthCount } from '../metering/journal.ts';
import { planOf } from '../metering/key_account.ts';
import { MONTHS_KEPT } from '../metering/month_counters.ts';
import { monthOf, periodOf } from '../metering/months.ts';
import { costOf, moneyOf, type PlanName } from '../metering/plans.ts';
import type { UsageRecord } from '../ops/responses.ts';
import { countedCallerOf, refusedKeyError } from './caller.ts';
import type { Env } from './env.ts';
import { ApiError } from './errors.ts';
import { issuedAccount } from './issued_keys.ts';
import { CallerMeter } from './meter_client.ts';
import { rateLimitStatus } from './rate_limit_status.ts';

/**
 * The usage of the calling key in a UTC month. Also sets the request's rate limit status.
 * @param period `YYYY-MM`; the current month when absent
 * @throws ApiError bad_request for a period that is none, or not kept; as `countedCallerOf`;
 * invalid_api_key without a key or with one that is refused; overloaded when the meter can't be reached
 */
export async function usageRecord(c: Context<Env>, period?: string): Promise<UsageRecord> {
  const caller = await countedCallerOf(c);
  if (caller.keyId === null) throw new ApiError('invalid_api_key', 'Usage is kept per API key; send yours.');
  const { CALL_METER } = c.env;
  const meter = new CallerMeter(CALL_METER, caller);
  const usage = await meter.peek((id) => issuedAccount(CALL_METER, id));
  c.set('rateLimitStatus', rateLimitStatus(caller.plan, usage, false));
  if (usage.revoked) throw refusedKeyError(c, 'revoked');
  if (usage.refusal) throw refusedKeyError(c, usage.refusal);
  const plan = usage.key ? planOf(usage.key) : caller.plan;
  const month = period === undefined ? usage.month : requireKeptMonth(period, usage.month);
  if (month !== usage.month) {
    const earlier = await meter.usage();
    const found = earlier?.history.find((each) => each.month === month);
    const { count = { calls: 0, billable: 0 }, mills } = found ?? {};
    return { key_id: caller.keyId, plan, ...monthRecord(plan, month, count, mills) };
  }
  const count = { calls: usage.calls, billable: usage.billableCalls };
  return { key_id: caller.keyId, plan, ...monthRecord(plan, usage.month, count, usage.key?.mills) };
}

/** @throws ApiError bad_request */
function requireKeptMonth(period: string, current: number): number {
  const month = monthOf(period);
  const oldest = current - MONTHS_KEPT + 1;
  if (month !== null && month >= oldest && month <= current) return month;
  const kept = `${periodOf(oldest)} to ${periodOf(current)}`;
  throw new ApiError(
    'bad_request',
    `Expected period to be a month such as ${periodOf(current)}, from ${kept}.`,
  );
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
